"""What a fault leads to: one answer for the referee, who acts on it, and the audit, which checks it
(protocol.md, Faults)."""

from typing import Final

from arena.seat import FaultKind

#: The fault of a match, whatever its kind, at which a seat is vacated.
MAX_FAULTS: Final = 3

#: Faults at which a seat is vacated at once.
VACATING: Final = frozenset({FaultKind.START, FaultKind.CRASH, FaultKind.MEMORY, FaultKind.OUTPUT})

#: What can go wrong before the first deal, when the only question is ``hello``.
BEFORE_FIRST_DEAL: Final = VACATING | {FaultKind.GARBAGE}


def vacates(kind: FaultKind, *, deal: int, count: int, max_faults: int = MAX_FAULTS) -> bool:
    """Whether a seat is vacated.

    Args:
        deal: the deal of the fault, 0 before the first: a bot that is not ready can't play.
        count: how many faults the seat has in this match, this one included.
    """
    return deal == 0 or kind in VACATING or count >= max_faults
