"""Two competitors at the same tables: the record of their meetings, and each pair of a whole field."""

import math
from dataclasses import dataclass

import numpy as np

from arena.ratings.duel import differences
from arena.ratings.meetings import Pairs, count_pairs
from arena.ratings.results import Results
from arena.ratings.student import SURE, reach

__all__ = ["HeadToHead", "Pairs", "count_pairs", "head_to_head"]


@dataclass(frozen=True)
class HeadToHead:
    """How two did at the tables where both sat.

    Attributes:
        matches, boards: where they met.
        won, drawn, lost: matches in which the first ranked better, the same, worse.
        points: penalty points a deal of the first less those of the second (below 0: the first is better),
            mean over boards; with its 95 % interval, None with fewer than two boards.
        boards_needed: how many boards more they have to meet on until that interval is likely to leave 0
            out, from the variance from board to board; 0 when it does, None when it can't be said.
    """

    matches: int
    boards: int
    won: int
    drawn: int
    lost: int
    points: float | None
    points_low: float | None
    points_high: float | None
    boards_needed: int | None


def head_to_head(results: Results, one: int, other: int) -> HeadToHead:
    """The record of two competitors, by id.

    Raises:
        KeyError: one of them played no counted match.
    """
    at, to = results.index(one), results.index(other)
    met = (results.seats == at).any(axis=1) & (results.seats == to).any(axis=1)
    rank, seats = results.rank[met], results.seats[met]
    ahead = np.sign((rank * (seats == to)).sum(axis=1) - (rank * (seats == at)).sum(axis=1))
    won, drawn, lost = (int((ahead == sign).sum()) for sign in (1, 0, -1))
    gaps = differences(results, one, other)
    points, half = (float(gaps.mean()) if len(gaps) else None), None
    if len(gaps) > 1:
        half = float(reach(len(gaps)) * gaps.std(ddof=1)) / math.sqrt(len(gaps))
    return HeadToHead(
        len(rank),
        len(gaps),
        won,
        drawn,
        lost,
        _rounded(points),
        _rounded(points - half) if points is not None and half is not None else None,
        _rounded(points + half) if points is not None and half is not None else None,
        _boards_needed(points, half, len(gaps)) if points is not None and half is not None else None,
    )


def _boards_needed(points: float, half: float, boards: int) -> int | None:
    """The interval narrows with the root of the boards, and as the variance is better known, until it is as
    wide as the difference."""
    if round(points, 4) == 0.0:
        return None
    spread = half * math.sqrt(boards) / float(reach(boards)) / abs(points)
    needed = max(boards, math.ceil((SURE * spread) ** 2))
    while float(reach(needed)) * spread > math.sqrt(needed):  # a few steps: Student's is not far
        needed += 1
    return needed - boards


def _rounded(points: float | None) -> float | None:
    return None if points is None else round(points, 4)
