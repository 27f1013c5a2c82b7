"""A user of its own for each live seat: two seats of one user would share quotas and counters.

Slots are locks on files, so that the kernel gives them back when a worker dies.
"""

import fcntl
import os
import stat
import tempfile
from pathlib import Path

from arena.errors import PlatformFailure

FIRST_UID = 61000
_SLOTS = 500


class Slot:
    """One user, ours until it is released.

    Attributes:
        uid: its number, also that of its group.

    Raises:
        PlatformFailure: all are taken, or the locks can't be written.
    """

    def __init__(self) -> None:
        folder = _folder()
        for number in range(_SLOTS):
            descriptor = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            self._descriptor = descriptor
            self.uid = FIRST_UID + number
            return
        raise PlatformFailure("no_slot", f"all {_SLOTS} seats of this machine are taken")

    def release(self) -> None:
        """Give it back; once only."""
        os.close(self._descriptor)


def _folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"polignac-slots-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError as error:
        raise PlatformFailure("no_slot", f"{folder}: {error}") from error
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PlatformFailure("no_slot", f"{folder} is not a folder of ours alone")
    return folder
