"""A user of its own for each live seat: two seats of one user would share quotas and counters."""

from arena.errors import PlatformFailure
from sandbox.locks import lock_one

FIRST_UID = 61000
_SLOTS = 500


class Slot:
    """One user, ours until it is released or we end.

    Attributes:
        uid: its number, also that of its group.

    Raises:
        PlatformFailure: all are taken, or the locks can't be written.
    """

    def __init__(self) -> None:
        lock = lock_one("slots", range(_SLOTS))
        if lock is None:
            raise PlatformFailure("no_slot", f"all {_SLOTS} seats of this machine are taken")
        self._lock = lock
        self.uid = FIRST_UID + lock.number

    def release(self) -> None:
        """Give it back; once only."""
        self._lock.release()
