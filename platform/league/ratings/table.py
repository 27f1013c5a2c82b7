"""Results to the table of a pool: pure functions."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.ratings.elo import MatchResult, elo


@dataclass(frozen=True)
class Row:
    """One line of a pool's table."""

    place: int
    version: int
    elo: float
    matches: int
    wins: int


def rate(results: Iterable[MatchResult[int]]) -> list[Row]:
    """The table, best first; the same for the same set of results. Equal ratings share a place."""
    ratings = sorted(elo(results).items(), key=lambda item: (-item[1].elo, item[0]))
    rows: list[Row] = []
    for index, (version, rating) in enumerate(ratings):
        tied = bool(rows) and rows[-1].elo == rating.elo
        place = rows[-1].place if tied else index + 1
        rows.append(Row(place, version, rating.elo, rating.matches, rating.wins))
    return rows


def results_hash(results: Sequence[MatchResult[int]]) -> str:
    """Names the results, in the order of the plan, that a table was computed from."""
    return hashlib.sha256(canonical([[result.key, result.placings] for result in results])).hexdigest()


def canonical(data: object) -> bytes:
    """The one JSON text of plain data: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
