"""Does a bot do better than expected when a certain other sits at the table? A report against collusion."""

from dataclasses import dataclass
from enum import StrEnum

from arena.ratings.results import Results

LEVEL = 0.005  # the chance that a report on honest bots names anybody
PERMUTATIONS = 999


class Effect(StrEnum):
    """What two do to each other at one table."""

    TRANSFER = "transfer"  # the first does better, at the cost of the second
    TOGETHER = "together"  # both do better, at the cost of the rest


@dataclass(frozen=True)
class Partners:
    """A conspicuous pair, by ids.

    Attributes:
        one, other: of a transfer, `one` gains and `other` gives.
        matches, groups: where they met.
        one_gain, other_gain: points a deal that each does better than expected when they meet.
        p: the chance to see so large an effect anywhere in the report when all are honest.
    """

    effect: Effect
    one: int
    other: int
    matches: int
    groups: int
    one_gain: float
    other_gain: float
    p: float


def partner_effects(
    results: Results, seed: int, *, level: float = LEVEL, permutations: int = PERMUTATIONS
) -> tuple[Partners, ...]:
    """The pairs whose effect is too large for chance, the surest first; empty for an honest pool, but for a
    chance of `level` over the whole report.

    Args:
        seed: of the permutations; the same seed gives the same report.
    """
    return ()  # to be written
