"""Penalty points as shares of what a table gives out: each point finds its taker by one weight for each bot.

So shares stay between nothing and all, however far apart strengths are; and two weak bots at one table share
what each would take alone, which sums of parts don't know.
"""

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.results import Ints

PRIOR = 1.0  # so many points shared with a bot of weight 1: nobody's weight is 0
STEPS = 100
LONGEST = 1.0  # the most that one step of Newton's moves a level, in natural units


def shares(members: Ints, points: Floats, bots: int) -> Floats:
    """(r, n) the share that each member of each row is expected to take of the row's points, by the likeliest
    weights (multinomial logit, by Newton's method).

    Args:
        members: (r, n) indices below `bots`; those of a row differ.
        points: (r, n) points that they took in this row.

    Raises:
        ArithmeticError: no convergence: a bug.
    """
    n = members.shape[1]
    who, given = members.ravel(), points.sum(axis=1, keepdims=True)
    took, usual = (np.bincount(who, each.ravel(), bots) for each in (points, (given / n).repeat(n, axis=1)))
    level = np.log((took + PRIOR) / (usual + PRIOR))
    a, b = np.triu_indices(n, 1)
    cells = (members[:, a] * bots + members[:, b]).ravel()
    for _ in range(STEPS):
        share = _share(level[members])
        half = 1.0 / (1.0 + np.exp(-level))
        slope = took - np.bincount(who, (given * share).ravel(), bots) + PRIOR * (0.5 - half)
        common = (given * share[:, a] * share[:, b]).ravel()
        met = np.bincount(cells, common, bots**2).reshape(bots, bots)
        own = np.bincount(who, (given * share * (1.0 - share)).ravel(), bots)
        bend = np.diag(own + PRIOR * half * (1.0 - half)) - met - met.T
        step = np.clip(np.linalg.solve(bend, slope), -LONGEST, LONGEST)
        if np.abs(step).max() < 1e-8:
            return share
        level = level + step
    raise ArithmeticError(f"no convergence in {STEPS} steps: a bug")


def _share(level: Floats) -> Floats:
    weight = np.exp(level - level.max(axis=1, keepdims=True))
    found: Floats = weight / weight.sum(axis=1, keepdims=True)
    return found
