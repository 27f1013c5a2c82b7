"""What the decisions of a match were charged, as it is told: by seat, and decision by decision."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from arena.clock_use import ClockUse, SeatClock, Timed, by_seat, timed
from arena.record import Record
from league.common.errors import Missing
from league.matches.models import Match, MatchClock
from league.matches.selectors import must_be_over


@dataclass(frozen=True)
class DealClock:
    """The bids and cards of a deal, in order; no `charged_ms` where the referee played for a vacated seat."""

    deal: int
    charged_ms: list[float | None]
    bank_ms: list[float]


@dataclass(frozen=True)
class ClockTold:
    """The clock of a match; `move_ms` and `bank_ms` are its limits."""

    move_ms: int
    bank_ms: int
    seats: list[SeatClock]
    deals: list[DealClock]


def clock_of(match: Match) -> ClockTold:
    """The clock of a match, which is public with its record.

    Raises Conflict while the tournament isn't over, Missing when the times were not kept.
    """
    must_be_over(match.tournament)
    kept = MatchClock.objects.filter(match=match).first()
    if kept is None:
        raise Missing("no_clock", f"What the decisions of match {match.pk} took was not kept.")
    use = ClockUse.from_bytes(zlib.decompress(bytes(kept.use)))
    record = Record.from_bytes(bytes(match.record))
    rows = timed(record, use)
    return ClockTold(use.move_ms, use.bank_ms, by_seat(rows, use, len(record.bots)), list(_by_deal(rows)))


def _by_deal(rows: list[Timed]) -> Iterator[DealClock]:
    for deal, those in groupby(rows, key=lambda row: row.deal):
        own = list(those)
        yield DealClock(deal, [row.charged_ms for row in own], [row.bank_ms for row in own])
