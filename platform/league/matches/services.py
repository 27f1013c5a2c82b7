"""What changes about matches: they are stored, all of a table at once, and never again."""

import hashlib
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from arena.clock_use import ClockUse
from arena.record import Record
from league.bots.services import LOG_MAX
from league.common import signals
from league.common.claims import Claim
from league.common.errors import IllegalMove, Lost
from league.common.lifecycle import move
from league.common.text import clipped
from league.matches.models import Ended, FaultCount, Match, MatchClock, MatchSeat
from league.ratings.services import changed
from league.tournaments.lifecycle import TableStatus
from league.tournaments.models import Table
from league.tournaments.tables import mark_complete


@dataclass(frozen=True)
class Played:
    """A match as the referee handed it over, with what the bots wrote to standard error, by seat; `clock`:
    what its decisions were charged, None where nobody measured it."""

    board_id: int
    record: Record
    logs: list[str]
    backend: str
    duration_ms: float
    clock: ClockUse | None = None


def store_table(claim: Claim, versions: Sequence[int], played: Sequence[Played]) -> None:
    """Store all matches of a table and mark it done, in one transaction that checks the token.

    Harmless when repeated after a commit whose answer was lost.

    Raises Lost when the table isn't ours any more.
    """
    try:
        with transaction.atomic():
            table = move(
                Table(pk=claim.pk),
                TableStatus.DONE,
                only_if=claim.held,
                lease_until=None,
                failure="",
                text="played",
            )
            for one in played:
                _store(table, versions, one)
            if mark_complete(table):
                changed(table.tournament)
    except IllegalMove as error:
        if error.old != TableStatus.DONE:
            raise Lost(error.message) from None


def _store(table: Table, versions: Sequence[int], played: Played) -> None:
    record, data = played.record, played.record.to_bytes()
    match = Match.objects.create(
        tournament_id=table.tournament_id,
        table=table,
        board_id=played.board_id,
        name=record.match,
        ended=Ended(record.ended),
        deals=len(record.deals),
        record=data,
        sha256=hashlib.sha256(data).hexdigest(),
        backend=played.backend,
        duration_ms=round(played.duration_ms),
    )
    vacated = {vacancy.seat for vacancy in record.vacated}
    MatchSeat.objects.bulk_create(
        MatchSeat(
            match=match,
            seat=seat,
            version_id=version,
            total=record.totals[seat],
            rank=record.ranks[seat],
            faults=sum(fault.seat == seat for fault in record.faults),
            vacated=seat in vacated,
            log=clipped(played.logs[seat], LOG_MAX),
        )
        for seat, version in enumerate(versions)
    )
    kinds = Counter((versions[fault.seat], fault.kind) for fault in record.faults)
    FaultCount.objects.bulk_create(
        FaultCount(match=match, version_id=version, kind=kind, count=count)
        for (version, kind), count in kinds.items()
    )
    if played.clock is not None:
        MatchClock.objects.create(match=match, use=zlib.compress(played.clock.to_bytes()))
    signals.changed.send(Match, row=match, what="played")
