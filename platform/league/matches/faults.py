"""The faults of bots, counted by kind, and what each kind means and leads to (docs/protocol.md, Faults)."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Max, Sum

from arena.seat import FaultKind
from league.bots.models import Bot
from league.matches.models import FaultCount

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


@dataclass(frozen=True)
class FaultsOfKind:
    """A kind of fault in all matches of a bot.

    Attributes:
        faults, matches: how many, and in how many matches.
        latest: the last match with one.
        newest: the number of the newest version that had one.
    """

    kind: str
    faults: int
    matches: int
    latest: int
    newest: int

    @property
    def meaning(self) -> str:
        """What it means."""
        return MEANINGS[self.kind]


def faults_of(bot: Bot) -> list[FaultsOfKind]:
    """The kinds of fault that a bot has had, the most frequent first."""
    counted = (
        FaultCount.objects.filter(version__in=bot.versions.values("pk"))
        .values("kind")
        .annotate(
            faults=Sum("count"), matches=Count("pk"), latest=Max("match_id"), newest=Max("version__number")
        )
    )
    rows = [FaultsOfKind(**row) for row in counted]
    return sorted(rows, key=lambda row: (-row.faults, list(MEANINGS).index(row.kind)))
