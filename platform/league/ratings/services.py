"""What changes about ratings: they are recomputed, never patched."""

import hashlib
import json
import time
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max, Q
from django.utils import timezone

from arena.rules import Rules
from league.common import signals
from league.matches.columns import results
from league.ratings.models import Pool, Rating, Sheet, Snapshot
from league.ratings.retention import kept
from league.ratings.table import PARAMETERS, Computed, compute
from league.tournaments.models import Tournament

#: A computation may take one part in so many of a worker's time: the longer it takes, the rarer it is.
SHARE = 5
BATCH = 500


def pool_for(rules: Rules) -> Pool:
    """The pool of these rules, made where it isn't there yet."""
    options = rules.to_json()
    text = json.dumps(options, sort_keys=True, separators=(",", ":"))
    key = hashlib.sha256(text.encode()).hexdigest()
    defaults = {"rules": options, "variant": str(rules.variant), "players": rules.players}
    return Pool.objects.get_or_create(key=key, defaults=defaults)[0]


def sheet_of(scope: Pool | Tournament) -> Sheet:
    """The sheet of a pool or a tournament, made where it isn't there yet."""
    which = {"pool": scope} if isinstance(scope, Pool) else {"tournament": scope}
    return Sheet.objects.get_or_create(**which)[0]


def changed(tournament: Tournament) -> None:
    """Note that what counts in the tournament, and so in its pool, changes in this transaction."""
    for scope in (tournament, tournament.pool):  # always in this order: nobody waits for each other
        if scope is not None:
            Sheet.objects.filter(pk=sheet_of(scope).pk).update(changes=F("changes") + 1)


def reserve(sheet: Sheet) -> float | None:
    """In how many seconds the sheet should be computed anew; None when a message for that is on its way.

    The first time at once; while results keep coming not more often than every `RATE_EVERY_S` seconds, nor
    so often that more than a fifth of a worker's time went into it.
    """
    now = due = timezone.now()
    if (last := sheet.current) is not None:
        pause = timedelta(seconds=settings.RATE_EVERY_S)
        due = max(now, last.computed_at + max(pause, (SHARE - 1) * timedelta(milliseconds=last.took_ms)))
    lost = now - timedelta(seconds=settings.RESEND_AFTER_S)
    free = Sheet.objects.filter(Q(due_at__isnull=True) | Q(due_at__lt=lost), pk=sheet.pk)
    return (due - now).total_seconds() if free.update(due_at=due) else None


def bring_up_to_date(sheet: Sheet) -> None:
    """Recompute the sheet unless its current snapshot knows everything. From now on a new message is sent."""
    Sheet.objects.filter(pk=sheet.pk).update(due_at=None)
    now = Sheet.objects.select_related("pool", "tournament").get(pk=sheet.pk)
    if now.through != now.changes:
        recompute(now.scope)


def recompute(scope: Pool | Tournament, *, anew: bool = False) -> Snapshot | None:
    """Compute what the counted results of a pool or a tournament add up to now, and store it.

    The same results make no second snapshot, except `anew`: then what was stored of them is replaced. Gives
    the current one; None where nothing counts yet.
    """
    began = time.monotonic()
    # Read before the results: what changes after this is a change that the next computation finds.
    changes = sheet_of(scope).changes
    computed = compute(scope, results(scope))
    took_ms = round((time.monotonic() - began) * 1000)
    with transaction.atomic():
        sheet = Sheet.objects.select_for_update(of=("self",)).get(pk=sheet_of(scope).pk)
        current = before = sheet.current
        if sheet.through > changes:
            return current  # another was quicker, and knows more
        if not computed.matches:
            current = None
        elif anew or current is None or not computed.same_as(current):
            current = _store(sheet, computed, took_ms)
        sheet.current, sheet.through = current, changes
        sheet.save(update_fields=["current", "through"])
        Snapshot.objects.filter(sheet=sheet).exclude(pk__in=kept(sheet)).delete()
        if current is not None and current != before:
            signals.changed.send(Snapshot, row=current, what="published")
    return current


def _store(sheet: Sheet, computed: Computed, took_ms: int) -> Snapshot:
    last = sheet.snapshots.aggregate(number=Max("number"))["number"] or 0
    snapshot = Snapshot.objects.create(
        sheet=sheet,
        number=last + 1,
        results_hash=computed.results_hash,
        matches=computed.matches,
        blocks=computed.blocks,
        versions=len(computed.rows),
        components=computed.components,
        parameters=PARAMETERS,
        took_ms=took_ms,
    )
    rows = (Rating(snapshot=snapshot, **columns) for columns in computed.rows)
    Rating.objects.bulk_create(rows, batch_size=BATCH)
    if sheet.current:
        sheet.current.ratings.update(versus=None, live=None)
    return snapshot
