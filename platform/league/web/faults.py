"""What each fault means, for readers (docs/protocol.md, Faults)."""

from typing import Final

from arena.seat import FaultKind

MEANINGS: Final[dict[str, str]] = {
    FaultKind.START: "It did not say that it was ready in time.",
    FaultKind.TIMEOUT: "It gave no reply within its clock.",
    FaultKind.CRASH: "Its process ended, or closed its standard output.",
    FaultKind.MEMORY: "It was killed for using more memory than it may.",
    FaultKind.OUTPUT: "It wrote a line longer than 64 KiB, or more than 256 KiB without a valid reply.",
    FaultKind.GARBAGE: "It sent a line that is no JSON object as RFC 8259 has it.",
    FaultKind.INVALID: "Its reply was no possible action: a card that it didn't hold, a bid that was not "
    "offered, a key missing, or a value of another type.",
    FaultKind.REVOKE: "It didn't follow suit, was told so, and did it again.",
}

#: What a fault leads to.
IN_ITS_PLACE: Final = (
    "At a fault the referee acts in the bot's place: it passes, or plays the lowest legal card. At a start, "
    "crash, memory or output fault, or at the third fault of a match, the seat is vacated: the referee plays "
    "it to the end, and it is ranked last."
)
