"""Is the one better than the other? A sequential test on the boards of a duel, that may stop early.

The two swap seats on each board, with the same others and the same luck; what counts is the difference of
their points, board by board. The test is group-sequential with a look after each board (O'Brien and Fleming
1979). The sum of the differences, as a Brownian motion that has run for 1 when all planned boards are played,
names the better one where it leaves ±`LIMIT`; the duel is given up when it would hardly leave it any more.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.results import Results
from arena.ratings.student import student

ALPHA = 0.05  # the chance to name a better one of two equals
BETA = 0.10  # the chance to name none when they differ by `detectable`
LIMIT = 2.2414  # a Brownian motion leaves ± this before 1 with a chance of ALPHA
DRIFT = 3.55  # with this drift it leaves it on the right side with a chance of 1 - BETA, giving up included
HOPE = 0.1  # give up where the chance to leave it yet is below this, for both drifts
FIRST_LOOK = 10  # boards before the first look: fewer don't show how much boards differ

_NORMAL = NormalDist()
_HOPE = _NORMAL.inv_cdf(HOPE)


class Verdict(StrEnum):
    """How a duel stands."""

    FIRST = "first"  # the first is better
    SECOND = "second"  # the second is better
    NEITHER = "neither"  # no difference was found, and the boards left would hardly show one
    OPEN = "open"  # play on


@dataclass(frozen=True)
class Step:
    """The test after so many boards. `mean`: points a deal of the first less those of the second.

    Play on while `mean` is between `-outer` and `outer`, and not between `-inner` and `inner` (`inner` is 0
    while it is too early to give up).
    """

    boards: int
    mean: float
    outer: float
    inner: float


@dataclass(frozen=True)
class Duel:
    """Verdict and trace. Points are rounded to 0.0001.

    Attributes:
        boards: how many it used; those after the verdict don't count.
        planned: the most that the test may use.
        mean: points a deal of the first less those of the second over `boards`; below 0 it is better.
        error: its standard error.
        detectable: the difference that `planned` boards show with a chance of 90 %, from the variance so far.
        trace: the test after each board from the tenth on, up to the verdict.
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
    block = np.unique(results.blocks[both], return_inverse=True)[1].reshape(-1)
    share: Floats = np.bincount(block, gap) / np.bincount(block, results.deals[both])
    return share


def duel(differences: Floats, planned: int) -> Duel:
    """Judge a duel that was planned over so many boards by the boards played so far, in their order.

    The verdict never changes once it is given: boards after it are not looked at. `planned` must be what the
    duel was started with: boards beyond it are not looked at either, and to plan more because of what was
    seen would be another test, on the further boards alone.

    Raises:
        ValueError: `planned` is less than the boards of the first look.
    """
    if planned < FIRST_LOOK:
        raise ValueError(f"a duel needs at least {FIRST_LOOK} boards")
    mean, error = _running(np.asarray(differences, np.float64)[:planned])
    played = len(mean)
    outer, inner = (error * bound[:played] for bound in bounds(planned))
    named = (np.abs(mean) >= outer) & (error > 0.0)
    ends = named | (np.abs(mean) < inner)
    ends[: FIRST_LOOK - 1] = False
    ends[planned - 1 :] = True
    last = int(np.argmax(ends)) if ends.any() else played - 1
    if last < 0:
        return Duel(Verdict.OPEN, 0, planned, 0.0, 0.0, 0.0, ())
    verdict = Verdict.NEITHER if ends[last] else Verdict.OPEN
    if ends[last] and named[last]:
        verdict = Verdict.FIRST if mean[last] < 0 else Verdict.SECOND
    looks = slice(FIRST_LOOK - 1, last + 1)
    told = [np.round(column[looks], 4).tolist() for column in (mean, outer, inner)]
    return Duel(
        verdict,
        last + 1,
        planned,
        round(float(mean[last]), 4),
        round(float(error[last]), 4),
        round(DRIFT * float(error[last]) * math.sqrt((last + 1) / planned), 4),
        tuple(Step(*step) for step in zip(range(FIRST_LOOK, last + 2), *told, strict=True)),
    )


def _running(values: Floats) -> tuple[Floats, Floats]:
    """(b,) the mean of the first 1, 2, … values, and its standard error."""
    count = np.arange(1, len(values) + 1)
    shifted = values - values[:1].sum()  # so that a large mean does not drown a small variance
    mean = np.cumsum(shifted) / count
    squares = np.maximum(np.cumsum(shifted**2) - count * mean**2, 0.0)
    return mean + values[:1].sum(), np.sqrt(squares / np.maximum(count - 1, 1) / count)


def bounds(planned: int) -> tuple[Floats, Floats]:
    """(planned,) after 1, 2, … boards: how many standard errors the mean must be from 0 to name the better
    one, and how few to give up (0: not yet)."""
    count = np.arange(1, planned + 1)
    time = count / planned
    inner = LIMIT - DRIFT * (1.0 - time) + _HOPE * np.sqrt(1.0 - time)
    levels = np.full(planned, LIMIT), np.maximum(inner, 0.0)
    outer, inner = (student(level / np.sqrt(time), np.maximum(count - 1, 1)) for level in levels)
    return outer, inner
