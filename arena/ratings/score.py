"""The interval of a score: the share of opponents left behind, in a pool or a tournament."""

import numpy as np

from arena.ratings.bradley_terry import Fit, expected
from arena.ratings.meetings import Floats, meetings
from arena.ratings.results import Results
from arena.ratings.sandwich import clusters
from arena.ratings.student import reach

Interval = tuple[float | None, float | None]


def score_intervals(results: Results, fit: Fit) -> list[Interval]:
    """The ends of each competitor's 95 % interval, in their order: within 0 to 1, rounded to 0.0001; None for
    both where there is a single cluster.

    Clustered like the ratings. Strong company costs score, but who meets whom is the schedule's doing and not
    luck: what counts is how far each cluster is from what the strengths in it make one expect.
    """
    blocks = meetings(results)
    rows = blocks.merged(clusters(blocks))
    chance = expected(fit.strength)
    won, surplus = np.zeros(rows.members.shape), np.zeros(rows.members.shape)
    for column, (a, b) in rows.couples():
        score = 0.5 * (rows.matches + rows.won[:, column] - rows.lost[:, column])
        gap = score - rows.matches * chance[rows.members[:, a], rows.members[:, b]]
        won[:, a] += score
        won[:, b] += rows.matches - score
        surplus[:, a] += gap
        surplus[:, b] -= gap
    everyone, k, n = rows.members.ravel(), rows.size, rows.members.shape[1]
    pairs = np.bincount(everyone, np.repeat(rows.matches * (n - 1), n), k)
    seen = np.bincount(everyone, minlength=k)
    squares = np.bincount(everyone, (surplus**2).ravel(), k)
    with np.errstate(divide="ignore", invalid="ignore"):
        half: Floats = reach(seen) * np.sqrt(squares * seen / (seen - 1)) / pairs
    middle = np.bincount(everyone, won.ravel(), k) / pairs
    low, high = np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
    return [
        (round(float(one), 4), round(float(other), 4)) if known else (None, None)
        for one, other, known in zip(low, high, np.isfinite(half), strict=True)
    ]
