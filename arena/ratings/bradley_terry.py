"""Bradley–Terry on all pairs of each match: who beats whom with which odds, and how sure that is.

Each match of n is its n(n−1)/2 pairs, ties half. A pseudo-draw with a bot of mean strength for everybody
keeps those finite that won or lost everything. The strengths are found by Newton's method; their covariance
is the sandwich, clustered, because the pairs of a match and the matches of a board aren't independent.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from arena.ratings.results import Ints, Results

Floats = NDArray[np.float64]

PRIOR = 1.0  # pseudo-draws with a bot of mean strength
STEP = 2.0  # the most that one step of Newton's moves a strength, in natural units
CLOSE = 1e-10
STEPS = 50


@dataclass(frozen=True, eq=False)
class Pairs:
    """Who met whom: pairs of seats at one table, counted over all matches.

    Attributes:
        met: (k, k) times that two sat at one table; symmetric.
        won: (k, k) times that the row's competitor ranked better than the column's.
    """

    met: Ints
    won: Ints

    @cached_property
    def drawn(self) -> Ints:
        """(k, k) times that both ranked the same; symmetric."""
        return self.met - self.won - self.won.T


def count_pairs(results: Results) -> Pairs:
    """The cross table of the results."""
    k = len(results.competitors)
    met, won = np.zeros(k * k, np.int64), np.zeros(k * k, np.int64)
    seats, rank = results.seats.astype(np.int64), results.rank
    for one in range(results.players):
        for other in range(one + 1, results.players):
            cell = seats[:, one] * k + seats[:, other]
            met += np.bincount(cell, minlength=k * k)
            won += np.bincount(cell[rank[:, one] < rank[:, other]], minlength=k * k)
            lost = rank[:, one] > rank[:, other]
            won += np.bincount(seats[lost, other] * k + seats[lost, one], minlength=k * k)
    square = met.reshape(k, k)
    return Pairs(square + square.T, won.reshape(k, k))


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
    pairs = count_pairs(results)
    component = components(pairs.met)
    strength, hessian = _newton(pairs)
    covariance = _sandwich(results, strength, hessian)
    centre = _centring(component)
    return Fit(centre @ strength, centre @ covariance @ centre.T, component, pairs)


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


def _centring(component: Ints) -> Floats:
    """(k, k) the projection that takes the mean of its component from each entry."""
    same = component[:, None] == component[None, :]
    centre: Floats = np.eye(len(component)) - same / same.sum(axis=1, keepdims=True).astype(np.float64)
    return centre


def expected(strength: Floats) -> Floats:
    """(k, k) the score that the row's competitor is expected to make against the column's."""
    with np.errstate(over="ignore"):  # odds beyond 1e308 are a sure thing
        chance: Floats = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
    return chance


def _newton(pairs: Pairs) -> tuple[Floats, Floats]:
    """The strengths, and the negative Hessian of the log-likelihood there."""
    k = len(pairs.met)
    score = (pairs.won + 0.5 * pairs.drawn).sum(axis=1)
    strength = np.zeros(k)
    hessian = np.eye(k)
    for _ in range(STEPS):
        chance = expected(strength)
        own = 1.0 / (1.0 + np.exp(-strength))
        gradient = score - (pairs.met * chance).sum(axis=1) + PRIOR * (0.5 - own)
        weight = pairs.met * chance * (1.0 - chance)
        hessian = np.diag(weight.sum(axis=1) + PRIOR * own * (1.0 - own)) - weight
        if np.abs(gradient).max(initial=0.0) < CLOSE * max(1.0, float(score.max(initial=0.0))):
            break
        strength = strength + np.clip(np.linalg.solve(hessian, gradient), -STEP, STEP)
    return strength, hessian


def _sandwich(results: Results, strength: Floats, hessian: Floats) -> Floats:
    inverse: Floats = np.linalg.inv(hessian)
    return inverse
