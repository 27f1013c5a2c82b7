"""Elo for tables of more than two, recomputed from all results in the order of their keys.

A match of n is its n(n−1)/2 pairs: the better rank beats the worse, equal ranks draw. A pair moves each of
the two by K/(n−1) × (score − expected score), so a match moves nobody by more than K whatever n is. All pairs
of a match are judged by the ratings before it. The order of the matches matters to this formula, so it is
fixed here, by key, and never depends on which worker finished first.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

Competitor = TypeVar("Competitor", bound="SupportsRichComparison")

SCALE = 400.0  # a lead of this many points means ten times the odds
INITIAL = 1500.0
K = 16.0


@dataclass(frozen=True)
class MatchResult(Generic[Competitor]):
    """How one match ended: each competitor's rank (1 is best, equal ranks share).

    `key` is unique to the match and gives its place in the order of computation.
    """

    key: "SupportsRichComparison"
    placings: tuple[tuple[Competitor, int], ...]

    def __post_init__(self) -> None:
        """Refuse what is no result of a match (raises ValueError, naming the key)."""
        if len(self.placings) < 2:
            raise ValueError(f"match {self.key!r}: a result needs at least two competitors")
        names = sorted(competitor for competitor, _ in self.placings)
        for one, other in pairwise(names):
            if one == other:
                raise ValueError(f"match {self.key!r}: {one!r} can't be rated against itself")


@dataclass(frozen=True)
class Rating:
    """`elo` in points; `matches` counted; `wins`, the matches ranked first, alone or shared."""

    elo: float
    matches: int
    wins: int


def elo(
    results: Iterable[MatchResult[Competitor]], k: float = K, initial: float = INITIAL
) -> dict[Competitor, Rating]:
    """The rating of everybody who appears in `results`, in the order of the competitors.

    The same set of results gives the same floats, bit for bit, in whatever order they, or the placings in
    them, are given. The mean of the pool stays `initial`, up to rounding.

    Raises:
        ValueError: two results have the same key.
    """
    ordered = sorted(results, key=lambda result: result.key)
    points: dict[Competitor, float] = {}
    matches: dict[Competitor, int] = {}
    wins: dict[Competitor, int] = {}
    previous: MatchResult[Competitor] | None = None
    for result in ordered:
        if previous is not None and previous.key == result.key:
            raise ValueError(f"match {result.key!r} is given twice")
        previous = result
        for competitor, rank in result.placings:
            matches[competitor] = matches.get(competitor, 0) + 1
            wins[competitor] = wins.get(competitor, 0) + (rank == 1)
        points.update(_after(result.placings, points, k, initial))
    return {name: Rating(points[name], matches[name], wins[name]) for name in sorted(points)}


def _after(
    placings: tuple[tuple[Competitor, int], ...], points: dict[Competitor, float], k: float, initial: float
) -> dict[Competitor, float]:
    """The ratings of those at one table after it, from the ratings before it."""
    before = [(competitor, rank, points.get(competitor, initial)) for competitor, rank in placings]
    share = k / (len(before) - 1)
    return {
        # fsum is exact before its one rounding, so the order of the opponents can't show.
        competitor: own
        + share
        * math.fsum(
            _score(rank, other_rank) - expected_score(own, theirs)
            for other, other_rank, theirs in before
            if other != competitor
        )
        for competitor, rank, own in before
    }


def _score(rank: int, other: int) -> float:
    return 1.0 if rank < other else 0.5 if rank == other else 0.0


def expected_score(own: float, theirs: float) -> float:
    """What Elo expects of a meeting: 1 is a sure win, 0.5 even, 0 a sure loss."""
    return 1.0 / (1.0 + math.pow(10.0, (theirs - own) / SCALE))
