"""What a fault leads to, for readers (docs/protocol.md, Faults)."""

from typing import Final

#: What a fault leads to.
IN_ITS_PLACE: Final = (
    "At a fault the referee acts in the bot's place: it passes, or plays the lowest legal card. At a start, "
    "crash, memory or output fault, or at the third fault of a match, the seat is vacated: the referee plays "
    "it to the end, and it is ranked last."
)
