"""The counted results as columns, read in chunks: a million matches need no million Python objects."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from arena.ratings.results import Results
from league.matches.models import Match, MatchSeat
from league.ratings.models import Pool
from league.tournaments.models import Tournament

CHUNK = 20_000
Ints = NDArray[np.int64]

_MATCH = ("pk", "tournament_id", "table__group__number", "board__number", "table__number", "deals")
_SEAT = ("match_id", "version_id", "total", "rank", "faults", "vacated")


def counted(scope: Pool | Tournament) -> QuerySet[Match]:
    """The matches that count in a pool or a tournament: those of complete blocks."""
    matches = Match.objects.filter(board__complete=True)
    return matches.filter(**_within(scope, ""))


def results(scope: Pool | Tournament, together: tuple[int, int] | None = None) -> Results:
    """What counts in a pool or a tournament, competitors by their versions' ids.

    `together`: only the matches in which both of these versions sat.
    """
    chosen = counted(scope)
    seats = MatchSeat.objects.filter(match__board__complete=True, **_within(scope, "match__"))
    if together is not None:
        for each in together:
            chosen = chosen.filter(Exists(MatchSeat.objects.filter(match=OuterRef("pk"), version=each)))
        seats = MatchSeat.objects.filter(match__in=chosen.values("pk"))
    matches = _columns(chosen, _MATCH)
    match_id, version, total, rank, faults, vacated = _columns(seats, _SEAT)
    order = np.argsort(matches[0])
    known = matches[0][order]
    at = np.searchsorted(known, match_id)
    # Matches that came between the two questions: they count the next time.
    there = np.flatnonzero(np.take(known, at, mode="clip") == match_id) if len(known) else at[:0]
    row = order[at[there]]
    tournament, group, board, table, deals = (column[row] for column in matches[1:])
    return Results.from_columns(
        tournament=tournament,
        group=group,
        board=board,
        table=table,
        deals=deals,
        competitor=version[there],
        points=total[there],
        rank=rank[there],
        faults=faults[there],
        vacated=vacated[there],
    )


def _within(scope: Pool | Tournament, match: str) -> dict[str, Any]:
    return {f"{match}tournament{'__pool' if isinstance(scope, Pool) else ''}": scope}


def _columns(rows: QuerySet[Any], names: Sequence[str]) -> list[Ints]:
    """(rows,) each: the columns of these names, in no order."""
    values = rows.order_by().values_list(*names).iterator(chunk_size=CHUNK)
    return list(np.fromiter(values, np.dtype((np.int64, len(names)))).T)
