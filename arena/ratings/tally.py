"""What is counted for each competitor, and its penalty points a deal with their interval."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.ratings.meetings import Floats, Meetings
from arena.ratings.points import expected_points
from arena.ratings.results import Ints, Results
from arena.ratings.sandwich import clusters
from arena.ratings.student import reach


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


def points_reach(results: Results, blocks: Meetings, sums: Tally) -> Floats:
    """(k,) half the 95 % interval of points a deal, clustered like the ratings; no number with one cluster.

    Strong company costs points, but who meets whom is the schedule's doing and not luck: what counts is how
    far each cluster is from what the strengths in it make one expect.
    """
    k, n = len(results.competitors), results.players
    cluster = clusters(blocks)[results.blocks]
    count = int(cluster.max(initial=-1)) + 1
    members, points = np.zeros((count, n), np.int64), np.zeros((count, n))
    members[cluster] = results.seats  # the same in all matches of a cluster
    for seat in range(n):
        points[:, seat] = np.bincount(cluster, results.points[:, seat], count)
    deals = np.bincount(cluster, results.deals, count).astype(np.float64)
    surplus = points - expected_points(members, points, deals, k)
    squares = np.bincount(members.ravel(), (surplus**2).ravel(), k)
    seen = np.bincount(members.ravel(), minlength=k)
    with np.errstate(divide="ignore", invalid="ignore"):
        half: Floats = reach(seen) * np.sqrt(squares * seen / (seen - 1)) / sums.deals
    return half
