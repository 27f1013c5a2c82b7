"""The covariance of strengths when the pairs of a match, and the matches of a company, hang together.

The estimate is the jackknife's in one step (known as CR3): what each cluster adds to the gradient, divided by
what it leaves to the others, so that few clusters don't look surer than they are (Bell and McCaffrey 2002).
"""

import numpy as np

from arena.ratings.meetings import Floats, Meetings
from arena.ratings.results import Ints

#: With fewer companies than this, a bot's groups are too few to judge by, and their boards are taken instead.
FEWEST_COMPANIES = 10


def sandwich(blocks: Meetings, chance: Floats, hessian: Floats, prior: float) -> Floats:
    """(k, k) the covariance of the strengths.

    Args:
        blocks: one row a block.
        chance: (k, k) the score that the row's competitor is expected to make against the column's.
        hessian: (k, k) of the negative log-likelihood, with the prior.
        prior: the variance of what the prior adds to each competitor's gradient: a pseudo-draw may as well
            have been won or lost. It matters where little is known, as of one who won or drew everything.
    """
    inverse = np.linalg.inv(hessian).astype(np.float64)
    rows = blocks.merged(clusters(blocks))
    n = rows.members.shape[1]
    gradient = np.zeros(rows.members.shape)
    weight = np.zeros((*rows.members.shape, n))
    for column, (a, b) in rows.couples():
        p = chance[rows.members[:, a], rows.members[:, b]]
        # Won, and half of those drawn, less what was expected.
        surplus = 0.5 * (rows.matches + rows.won[:, column] - rows.lost[:, column]) - rows.matches * p
        gradient[:, a] += surplus
        gradient[:, b] -= surplus
        information = rows.matches * p * (1 - p)
        weight[:, a, b] = weight[:, b, a] = -information
        weight[:, a, a] += information
        weight[:, b, b] += information
    within = inverse[rows.members[:, :, None], rows.members[:, None, :]]
    rest = np.eye(n) - weight @ within
    adjusted = np.linalg.solve(rest, gradient[:, :, None])[:, :, 0]
    k = blocks.size
    middle = np.diag(np.full(k, prior))
    for a in range(n):
        for b in range(n):
            cell = rows.members[:, a] * k + rows.members[:, b]
            middle += np.bincount(cell, adjusted[:, a] * adjusted[:, b], k * k).reshape(k, k)
    covariance: Floats = inverse @ middle @ inverse
    return covariance


def clusters(blocks: Meetings) -> Ints:
    """(r,) the number of each block's cluster.

    All that the same members played is one cluster, in however many groups: how they suit each other is the
    same there each time. That needs many such companies for every member; where one has few, the blocks are
    clusters of their own.
    """
    company = np.zeros(len(blocks.members), np.int64)
    for column in blocks.members.T:  # numbered anew with each column, so that no number grows too large
        company = np.unique(company * blocks.size + column, return_inverse=True)[1].reshape(-1)
    of_company = np.zeros((int(company.max(initial=-1)) + 1, blocks.members.shape[1]), np.int64)
    of_company[company] = blocks.members
    companies = np.bincount(of_company.ravel(), minlength=blocks.size)
    few = (companies[blocks.members] < FEWEST_COMPANIES).any(axis=1)
    label = np.where(few, len(company) + np.arange(len(company)), company)
    numbers: Ints = np.unique(label, return_inverse=True)[1].reshape(-1)
    return numbers
