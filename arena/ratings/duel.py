"""Is the one better than the other? A sequential test on the boards of a duel, that may stop early."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from arena.ratings.bradley_terry import Floats
from arena.ratings.results import Results

ALPHA = 0.05  # the chance to name a better one of two equals
BETA = 0.10  # the chance to name none when they differ by `detectable`


class Verdict(StrEnum):
    """How a duel stands."""

    FIRST = "first"  # the first is better
    SECOND = "second"  # the second is better
    NEITHER = "neither"  # no difference was found, and the boards left would hardly show one
    OPEN = "open"  # play on


@dataclass(frozen=True)
class Step:
    """The test after so many boards. `mean`: points a deal of the first less those of the second.

    Play on while `mean` is between `-upper` and `upper` and not between `-inner` and `inner`
    (`inner` is 0 while it can't be too early to give up).
    """

    boards: int
    mean: float
    upper: float
    inner: float


@dataclass(frozen=True)
class Duel:
    """Verdict and trace.

    Attributes:
        boards: how many it used; those after the verdict don't count.
        planned: the most that the test may use.
        mean: points a deal of the first less those of the second over `boards`; below 0 it is better.
        error: its standard error.
        detectable: the difference that `planned` boards show with a chance of 90 %, from the variance so far.
        trace: the test after each board, up to the verdict.
    """

    verdict: Verdict
    boards: int
    planned: int
    mean: float
    error: float
    detectable: float
    trace: tuple[Step, ...]


def differences(results: Results, one: int, other: int) -> Floats:
    """(b,) for each block where both sat, in the order of the plan: points a deal of `one` less those of
    `other`, over all matches of the block. Ids. Raises KeyError for one without a counted match."""
    at, to = results.index(one), results.index(other)
    both = (results.seats == at).any(axis=1) & (results.seats == to).any(axis=1)
    seats, points = results.seats[both], results.points[both]
    gap = (points * (seats == at)).sum(axis=1) - (points * (seats == to)).sum(axis=1)
    block = np.unique(results.blocks[both], return_inverse=True)[1]
    share: Floats = np.bincount(block, gap) / np.bincount(block, results.deals[both])
    return share


def duel(differences: Floats, planned: int) -> Duel:
    """Judge a duel that was planned over so many boards by the boards played so far, in their order.

    The verdict never changes once it is given: boards after it are not looked at. `planned` must be what
    the duel was started with; boards beyond it are not looked at either.
    """
    played = differences[:planned]  # to be written
    mean = float(played.mean()) if len(played) else 0.0
    return Duel(Verdict.OPEN, len(played), planned, mean, 0.0, 0.0, ())
