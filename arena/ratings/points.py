"""Penalty points a deal as expected: what a bot takes itself, and what each of its opponents leaves it.

Two terms more bend the sum (Tukey 1949): two weak bots at one table share what each would take alone.
"""

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.results import Ints

_RIDGE = 1e-9  # where who met whom leaves the parts open, the smallest will do


def expected_points(members: Ints, points: Floats, deals: Floats, bots: int) -> Floats:
    """(r, n) the points that each member of each row is expected to take, from all rows together: fitted by
    least squares, weighted by deals.

    Args:
        members: (r, n) indices below `bots`; those of a row differ.
        points: (r, n) points that they took in this row, and `deals` (r,) the deals they took them in.
    """
    if not len(members):
        return points
    parts = _Parts(members, deals, bots)
    a_deal = points / deals[:, None]
    straight, takes = parts.fit(a_deal)
    own = (takes - takes.mean())[members]
    others = own.sum(axis=1, keepdims=True) - own
    # What the bends explain beyond the parts, and how much of it there is in what the parts leave over.
    bends = [bend - parts.fit(bend)[0] for bend in (own * others, others**2)]
    scale = np.sqrt(deals)[:, None]
    design = np.stack([(bend * scale).ravel() for bend in bends], axis=1)
    square = design.T @ design
    # Where all meet all alike there is nothing to bend, and rounding must not look like something.
    square[np.diag_indices(2)] += _RIDGE * float((own**2 * scale**2).sum()) + 1e-300
    amounts = np.linalg.solve(square, design.T @ ((a_deal - straight) * scale).ravel())
    expected: Floats = (straight + bends[0] * amounts[0] + bends[1] * amounts[1]) * deals[:, None]
    return expected


class _Parts:
    """The normal equations of: own part + the parts of the opponents.

    played × takes + met × leaves = own sums; met × takes + both × leaves = sums of the others.
    """

    def __init__(self, members: Ints, deals: Floats, bots: int) -> None:
        self.members, self.deals, self.bots = members, deals, bots
        n = members.shape[1]
        self.played = np.maximum(np.bincount(members.ravel(), np.repeat(deals, n), bots), 1.0)
        met = np.zeros((bots, bots))
        for a in range(n):
            for b in range(a + 1, n):
                cell = members[:, a] * bots + members[:, b]
                met += np.bincount(cell, deals, bots**2).reshape(bots, bots)
        met += met.T
        both = (n - 2) * met + np.diag((n - 1 + _RIDGE) * self.played)
        self.shares = met / self.played[:, None]
        self.left = both - met @ self.shares

    def fit(self, a_deal: Floats) -> tuple[Floats, Floats]:
        """(r, n) values a deal as sums of parts, and (bots,) the own parts."""
        members, weighted = self.members, a_deal * self.deals[:, None]
        rest = weighted.sum(axis=1, keepdims=True) - weighted
        own, others = (np.bincount(members.ravel(), side.ravel(), self.bots) for side in (weighted, rest))
        leaves = np.linalg.solve(self.left, others - own @ self.shares)
        takes = own / self.played - self.shares @ leaves
        left = leaves[members]
        return takes[members] + left.sum(axis=1, keepdims=True) - left, takes
