"""Playing a table: claim, seats, boards, one transaction for all results."""

import logging
import secrets
import time
from functools import partial

from celery.exceptions import SoftTimeLimitExceeded

from arena.audit import audit
from arena.errors import PlatformFailure
from arena.referee import Board as PlayedBoard
from arena.referee import Table as Referee
from arena.rules import Rules
from arena.shuffle import luck
from league.bots import store
from league.bots.models import Version
from league.common.claims import Claim
from league.common.errors import Lost
from league.matches.services import Played, store_table
from league.pipeline.backend import away, backend, doubt
from league.pipeline.heartbeat import Heartbeat
from league.pipeline.patience import insist
from league.pipeline.queue import call_later, call_players
from league.pipeline.rate import table_done
from league.tournaments import workers
from league.tournaments.drafts import CLOCK
from league.tournaments.lifecycle import TableStatus
from league.tournaments.models import Board, Table
from league.tournaments.queue import claim_next
from league.tournaments.tables import RETRY_AFTER_S, give_back_table
from sandbox.cores import own_core
from sandbox.ids import unguessable
from sandbox.limits import Limits
from sandbox.package import Package
from sandbox.seat import ProcessSeat

log = logging.getLogger(__name__)
#: When the call comes, in monotonic seconds, that this process sent to look at its sandbox again.
_looks_at_s: list[float] = []


def play_next() -> None:
    """Claim the table that is next, play its boards, store everything at once. Nothing, when none waits.

    Losing the claim is a normal end. A failure of the platform's returns the table to the queue, or parks it.
    After one nothing is claimed until the sandbox works again: whoever asks sees no worker meanwhile.
    """
    if reason := away():
        log.error("no table is claimed: %s", reason)
        workers.refuses(reason)
        _look_again()
        return
    workers.seen()
    claim = claim_next()
    if claim is None:
        return
    table = Table.objects.select_related("group", "tournament").get(pk=claim.pk)
    try:
        versions = _versions(table)
        with Heartbeat(Table, claim, also=workers.seen) as heart:
            with own_core() as core:
                played = _play(table, versions, claim, heart, core)
            insist(partial(store_table, claim, [version.pk for version in versions], played))
    except Lost:
        log.info("table %d is in other hands", claim.pk)
    except Exception as error:  # whatever it is, it is not a bot's fault: those are in the record
        log.exception("table %d was not played", claim.pk)
        if isinstance(error, PlatformFailure):
            doubt(error)
        insist(partial(_give_back, claim, cause(error)))
    else:
        table_done(table)
    call_players()


def _look_again() -> None:
    """Send one call for later, unless one is on its way: `reconcile` does not see those, and sends new calls
    each minute; if each came back, there would be ever more of them while a sandbox is away."""
    now_s = time.monotonic()
    if not _looks_at_s or _looks_at_s[0] <= now_s:
        _looks_at_s[:] = [now_s + RETRY_AFTER_S]
        call_later(RETRY_AFTER_S)


def _versions(table: Table) -> list[Version]:
    seats = table.seats.select_related("entrant__version__bot").order_by("seat")
    return [seat.entrant.version for seat in seats]


def _play(
    table: Table, versions: list[Version], claim: Claim, heart: Heartbeat, core: int | None
) -> list[Played]:
    """All matches of the table, by one set of fresh processes, on one core where there is one for us."""
    seats = [
        seat_of(version, core, f"table-{table.pk}-{claim.token}-{seat}")
        for seat, version in enumerate(versions)
    ]
    tournament = table.tournament
    referee = Referee(
        Rules.from_json(tournament.rules),
        seats,
        clock=CLOCK,
        new_id=unguessable(),
        luck=luck if tournament.luck else fresh_luck,
    )
    played = []
    try:
        for board in Board.objects.filter(group=table.group_id, batch=table.batch).order_by("number"):
            heart.check()
            began = time.monotonic()
            record = referee.play(
                PlayedBoard(bytes.fromhex(board.seed)),
                match=secrets.token_hex(8),
                bots=[version.label for version in versions],
            )
            audit(record)  # nothing unsound is ever stored
            took_ms = (time.monotonic() - began) * 1000
            logs = [seat.take_log() for seat in seats]
            used = referee.clock_use()
            played.append(Played(board.pk, record, logs, backend().name, took_ms, used))
    finally:
        referee.close()
    # What a bot says on leaving belongs to its last match.
    for seat, last_words in enumerate(each.take_log() for each in seats):
        played[-1].logs[seat] += last_words
    return played


def seat_of(version: Version, core: int | None, label: str) -> ProcessSeat:
    """A seat for the version's program, in this machine's sandbox. Raises PlatformFailure."""
    package = Package.from_zip(store.get(version.program))
    return ProcessSeat(backend(), package, Limits(core=core), label=label)


def fresh_luck(_seed: bytes, _deal: int, _place: int) -> str:
    """The `luck` of a tournament that does not want it shared: drawn anew, wherever a hand is played."""
    return secrets.token_hex(16)


def cause(error: Exception) -> str:
    """Why the platform failed, for operators."""
    if isinstance(error, PlatformFailure):
        return str(error)
    if isinstance(error, SoftTimeLimitExceeded):
        return "time_limit: the table took longer than a task may"
    return f"internal: {error!r}"


def _give_back(claim: Claim, failure: str) -> None:
    try:
        table = give_back_table(claim, failure)
    except Lost:
        log.info("table %d is in other hands", claim.pk)
        return
    if table.status == TableStatus.QUEUED:
        call_later(RETRY_AFTER_S)
