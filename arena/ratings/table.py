"""The published ratings of a pool: one line a competitor, a pure function of the counted results."""

import math
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from arena.ratings.bradley_terry import Fit, fit
from arena.ratings.live import Live, elo_live
from arena.ratings.meetings import Floats, meetings
from arena.ratings.results import Ints, Results
from arena.ratings.student import SURE
from arena.ratings.tally import Tally, points_reach, tally

ELO = 400.0 / math.log(10.0)  # Elo points of a natural unit
MEAN = 1500.0
SCALE = 400.0  # a lead of this many points means ten times the odds
PROVISIONAL_BELOW_BLOCKS = 20
PROVISIONAL_ABOVE_ELO = 100.0  # half the width of the interval


@dataclass(frozen=True)
class Rating:
    """A competitor's line. Numbers are rounded, Elo to 0.01, points to 0.0001, so that what is stored and
    what is recomputed compare equal.

    Attributes:
        competitor: its id.
        place: from 1 within its component; equal Elo shares the better place.
        component: from 0; Elo numbers of different components can't be compared.
        elo: Bradley–Terry over all pairs of each match; the mean of the component is 1500.
        elo_error: its standard error.
        elo_low, elo_high: its 95 % interval.
        provisional: the interval reaches further than 100 Elo to a side, or fewer than 20 blocks were played.
        elo_live: the sequential Elo after its last match, for the history graph.
        points_per_deal: penalty points; lower is better; with its 95 % interval, None
            after a single block.
        score: the share of opponents left behind, ties half: 0 to 1.
        matches, blocks, groups: in how many it took part.
        wins: matches ranked first, alone or shared.
        faults, vacated: summed over its matches.
    """

    competitor: int
    place: int
    component: int
    elo: float
    elo_error: float
    elo_low: float
    elo_high: float
    provisional: bool
    elo_live: float
    points_per_deal: float
    points_low: float | None
    points_high: float | None
    score: float
    matches: int
    blocks: int
    groups: int
    wins: int
    faults: int
    vacated: int


@dataclass(frozen=True)
class Comparison:
    """Two competitors of one component, by their ratings.

    Attributes:
        lead: Elo of the first less Elo of the second, with its standard error and 95 % interval.
        chance: that the first is really the better.
        boards: how many boards more each of the two has to play until the interval of the lead is likely to
            leave 0 out; 0 when it does; None where no number of boards would (equal Elo).
    """

    lead: float
    lead_error: float
    lead_low: float
    lead_high: float
    chance: float
    boards: int | None


@dataclass(frozen=True, eq=False)
class Table:
    """What a pool's results say.

    Attributes:
        ratings: by component (the largest first), then place, then competitor.
        digest: the hash of the results that all of it was computed from.
        components: how many there are; more than one means that the list is several lists.
    """

    results: Results
    fit: Fit
    ratings: tuple[Rating, ...]

    @property
    def digest(self) -> str:
        return self.results.digest

    @property
    def components(self) -> int:
        return int(self.fit.component.max(initial=-1)) + 1

    @cached_property
    def by_competitor(self) -> dict[int, Rating]:
        """Each line by its competitor's id."""
        return {rating.competitor: rating for rating in self.ratings}

    def compare(self, one: int, other: int) -> Comparison | None:
        """Two competitors, by id; None when no chain of matches links them.

        Raises:
            KeyError: one of them played no counted match.
        """
        at, to = self.results.index(one), self.results.index(other)
        if self.fit.component[at] != self.fit.component[to]:
            return None
        lead, error = (ELO * value for value in self.fit.difference(at, to))
        return comparison(lead, error, self.by_competitor[one].blocks, self.by_competitor[other].blocks)


def comparison(lead: float, error: float, one_blocks: int, other_blocks: int) -> Comparison:
    """Two competitors of one component, from their lead in Elo, its standard error and the blocks of each."""
    low, high = lead - SURE * error, lead + SURE * error
    chance = NormalDist().cdf(lead / error) if error else 0.5
    boards = _boards_needed(lead, error, one_blocks, other_blocks)
    return Comparison(
        round(lead, 2), round(error, 2), round(low, 2), round(high, 2), round(chance, 4), boards
    )


def _boards_needed(lead: float, error: float, one: int, other: int) -> int | None:
    """Boards more that each has to play until `lead` is `SURE` errors; the variance goes with 1/boards."""
    if abs(lead) >= SURE * error:
        return 0
    if round(lead, 2) == 0:
        return None
    a_board = error**2 / (1 / one + 1 / other)
    # a_board × (1/(one + x) + 1/(other + x)) = (lead/SURE)², which is a square equation in x.
    ratio = a_board * (SURE / lead) ** 2
    half = (one + other) / 2 - ratio
    return math.ceil(-half + math.sqrt(half**2 - one * other + ratio * (one + other)))


def rate(results: Results, live: Live | None = None) -> Table:
    """The table: the same bytes for the same set of results.

    Args:
        live: of the same results, where it is there already; it takes longer than all the rest.
    """
    fitted, sums, live = fit(results), tally(results), live or elo_live(results)
    columns = _Columns(
        results.competitors,
        fitted.component,
        np.round(MEAN + ELO * fitted.strength, 2),
        ELO * np.sqrt(np.maximum(np.diagonal(fitted.covariance), 0.0)),
        np.round(live.elo, 2),
        points_reach(results, meetings(results), sums),
        sums,
    )
    sizes = np.bincount(fitted.component)[fitted.component] if results.matches else np.zeros(0)
    order = np.lexsort((results.competitors, -columns.elo, fitted.component, -sizes))
    ratings: list[Rating] = []
    component, place = -1, 0
    for at in order.tolist():
        if columns.component[at] != component:
            component, place = int(columns.component[at]), 0
        place += 1
        tied = place > 1 and ratings[-1].elo == columns.elo[at]
        ratings.append(columns.rating(at, ratings[-1].place if tied else place))
    return Table(results, fitted, tuple(ratings))


@dataclass(frozen=True, eq=False)
class _Columns:
    """(k,) each."""

    competitor: Ints
    component: Ints
    elo: Floats
    elo_error: Floats
    elo_live: Floats
    points_reach: Floats
    tally: Tally

    def rating(self, at: int, place: int) -> Rating:
        sums = self.tally
        elo, half = float(self.elo[at]), SURE * float(self.elo_error[at])
        points, spread = sums.points[at] / sums.deals[at], self.points_reach[at]
        known = bool(np.isfinite(spread))
        return Rating(
            competitor=int(self.competitor[at]),
            place=place,
            component=int(self.component[at]),
            elo=elo,
            elo_error=round(float(self.elo_error[at]), 2),
            elo_low=round(elo - half, 2),
            elo_high=round(elo + half, 2),
            provisional=half > PROVISIONAL_ABOVE_ELO or bool(sums.blocks[at] < PROVISIONAL_BELOW_BLOCKS),
            elo_live=float(self.elo_live[at]),
            points_per_deal=round(float(points), 4),
            points_low=round(float(points - spread), 4) if known else None,
            points_high=round(float(points + spread), 4) if known else None,
            score=round(float(sums.half_pairs[at] / (2 * sums.pairs[at])), 4),
            matches=int(sums.matches[at]),
            blocks=int(sums.blocks[at]),
            groups=int(sums.groups[at]),
            wins=int(sums.wins[at]),
            faults=int(sums.faults[at]),
            vacated=int(sums.vacated[at]),
        )
