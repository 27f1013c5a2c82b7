"""Two competitors at the same tables: the record of their meetings, and each pair of a whole field."""

from dataclasses import dataclass

from arena.ratings.bradley_terry import Pairs, count_pairs
from arena.ratings.results import Results

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
    """The record of two competitors, by id; all zeros when they never met."""
    return HeadToHead(0, 0, 0, 0, 0, None, None, None, None)  # to be written
