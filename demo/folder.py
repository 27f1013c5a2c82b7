"""Where a demo keeps what it makes."""

import fcntl
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

LOCK = "lock"


class NotADemosFolder(Exception):
    """The folder holds something that no demo put there."""


@contextmanager
def own_folder(base: Path) -> Iterator[Path]:
    """`base`, emptied; while another demo uses that, `base`-2, and so on. It stays, to be looked at.

    Raises NotADemosFolder rather than empty a folder that is somebody else's.
    """
    for number in count(1):
        folder = base if number == 1 else base.with_name(f"{base.name}-{number}")
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / LOCK).exists() and any(folder.iterdir()):
            raise NotADemosFolder(f"{folder} holds files that are not a demo's; name an empty folder.")
        with (folder / LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            _empty(folder)
            yield folder
            return


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir():
            shutil.rmtree(entry)
        elif entry.name != LOCK:
            entry.unlink()
