"""What is counted for each competitor, and its penalty points a deal with their interval."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.ratings.meetings import Floats, Meetings
from arena.ratings.results import Ints, Results
from arena.ratings.sandwich import clusters


@dataclass(frozen=True, eq=False)
class Tally:
    """(k,) sums over the matches of each competitor: whole numbers, so that no order of adding shows.

    Attributes:
        matches, blocks, groups: in how many it took part.
        wins: matches ranked first, alone or shared.
        half_pairs: twice the opponents left behind, ties half; of `2 * pairs`.
        deals, points: of all its matches.
    """

    matches: Ints
    blocks: Ints
    groups: Ints
    wins: Ints
    faults: Ints
    vacated: Ints
    pairs: Ints
    half_pairs: Ints
    deals: Ints
    points: Ints


def tally(results: Results) -> Tally:
    """Everybody's sums."""
    k, n, rank = len(results.competitors), results.players, results.rank
    everyone = results.seats.ravel()

    def total(values: NDArray[Any]) -> Ints:
        # bincount adds weights as floats, which is exact for whole numbers up to 2**53.
        weights = np.broadcast_to(values, results.seats.shape).ravel()
        return np.bincount(everyone, weights, k).astype(np.int64)

    def distinct(numbers: Ints) -> Ints:
        first = np.diff(numbers, prepend=-1) > 0
        return np.bincount(results.seats[first].ravel(), minlength=k)

    matches = np.bincount(everyone, minlength=k)
    half_pairs = np.zeros(rank.shape, np.int8)
    for other in range(n):
        half_pairs += 2 * (rank < rank[:, [other]]) + (rank == rank[:, [other]])
    return Tally(
        matches=matches,
        blocks=distinct(results.blocks),
        groups=distinct(results.groups),
        wins=total(rank == 1),
        faults=total(results.faults),
        vacated=total(results.vacated),
        pairs=matches * (n - 1),
        half_pairs=total(half_pairs) - matches,  # less the tie with itself
        deals=total(results.deals[:, None]),
        points=total(results.points),
    )


def points_error(results: Results, blocks: Meetings, sums: Tally) -> Floats:
    """(k,) the standard error of points a deal, clustered like the ratings; not a number with one cluster."""
    k = len(results.competitors)
    cluster = clusters(blocks)[results.blocks]
    count = int(cluster.max(initial=-1)) + 1
    a_deal = sums.points / np.maximum(sums.deals, 1)
    squares, seen = np.zeros(k), np.zeros(k)
    for seat in range(results.players):
        who = results.seats[:, seat]
        surplus = results.points[:, seat] - a_deal[who] * results.deals
        # The members of a cluster are the same everywhere, so its first match names them.
        member = np.zeros(count, np.int64)
        member[cluster] = who
        squares += np.bincount(member, np.bincount(cluster, surplus, count) ** 2, k)
        seen += np.bincount(member, minlength=k)
    with np.errstate(divide="ignore", invalid="ignore"):
        error: Floats = np.sqrt(squares * seen / (seen - 1)) / sums.deals
    return error
