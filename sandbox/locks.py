"""Numbers of which each is one process's at a time, on the whole machine: users for seats, cores for tables.

They are locks on files, so that the kernel gives them back when a process dies. All processes of a user find
the same files, whatever their environment says of temporary folders: in ``/run/lock``, ``/run/user/<uid>`` or
``/tmp``, the first of these that can be written.
"""

import fcntl
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import PlatformFailure

_PLACES: Final = ("/run/lock", "/run/user/{uid}", "/tmp")  # noqa: S108 - the folder in it is looked at


@dataclass(frozen=True, slots=True)
class Lock:
    """A number that is ours until it is released, or until we end."""

    number: int
    _descriptor: int

    def release(self) -> None:
        """Give it back; once only."""
        os.close(self._descriptor)


def lock_one(kind: str, numbers: Iterable[int], folder: Path | None = None) -> Lock | None:
    """The first of these numbers that nobody has; ``None`` when all are taken.

    Args:
        kind: of what; each has numbers of its own.
        folder: where the locks are, instead of the machine's place.

    Raises:
        PlatformFailure: they can't be written, or others could write there.
    """
    try:
        folder = (folder or _place()) / kind
        _make(folder.parent)
        _make(folder)
        for number in numbers:
            descriptor = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(descriptor)
                continue
            return Lock(number, descriptor)
    except OSError as error:
        raise PlatformFailure("locks", f"{folder}: {error}") from error
    return None


def _place() -> Path:
    uid = os.getuid()
    places = [Path(place.format(uid=uid)) for place in _PLACES]
    found = next((place for place in places if os.access(place, os.W_OK | os.X_OK)), places[-1])
    return found / f"polignac-{uid}"


def _make(folder: Path) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise PlatformFailure("locks", f"{folder} is not a folder of ours alone")
