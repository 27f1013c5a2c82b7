"""One version, two versions, each pair: read from the current snapshot of a pool or a tournament."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from django.db.models import QuerySet

from arena.ratings.head_to_head import HeadToHead as Common
from arena.ratings.head_to_head import head_to_head as in_common
from arena.ratings.table import Comparison, comparison
from league.bots.models import Version
from league.bots.selectors import named
from league.common.errors import Missing
from league.matches.columns import results
from league.ratings import packing
from league.ratings.models import Pool, Rating, Snapshot
from league.ratings.selectors import current_of, lines

#: Boards and points in common are read from so many matches, match by match, and from no more.
MOST_COMMON = 2000
#: What is told of a rating as it was published: there are some hundred of a version.
PUBLISHED = (
    "place",
    "elo",
    "elo_low",
    "elo_high",
    "elo_live",
    "provisional",
    "matches",
    "snapshot__number",
    "snapshot__results_hash",
    "snapshot__computed_at",
)


@dataclass(frozen=True)
class Meeting:
    """How `one` did against `other` in the matches where both sat. `score`: won and half of the drawn."""

    one: Version
    other: Version
    matches: int
    won: int
    drawn: int
    lost: int

    @property
    def score(self) -> float | None:
        """0 to 1; None where they never met."""
        return round((self.won + self.drawn / 2) / self.matches, 4) if self.matches else None


@dataclass(frozen=True)
class HeadToHead:
    """Two versions of a pool. `comparison` is None where no chain of matches links them.

    `common`: the boards where they met and their points there. None where they didn't meet, met in more than
    `MOST_COMMON` matches, or have met again since the snapshot.
    """

    snapshot: Snapshot
    meeting: Meeting
    comparison: Comparison | None
    common: Common | None


def head_to_head(pool: Pool, one: int, other: int) -> HeadToHead:
    """Two versions, by id. Raises Missing where one has no rating in the pool."""
    snapshot, first = _line(pool, one)
    second = _line(pool, other)[1]
    ids = lines(snapshot).order_by("version_id").values_list("version_id", flat=True)
    against = packing.unpack(first.versus, packing.VERSUS)[list(ids).index(other)]
    compared = None
    if first.component == second.component and one != other:
        lead = first.elo - second.elo
        compared = comparison(lead, float(against["error"]), first.blocks, second.blocks)
    meeting = _meeting(first.version, second.version, against)
    common = None
    if 0 < meeting.matches <= MOST_COMMON and one != other:
        read = in_common(results(pool, together=(one, other)), one, other)
        common = read if read.matches == meeting.matches else None
    return HeadToHead(snapshot, meeting, compared, common)


def _line(pool: Pool, version: int) -> tuple[Snapshot, Rating]:
    snapshot = current_of(pool)
    row = lines(snapshot).defer(None).filter(version=version).first()
    if snapshot is None or row is None:
        raise Missing("not_rated", f"Version {version} has no rating in this pool.")
    return snapshot, row


def _meeting(one: Version, other: Version, against: Any) -> Meeting:
    met, won, lost = (int(against[name]) for name in ("met", "won", "lost"))
    return Meeting(one, other, met, won, met - won - lost, lost)


@dataclass(frozen=True)
class Cells:
    """A part of a cross table, and where the rest begins; None at the end."""

    meetings: list[Meeting]
    rest: list[int] | None


def cross_table(
    snapshot: Snapshot, version: int | None, start: list[int], size: int, top: int | None = None
) -> Cells:
    """Each pair that met, once, the better placed first; or, of one version, its opponents in their order.

    Args:
        top: only among the best so many.
        start: the row (from 0) and the cell in it (from 0) to begin with.
        size: how many pairs at the most.
    """
    order = list(lines(snapshot).values_list("version_id", flat=True))
    column = {pk: at for at, pk in enumerate(sorted(order))}
    columns = np.array([column[pk] for pk in order[:top]])  # of the opponents, in the order of the list
    wanted = Rating.objects.filter(snapshot=snapshot, position__gt=start[0]).order_by("position")
    if version is not None:
        wanted = wanted.filter(version=version)
    if top is not None:
        wanted = wanted.filter(position__lte=top)
    found: list[tuple[int, int, Any]] = []
    rest = None
    rows = wanted.values_list("position", "versus")
    for position, packed in rows if version is not None else rows.iterator(chunk_size=50):
        against = packing.unpack(packed, packing.VERSUS)[columns]
        first = position if version is None else 0
        cells = first + np.flatnonzero(against["met"][first:])
        begin = start[1] if position == start[0] + 1 else 0
        taken = cells[begin : begin + size - len(found)]
        found += [(order[position - 1], order[cell], against[cell]) for cell in taken]
        if len(taken) < len(cells) - begin:
            rest = [position - 1, begin + len(taken)]
            break
    versions = named().in_bulk({pk for one, other, _ in found for pk in (one, other)})
    return Cells([_meeting(versions[one], versions[other], cell) for one, other, cell in found], rest)


class Point(NamedTuple):
    """`elo_live` after so many of the version's matches."""

    matches: int
    elo: float


@dataclass(frozen=True)
class History:
    """How a version's rating went. `live`: its matches so far, sequential Elo; `published`: in each snapshot
    that is kept, the oldest first."""

    version: Version
    live: list[Point]
    published: QuerySet[Rating]


def history(pool: Pool, version: int) -> History:
    """A version, by id. Raises Missing where it has no rating in the pool."""
    _, row = _line(pool, version)
    published = Rating.objects.filter(snapshot__sheet__pool=pool, version=version).only(*PUBLISHED)
    points = packing.unpack(row.live, packing.LIVE)
    return History(
        row.version,
        [Point(int(at), round(float(elo), 2)) for at, elo in points],
        published.select_related("snapshot").order_by("snapshot__number"),
    )
