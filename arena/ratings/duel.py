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
    gaps = np.asarray(differences, np.float64)[:planned]
    count = np.arange(1, len(gaps) + 1)
    mean = np.cumsum(gaps) / np.maximum(count, 1)
    # Sums of squares around the first difference, so that large means don't drown small variances.
    shifted = gaps - gaps[:1].sum()
    squares = np.cumsum(shifted**2) - np.cumsum(shifted) ** 2 / count
    error = np.sqrt(np.maximum(squares, 0.0) / np.maximum(count - 1, 1) / count)
    trace: list[Step] = []
    verdict = Verdict.OPEN
    for at in range(FIRST_LOOK - 1, len(gaps)):
        outer, inner = (float(error[at]) * bound for bound in bounds(at + 1, planned))
        trace.append(_step(at + 1, float(mean[at]), outer, inner))
        verdict = _verdict(float(mean[at]), outer, inner, final=at + 1 == planned)
        if verdict is not Verdict.OPEN:
            break
    last = trace[-1].boards - 1 if trace else len(gaps) - 1
    if last < 0:
        return Duel(verdict, 0, planned, 0.0, 0.0, 0.0, ())
    spread = float(error[last]) * math.sqrt(last + 1)
    return Duel(
        verdict,
        last + 1,
        planned,
        round(float(mean[last]), 4),
        round(float(error[last]), 4),
        round(DRIFT * spread / math.sqrt(planned), 4),
        tuple(trace),
    )


def _step(boards: int, mean: float, outer: float, inner: float) -> Step:
    return Step(boards, round(mean, 4), round(outer, 4), round(inner, 4))


def _verdict(mean: float, outer: float, inner: float, *, final: bool) -> Verdict:
    if outer > 0.0 and abs(mean) >= outer:
        return Verdict.FIRST if mean < 0 else Verdict.SECOND
    return Verdict.NEITHER if final or abs(mean) < inner else Verdict.OPEN


def bounds(boards: int, planned: int) -> tuple[float, float]:
    """How many standard errors the mean must be from 0 after so many boards to name the better one, and how
    few to give up (0: not yet)."""
    time = boards / planned
    left = 1.0 - time
    inner = LIMIT - DRIFT * left + _HOPE * math.sqrt(left)
    outer, inner = (_student(max(0.0, level) / math.sqrt(time), boards - 1) for level in (LIMIT, inner))
    return outer, inner


def _student(normal: float, freedom: int) -> float:
    """The quantile of Student's distribution that is as unlikely as the normal one (Wallace 1959)."""
    scaled = normal * (8 * freedom + 3) / (8 * freedom + 1)
    return math.sqrt(freedom * math.expm1(min(scaled**2 / freedom, 600.0)))
