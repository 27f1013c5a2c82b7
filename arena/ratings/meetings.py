"""Results summed up by block and by pair of seats: all that Bradley–Terry needs, in few numbers."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.ratings.results import Ints, Results

Floats = NDArray[np.float64]


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


@dataclass(frozen=True, eq=False)
class Meetings:
    """Rows of the same n members that met in so many matches: a block, or several together.

    Attributes:
        size: k, how many competitors there are.
        members: (r, n) ascending.
        group: (r,) the number of the row's group.
        matches: (r,).
        won, lost: (r, n(n−1)/2) matches in which the first of each pair of members ranked better, or worse;
            the pairs in the order of `couples`.
    """

    size: int
    members: Ints
    group: Ints
    matches: Ints
    won: Ints
    lost: Ints

    def couples(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Numbers the pairs of columns of `members`."""
        return enumerate(combinations(range(self.members.shape[1]), 2))

    def pairs(self) -> Pairs:
        """The cross table: each pair of competitors over all rows."""
        k = self.size
        met, won = np.zeros((k, k), np.int64), np.zeros((k, k), np.int64)
        for column, (a, b) in self.couples():
            cell = self.members[:, a] * k + self.members[:, b]
            met += _scatter(cell, self.matches, k)
            won += _scatter(cell, self.won[:, column], k)
            won += _scatter(cell, self.lost[:, column], k).T
        return Pairs(met + met.T, won)

    def merged(self, into: Ints) -> "Meetings":
        """Rows of equal members added up: row r goes into row `into[r]`, numbered from 0 without gaps."""
        rows = int(into.max(initial=-1)) + 1
        first = np.full(rows, len(into), np.int64)
        np.minimum.at(first, into, np.arange(len(into)))

        def added(columns: Ints) -> Ints:
            summed = np.zeros((rows, *columns.shape[1:]), np.int64)
            np.add.at(summed, into, columns)
            return summed

        return Meetings(
            self.size,
            self.members[first],
            self.group[first],
            added(self.matches),
            added(self.won),
            added(self.lost),
        )


def _scatter(cell: Ints, count: Ints, k: int) -> Ints:
    # bincount adds weights as floats, which is exact for whole numbers up to 2**53.
    return np.bincount(cell, count, k * k).astype(np.int64).reshape(k, k)


def meetings(results: Results) -> Meetings:
    """One row a block, in the order of the plan."""
    starts = np.flatnonzero(np.diff(results.blocks, prepend=-1))
    rank, n = results.rank, results.players
    couples = list(combinations(range(n), 2))
    won, lost = (np.zeros((len(starts), len(couples)), np.int64) for _ in range(2))
    if len(starts):
        for column, (a, b) in enumerate(couples):
            won[:, column] = np.add.reduceat(rank[:, a] < rank[:, b], starts, dtype=np.int64)
            lost[:, column] = np.add.reduceat(rank[:, a] > rank[:, b], starts, dtype=np.int64)
    return Meetings(
        len(results.competitors),
        results.seats[starts].astype(np.int64),
        results.groups[starts],
        np.diff(starts, append=results.matches),
        won,
        lost,
    )


def count_pairs(results: Results) -> Pairs:
    """The cross table of the results."""
    return meetings(results).pairs()
