"""Bradley–Terry on all pairs of each match: who beats whom with which odds, and how sure that is.

Each match of n is its n(n−1)/2 pairs, ties half. One pseudo-draw with a bot of mean strength for everybody
keeps those finite that won or lost everything. The strengths are found by Newton's method, their covariance
by :mod:`arena.ratings.sandwich`.
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.meetings import Floats, Pairs, meetings
from arena.ratings.results import Ints, Results
from arena.ratings.sandwich import sandwich

PRIOR = 1.0  # pseudo-draws with a bot of mean strength
STEP = 2.0  # the most that one step of Newton's moves a strength, in natural units
CLOSE = 1e-12
STEPS = 60


@dataclass(frozen=True, eq=False)
class Fit:
    """Strengths in natural units: a lead of x means odds of e to the x.

    Attributes:
        strength: (k,) with mean 0 within each component.
        covariance: (k, k) of the strengths; 0 between components.
        component: (k,) numbered from 0 by their first competitor: those that are linked by matches.
            Strengths of different components can't be compared.
        pairs: what was fitted.
    """

    strength: Floats
    covariance: Floats
    component: Ints
    pairs: Pairs

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Lead of one index over another, and its standard error, both in natural units."""
        lead = self.strength[one] - self.strength[other]
        variance = self.covariance[one, one] + self.covariance[other, other]
        variance -= 2 * self.covariance[one, other]
        return float(lead), float(np.sqrt(max(variance, 0.0)))


def fit(results: Results) -> Fit:
    """The strengths that explain the results best, and their covariance."""
    met = meetings(results)
    pairs = met.pairs()
    component = components(pairs.met)
    strength, hessian = _newton(pairs)
    covariance = sandwich(met, expected(strength), hessian, PRIOR / 4)
    return Fit(*_centred(strength, covariance, component), component, pairs)


def components(met: Ints) -> Ints:
    """(k,) the number of each competitor's component of the graph of who met whom."""
    number = np.full(len(met), -1, np.int64)
    for first in range(len(met)):
        if number[first] >= 0:
            continue
        found = np.zeros(len(met), np.bool_)
        new = found.copy()
        new[first] = True
        while new.any():
            found |= new
            new = (met[new] > 0).any(axis=0) & ~found
        number[found] = number.max(initial=-1) + 1
    return number


def expected(strength: Floats) -> Floats:
    """(k, k) the score that the row's competitor is expected to make against the column's."""
    chance: Floats = own_chance(strength[:, None] - strength[None, :])
    return chance


def own_chance(lead: Floats) -> Floats:
    """The chance to win with such a lead, in natural units."""
    with np.errstate(over="ignore"):  # odds beyond 1e308 are a sure thing
        chance: Floats = 1.0 / (1.0 + np.exp(-lead))
    return chance


def _newton(pairs: Pairs) -> tuple[Floats, Floats]:
    """The strengths, and the negative Hessian of the log-likelihood (with the prior) there."""
    score = (pairs.won + 0.5 * pairs.drawn).sum(axis=1)
    strength = np.zeros(len(score))
    for _ in range(STEPS):
        chance, own = expected(strength), own_chance(strength)
        gradient = score - (pairs.met * chance).sum(axis=1) + PRIOR * (0.5 - own)
        weight = pairs.met * chance * (1.0 - chance)
        hessian = np.diag(weight.sum(axis=1) + PRIOR * own * (1.0 - own)) - weight
        if np.abs(gradient).max(initial=0.0) <= CLOSE * max(1.0, float(score.max(initial=0.0))):
            return strength, hessian
        strength = strength + np.clip(np.linalg.solve(hessian, gradient), -STEP, STEP)
    raise ArithmeticError(f"no convergence in {STEPS} steps: a bug")


def _centred(strength: Floats, covariance: Floats, component: Ints) -> tuple[Floats, Floats]:
    """Both as differences from the mean of the component."""
    strength, covariance = strength.copy(), covariance.copy()
    for number in range(int(component.max(initial=-1)) + 1):
        members = np.flatnonzero(component == number)
        strength[members] -= strength[members].mean()
        block = covariance[np.ix_(members, members)]
        block = block - block.mean(axis=0)
        covariance[np.ix_(members, members)] = block - block.mean(axis=1, keepdims=True)
    return strength, covariance
