"""The sequential Elo over columns of results, with everybody's rating after each match: the history graph."""

from dataclasses import dataclass

import numpy as np

from arena.ratings.elo import INITIAL, SCALE, K
from arena.ratings.meetings import Floats
from arena.ratings.results import Ints, Results

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
    """Multi-player Elo in the order of the plan; the formula is that of :mod:`arena.ratings.elo`."""
    points = [initial] * len(results.competitors)
    after = np.empty(results.seats.shape)
    share = k / max(results.players - 1, 1)
    others = [[b for b in range(results.players) if b != a] for a in range(results.players)]
    for start in range(0, results.matches, CHUNK):
        seats = results.seats[start : start + CHUNK].tolist()
        ranks = results.rank[start : start + CHUNK].tolist()
        for row, (seated, ranked) in enumerate(zip(seats, ranks, strict=True), start):
            before = [points[who] for who in seated]
            for place, who in enumerate(seated):
                own, rank, gained = before[place], ranked[place], 0.0
                for other in others[place]:
                    score = 1.0 if rank < ranked[other] else 0.5 if rank == ranked[other] else 0.0
                    gained += score - 1.0 / (1.0 + 10.0 ** ((before[other] - own) / SCALE))
                points[who] = own + share * gained
            after[row] = [points[who] for who in seated]
    return Live(results, np.array(points), after)
