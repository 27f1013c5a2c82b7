"""Penalty points a deal as a sum: what a bot takes itself, and what each of its opponents leaves it."""

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.results import Ints

_RIDGE = 1e-9  # where who met whom leaves the parts open, the smallest will do


def expected_points(members: Ints, points: Floats, deals: Floats, bots: int) -> Floats:
    """(r, n) the points that each member of each row is expected to take, from its own part and those of its
    opponents in that row: fitted by least squares, weighted by deals.

    Args:
        members: (r, n) indices below `bots`; those of a row differ.
        points: (r, n) points that they took in this row, and `deals` (r,) the deals they took them in.
    """
    n = members.shape[1]
    flat = members.ravel()
    played = np.bincount(flat, np.repeat(deals, n), bots)
    met = np.zeros((bots, bots))
    for a in range(n):
        for b in range(a + 1, n):
            met += np.bincount(members[:, a] * bots + members[:, b], deals, bots**2).reshape(bots, bots)
    met += met.T
    own = np.bincount(flat, points.ravel(), bots)
    others = np.bincount(flat, (points.sum(axis=1, keepdims=True) - points).ravel(), bots)
    # The normal equations: played × takes + met × leaves = own; met × takes + both × leaves = others.
    both = (n - 2) * met + np.diag((n - 1) * played)
    shares = met / np.maximum(played, 1.0)[:, None]
    left = both - met @ shares + np.diag(_RIDGE * np.maximum(played, 1.0))
    leaves = np.linalg.solve(left, others - own @ shares)
    takes = own / np.maximum(played, 1.0) - shares @ leaves
    opposition = leaves[members].sum(axis=1, keepdims=True) - leaves[members]
    expected: Floats = (takes[members] + opposition) * deals[:, None]
    return expected
