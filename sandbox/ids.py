"""Names for questions that nobody can guess, so that no bot answers one before it is put (protocol.md)."""

import secrets
from collections.abc import Callable, Iterator
from typing import Final

ID_BYTES: Final = 4
_AT_ONCE: Final = 512


def unguessable() -> Callable[[], str]:
    """Makes names of eight hex digits, for :class:`arena.referee.Table`.

    To ask the system for one takes a system call, so it is asked for many.
    """
    return _names().__next__


def _names() -> Iterator[str]:
    size = 2 * ID_BYTES
    while True:
        digits = secrets.token_hex(ID_BYTES * _AT_ONCE)
        for start in range(0, len(digits), size):
            yield digits[start : start + size]
