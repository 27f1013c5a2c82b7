"""Once a minute: what workers, messages or the broker have lost is put right. The row is the truth."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from league.api import idempotency
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version
from league.bots.services import give_back_version
from league.common.claims import Claim, Claimable
from league.common.errors import Lost
from league.pipeline import deliver, sit
from league.pipeline.queue import CHECK, call_players, nudge
from league.pipeline.rate import ask_for_sheets
from league.tournaments import workers
from league.tournaments.advancing import advance
from league.tournaments.lifecycle import TableStatus, TournamentStatus
from league.tournaments.models import Table, Tournament
from league.tournaments.tables import give_back_table

log = logging.getLogger(__name__)
#: Messages sent again in one run: a long queue is no reason to send all of it twice.
BATCH = 200
LOST_WORKER = "worker_lost: the lease ran out"


def reconcile(now: datetime | None = None) -> None:
    """Give expired leases back, send lost messages again, advance what is due, rate what is stale.

    Answers kept for who repeats a write are deleted after their day."""
    now, given_back = now or timezone.now(), False
    for claim in _expired(Table, TableStatus.PLAYING, now):
        try:
            table = give_back_table(claim, LOST_WORKER, expired=now)
        except Lost:
            continue
        given_back = True
        log.warning("table %d: %s, now %s", table.pk, LOST_WORKER, table.status)
    for claim in _expired(Version, VersionStatus.CHECKING, now):
        try:
            version = give_back_version(claim, LOST_WORKER, expired=now)
        except Lost:
            continue
        if version.status == VersionStatus.RECEIVED:
            nudge(CHECK, [version.pk])
    nudge(CHECK, _overlooked(now))
    for tournament in Tournament.objects.filter(status=TournamentStatus.RUNNING):
        try:
            advance(tournament)
        except Exception:  # one that can't go on holds up no other
            log.exception("tournament %d does not go on", tournament.pk)
    call_players(since=None if given_back else now - timedelta(seconds=settings.RESEND_AFTER_S))
    workers.forget()
    idempotency.forget(now)
    ask_for_sheets()
    deliver.reconcile(now)
    sit.reconcile(now)


def _expired(model: type[Claimable], claimed: str, now: datetime) -> list[Claim]:
    """The claims whose lease has run out: the worker is dead, or can't reach the database."""
    rows = model._default_manager.filter(status=claimed, lease_until__lt=now).order_by("pk")
    return [Claim(row.pk, row.token, row.attempt) for row in rows]


def _overlooked(now: datetime) -> list[int]:
    """The uploads that have waited for long since their last message, which may be lost; longest first."""
    since = now - timedelta(seconds=settings.RESEND_AFTER_S)
    rows = Version.objects.filter(status=VersionStatus.RECEIVED, nudged_at__lt=since)
    ids = list(rows.order_by("nudged_at", "pk").values_list("pk", flat=True)[:BATCH])
    Version.objects.filter(pk__in=ids).update(nudged_at=now)
    return ids
