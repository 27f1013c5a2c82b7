"""Whether this worker is told to end: seen by all processes of its pool."""

import mmap

#: Shared with the processes that are forked later.
_told = mmap.mmap(-1, 1)


def going_down() -> bool:
    """Whether it is."""
    return _told[0] != 0


def go_down() -> None:
    """It is, from now on."""
    _told[0] = 1
