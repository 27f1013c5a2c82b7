"""Elo that moves after each match, for tables of more than two: the history graph.

A match of n is its n(n−1)/2 pairs: the better rank beats the worse, equal ranks draw. A pair moves each of
the two by K/(n−1) × (score − expected score), so a match moves nobody by more than K whatever n is. All pairs
of a match are judged by the ratings before it. The order of the matches matters to this formula, so it is
that of the plan and never depends on which worker finished first.
"""

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.results import Ints, Results

SCALE = 400.0  # a lead of this many points means ten times the odds
INITIAL = 1500.0
K = 16.0
CHUNK = 10_000  # matches that are plain Python numbers at a time


@dataclass(frozen=True, eq=False)
class Live:
    """Everybody's sequential Elo.

    Attributes:
        elo: (k,) after their last match.
        after: (m, n) the rating of each of `results.seats` after the match.
    """

    results: Results
    elo: Floats
    after: Floats

    def history(self, competitor: int) -> tuple[Ints, Floats]:
        """How a competitor's rating went, by its id: after each block in which it took part, in the order of
        the plan. Gives the index of the block's last match in `results`, and the rating.

        Raises:
            KeyError: it played no counted match.
        """
        match, seat = np.nonzero(self.results.seats == self.results.index(competitor))
        blocks = self.results.blocks[match]
        last = np.append(blocks[1:] != blocks[:-1], True)
        return match[last], self.after[match[last], seat[last]]


def elo_live(results: Results, k: float = K, initial: float = INITIAL) -> Live:
    """Everybody's rating, from `initial` on. The mean of the pool stays there."""
    points = [initial] * len(results.competitors)
    after = np.empty(results.seats.shape)
    share, rate = k / max(results.players - 1, 1), math.log(10.0) / SCALE
    couples = list(combinations(range(results.players), 2))
    for start in range(0, results.matches, CHUNK):
        seats, ranks = (column[start : start + CHUNK] for column in (results.seats, results.rank))
        scores = [0.5 + 0.5 * np.sign(ranks[:, b] - ranks[:, a]) for a, b in couples]
        rows = zip(seats.tolist(), np.stack(scores, axis=1).tolist(), strict=True)
        for row, (seated, scored) in enumerate(rows, start):
            before = [points[who] for who in seated]
            now = before.copy()
            for (a, b), score in zip(couples, scored, strict=True):
                gain = share * (score - 1.0 / (1.0 + math.exp(rate * (before[b] - before[a]))))
                now[a] += gain
                now[b] -= gain
            for who, value in zip(seated, now, strict=True):
                points[who] = value
            after[row] = now
    return Live(results, np.array(points), after)
