"""The counted results of a pool or a tournament as columns: one value, in one order, with a name."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints: TypeAlias = NDArray[np.int64]

#: A row of `from_rows`: one seat of one match, in this order.
COLUMNS = (
    "tournament",
    "group",
    "board",
    "table",
    "deals",
    "competitor",
    "points",
    "rank",
    "faults",
    "vacated",
)
_KEY = COLUMNS[:4]
_FORMAT = b"polignac/results/1"


@dataclass(frozen=True, eq=False)
class Results:
    """Matches of equally many players, in the order of the plan, whatever order they came in.

    `m` matches, `n` players at a table, `k` competitors.

    Attributes:
        tournament, group, board, table: (m,) the place of each match in the plan, which is its key.
        deals: (m,) deals played in it, play-offs included.
        competitors: (k,) whoever appears, ascending. Everywhere else a competitor is its index in here.
        seats: (m, n) who sat in the match, ascending.
        rank, points, faults, vacated: (m, n) how each of `seats` did. Rank 1 is best, equal ranks share;
            a vacated seat ranks last. Points are penalty points of the whole match.
    """

    tournament: Ints
    group: Ints
    board: Ints
    table: Ints
    deals: NDArray[np.int32]
    competitors: Ints
    seats: NDArray[np.int32]
    rank: NDArray[np.int8]
    points: NDArray[np.int32]
    faults: NDArray[np.int32]
    vacated: NDArray[np.bool_]

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[int]]) -> "Results":
        """From rows, one a seat, each with the numbers that `COLUMNS` names; the rows in any order.

        Raises:
            ValueError: as `from_columns`.
        """
        table = np.fromiter((tuple(row) for row in rows), dtype=np.dtype((np.int64, len(COLUMNS))))
        return cls.from_columns(**dict(zip(COLUMNS, table.T, strict=True)))

    @classmethod
    def from_columns(
        cls,
        *,
        tournament: ArrayLike,
        group: ArrayLike,
        board: ArrayLike,
        table: ArrayLike,
        deals: ArrayLike,
        competitor: ArrayLike,
        points: ArrayLike,
        rank: ArrayLike,
        faults: ArrayLike,
        vacated: ArrayLike,
    ) -> "Results":
        """From columns of whole numbers, one entry a seat; the rows of a match need not be together.

        Raises:
            ValueError: columns of different lengths, matches of different numbers of players, a match that
                is there twice, a competitor twice at one table, deals that differ within a match, members
                that differ within a group.
        """
        given = (tournament, group, board, table, deals, competitor, points, rank, faults, vacated)
        columns = dict(zip(COLUMNS, (np.asarray(column, np.int64).ravel() for column in given), strict=True))
        if len({len(column) for column in columns.values()}) != 1:
            raise ValueError("the columns differ in length")
        return _canonical(columns)

    @property
    def matches(self) -> int:
        """How many matches, `m`."""
        return len(self.deals)

    @property
    def players(self) -> int:
        """How many sit at a table, `n`; 0 when there is no match."""
        return int(self.seats.shape[1])

    def index(self, competitor: int) -> int:
        """The place of a competitor in `competitors`. Raises KeyError when it played no counted match."""
        at = int(np.searchsorted(self.competitors, competitor))
        if at == len(self.competitors) or self.competitors[at] != competitor:
            raise KeyError(competitor)
        return at

    @cached_property
    def groups(self) -> Ints:
        """(m,) the number of each match's group, from 0 in the order of the plan."""
        return _runs(self.tournament, self.group)

    @cached_property
    def blocks(self) -> Ints:
        """(m,) the number of each match's block (one board of one group), from 0 in the order of the plan."""
        return _runs(self.tournament, self.group, self.board)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the canonical bytes: names this set of results. 64 hexadecimal digits."""
        digest = hashlib.sha256(_FORMAT)
        digest.update(np.array([self.matches, self.players], "<i8").tobytes())
        for name in ("tournament", "group", "board", "table", "deals"):
            digest.update(np.ascontiguousarray(getattr(self, name), "<i8").data)
        digest.update(np.ascontiguousarray(self.competitors[self.seats], "<i8").data)
        for name in ("points", "rank", "faults", "vacated"):
            digest.update(np.ascontiguousarray(getattr(self, name), "<i4").data)
        return digest.hexdigest()


def _canonical(columns: dict[str, Ints]) -> Results:
    """Columns of seats to matches by their key, and the seats of a match by competitor."""
    keys = [columns[name] for name in _KEY]
    if len(keys[0]) and not _ascending(keys):
        order = np.lexsort(keys[::-1])
        columns = {name: column[order] for name, column in columns.items()}
        keys = [columns[name] for name in _KEY]
    starts = np.flatnonzero(_changes(keys))
    sizes = np.diff(starts, append=len(keys[0]))
    players = int(sizes[0]) if len(sizes) else 0
    if len(sizes) and not (sizes == players).all():
        odd = int(starts[np.argmax(sizes != players)])
        raise ValueError(
            f"match {_name(keys, odd)} has another number of seats than the first; or is given twice"
        )
    matches = {name: columns[name].reshape(len(starts), -1 if len(starts) else 0) for name in COLUMNS[4:]}
    competitors, flat = np.unique(matches["competitor"], return_inverse=True)
    seats = flat.reshape(matches["competitor"].shape).astype(np.int32)
    order = np.argsort(seats, axis=1, kind="stable")
    seats = np.take_along_axis(seats, order, axis=1)
    deals = matches.pop("deals")
    for wrong, what in (
        ((seats[:, 1:] == seats[:, :-1]).any(axis=1), "is given twice, or seats a competitor twice"),
        ((deals != deals[:, :1]).any(axis=1), "has rows that differ in deals"),
        (_company_changes(keys, starts, seats), "seats others than the rest of its group"),
    ):
        if wrong.any():
            raise ValueError(f"match {_name(keys, int(starts[np.argmax(wrong)]))} {what}")

    def seated(name: str, kind: Any) -> NDArray[Any]:
        return np.take_along_axis(matches[name], order, axis=1).astype(kind)

    return Results(
        tournament=keys[0][starts],
        group=keys[1][starts],
        board=keys[2][starts],
        table=keys[3][starts],
        deals=(deals[:, 0] if len(starts) else deals.ravel()).astype(np.int32),
        competitors=competitors,
        seats=seats,
        rank=seated("rank", np.int8),
        points=seated("points", np.int32),
        faults=seated("faults", np.int32),
        vacated=seated("vacated", np.bool_),
    )


def _changes(keys: Sequence[Ints]) -> NDArray[np.bool_]:
    """Where a row's key differs from that of the row before; true for the first."""
    changed = np.ones(len(keys[0]), np.bool_)
    if len(changed):
        changed[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return changed


def _company_changes(keys: Sequence[Ints], starts: Ints, seats: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Where a match of a group has other competitors than the match before it."""
    changed = np.zeros(len(starts), np.bool_)
    if len(starts):
        same_group = ~_changes([key[starts] for key in keys[:2]])[1:]
        changed[1:] = same_group & (seats[1:] != seats[:-1]).any(axis=1)
    return changed


def _runs(*keys: Ints) -> Ints:
    """Numbers the runs of equal keys from 0."""
    numbers: Ints = np.cumsum(_changes(keys)) - 1
    return numbers


def _ascending(keys: Sequence[Ints]) -> bool:
    """Whether the rows are in the order of their keys already."""
    fine = np.ones(len(keys[0]) - 1, np.bool_)
    for key in reversed(keys):
        fine = (key[1:] > key[:-1]) | ((key[1:] == key[:-1]) & fine)
    return bool(fine.all())


def _name(keys: Sequence[Ints], row: int) -> str:
    return "/".join(str(int(key[row])) for key in keys)
