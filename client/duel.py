"""A duel at home: the same boards in the same two seats, swapped, until a sequential test is sure.

It is what `arena.schedule.duel` plans and `arena.ratings.duel` judges, for two bots and company of one's own.
"""

import contextlib
import random
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING, Any

from arena.schedule.seating import swapped
from client.play import Contest, Played, sit_down

if TYPE_CHECKING:
    from arena.ratings.duel import Duel

#: The contest's first two bots are those that it is about, the one that may be better first.
FIRST, SECOND = 0, 1
#: Boards that are played before the two change to other seats: starting programs costs time.
IN_A_ROW = 5


def differences(contest: Contest) -> Iterator[tuple[float, tuple[Played, Played]]]:
    """Board by board: points a deal of the first less those of the second over both seatings, and these.

    Each pair of seats is used equally often, ± `IN_A_ROW` boards. Raises PlatformFailure.
    """
    everybody = range(len(contest.bots))
    chance = random.Random(contest.seed)  # noqa: S311 - the seed is told, so that all of it can be repeated
    pairs = list(combinations(everybody, 2))
    chance.shuffle(pairs)
    for turn, start in enumerate(range(0, contest.boards, IN_A_ROW)):
        boards = range(start, min(start + IN_A_ROW, contest.boards))
        group = swapped(FIRST, SECOND, everybody[2:], pairs[turn % len(pairs)], chance)
        one, other = group.seatings
        before = list(sit_down(contest, one, boards, 1))
        with contextlib.closing(sit_down(contest, other, boards, 2)) as after:
            for block in zip(before, after, strict=True):
                yield _difference(block), block


def _difference(block: tuple[Played, Played]) -> float:
    gap = deals = 0
    for played in block:
        totals = played.record.totals
        gap += totals[played.seating.index(FIRST)] - totals[played.seating.index(SECOND)]
        deals += len(played.record.deals)
    return gap / deals


def judged(values: list[float], planned: int) -> "Duel":
    """How it stands after these boards. Loads numpy."""
    from arena.ratings.duel import duel

    columns: Any = values
    return duel(columns, planned)
