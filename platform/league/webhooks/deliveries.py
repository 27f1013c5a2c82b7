"""How deliveries are made: due, claimed, sent, settled; and given up, with their webhook, in the end."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from league.accounts.models import User
from league.common.claims import Claim
from league.common.errors import IllegalMove, Lost
from league.common.lifecycle import OURS, StatusNote, move, move_all
from league.common.text import clipped
from league.webhooks.events import PING
from league.webhooks.lifecycle import DeliveryStatus, WebhookStatus
from league.webhooks.models import EXCERPT_MAX, Delivery, Webhook
from league.webhooks.sending import Attempt

#: How many seconds after an attempt that failed comes the next: eight in about a day.
RETRY_S: Sequence[int] = (5, 60, 300, 1800, 7200, 21_600, 50_400)
#: By how much that may be longer, by chance: what failed together is not tried again together.
JITTER = 0.2
#: While a webhook fails, its other deliveries wait as if they were it, but no longer than this, or than the
#: receiver wants (`Attempt.later_s`).
HOLD_S = 300
#: A webhook may take one part in so many of a worker's time: the slower it is, the longer it rests.
SHARE = 5
#: When a delivery is given up and so many attempts in a row have failed, its webhook is disabled.
DISABLE_AFTER = 20
#: How long the log of what is over is kept, and the row of a webhook that was deleted.
KEPT, KEPT_DELETED = timedelta(days=30), timedelta(days=1)
LOST_WORKER = "worker_lost: the lease ran out"
BATCH = 500


def due(now: datetime) -> QuerySet[Delivery]:
    """The deliveries that may be made now, the longest due first."""
    hook = Q()
    for until in ("held_until", "rests_until"):
        hook &= Q(**{f"webhook__{until}": None}) | Q(**{f"webhook__{until}__lte": now})
    return _wanted().filter(hook, due_at__lte=now).order_by("due_at", "pk")


def next_due_s(webhook_id: int) -> float | None:
    """In how many seconds the webhook has something to be sent; None where nothing waits, or where something
    is being sent to it: whoever does that goes on afterwards."""
    if Delivery.objects.filter(webhook=webhook_id, status=DeliveryStatus.SENDING).exists():
        return None
    first = _wanted().filter(webhook=webhook_id).order_by("due_at").select_related("webhook").first()
    return None if first is None else max(0.0, (first.next_at - timezone.now()).total_seconds())


def _wanted() -> QuerySet[Delivery]:
    return Delivery.objects.filter(
        status=DeliveryStatus.WAITING, webhook__status=WebhookStatus.ACTIVE, webhook__owner__is_active=True
    )


def claim_next(webhook_id: int) -> Claim | None:
    """Take what is to be sent to this webhook next. None when nothing is due, or another worker is at it."""
    delivery = due(timezone.now()).filter(webhook=webhook_id).first()
    if delivery is None:
        return None
    claim = Claim(delivery.pk, delivery.token + 1, delivery.attempt + 1)
    lease = timedelta(seconds=settings.WEBHOOK_TIMEOUT_S + settings.LEASE_S)
    try:
        with transaction.atomic():
            move(
                delivery,
                DeliveryStatus.SENDING,
                only_if={"token": delivery.token},
                token=claim.token,
                attempt=claim.attempt,
                lease_until=timezone.now() + lease,
            )
    except (Lost, IllegalMove, IntegrityError):  # the last: one at a time (models)
        return None
    return claim


@transaction.atomic
def settle(claim: Claim, attempt: Attempt) -> Delivery:
    """Note how an attempt ended, and what follows. Raises Lost when the delivery isn't ours any more."""
    delivery = Delivery.objects.filter(pk=claim.pk).first()
    if delivery is None:
        raise Lost(f"delivery {claim.pk} is gone")
    hook = Webhook.objects.select_for_update(**OURS).get(pk=delivery.webhook_id)
    now, wanted = timezone.now(), timedelta(seconds=attempt.later_s)
    hook.rests_until = now + timedelta(milliseconds=(SHARE - 1) * attempt.took_ms)
    status, due_at = DeliveryStatus.DELIVERED, delivery.due_at
    if not attempt.failure:
        hook.failures, hook.held_until = 0, None
    else:
        status, pause = DeliveryStatus.FAILED, _pause(delivery, claim.attempt)
        if pause and not attempt.gone and hook.status == WebhookStatus.ACTIVE:
            status, due_at = DeliveryStatus.WAITING, now + max(pause, wanted)
        if delivery.type != PING:
            hook.failures += 1
            held = RETRY_S[min(hook.failures, len(RETRY_S)) - 1]
            hook.held_until = now + max(timedelta(seconds=min(held, HOLD_S)), wanted)
    hook.save(update_fields=["failures", "held_until", "rests_until"])
    settled = move(
        delivery,
        status,
        only_if=claim.held,
        text=attempt.failure,
        failure=clipped(attempt.failure, EXCERPT_MAX),
        response_code=attempt.code,
        response=attempt.response,
        took_ms=attempt.took_ms,
        lease_until=None,
        due_at=due_at,
    )
    if hook.status == WebhookStatus.ACTIVE and attempt.gone:
        switch_off(hook, WebhookStatus.DISABLED, "gone: the receiver answered with 410")
    elif hook.status == WebhookStatus.ACTIVE and _hopeless(hook, settled):
        text = f"failing: {hook.failures} attempts in a row; the last: {attempt.failure}"
        switch_off(hook, WebhookStatus.DISABLED, text)
    return settled


def _hopeless(hook: Webhook, delivery: Delivery) -> bool:
    return delivery.status == DeliveryStatus.FAILED and hook.failures >= DISABLE_AFTER


def _pause(delivery: Delivery, attempt: int) -> timedelta | None:
    """How long to wait after so many attempts have failed; None: no more. A ping is tried once."""
    if delivery.type == PING or attempt > len(RETRY_S):
        return None
    chance = secrets.randbelow(1000) / 1000
    return timedelta(seconds=RETRY_S[attempt - 1] * (1 + JITTER * chance))


def give_back(claim: Claim, expired: datetime) -> Delivery:
    """A worker was lost, who may have sent it or not: it is sent again, unless that has happened too often.
    Raises Lost when the claim has ended."""
    last = claim.attempt > len(RETRY_S)
    return move(
        Delivery(pk=claim.pk),
        DeliveryStatus.FAILED if last else DeliveryStatus.WAITING,
        only_if=claim.held_until(expired),
        text=LOST_WORKER,
        failure=LOST_WORKER,
        lease_until=None,
    )


@transaction.atomic
def switch_off(webhook: Webhook, status: WebhookStatus, reason: str, by: User | None = None) -> Webhook:
    """Send nothing more; what waits is given up, and can be sent again one by one. Raises IllegalMove."""
    off = status in (WebhookStatus.DISABLED, WebhookStatus.BLOCKED)
    columns: dict[str, Any] = {"reason": clipped(reason, EXCERPT_MAX)} if off else {}
    moved = move(webhook, status, text=reason, by=by, **columns)
    failure = clipped(f"{status}: {reason or 'the webhook was switched off'}", EXCERPT_MAX)
    waiting = Delivery.objects.filter(webhook=webhook, status=DeliveryStatus.WAITING)
    move_all(waiting, DeliveryStatus.FAILED, text=failure, failure=failure)
    return moved


def overlooked(now: datetime) -> list[int]:
    """The webhooks that have something due, whatever became of the message about it."""
    ids = due(now).order_by("webhook").values_list("webhook", flat=True).distinct()
    return list(ids[:BATCH])


def forget(now: datetime) -> int:
    """Delete what was over long ago, some at a time; gives how many deliveries."""
    deleted = Webhook.objects.filter(status=WebhookStatus.DELETED, status_at__lt=now - KEPT_DELETED)
    for webhook in deleted[:BATCH]:
        erase(list(webhook.deliveries.values_list("pk", flat=True)))
        webhook.delete()
    over = (DeliveryStatus.DELIVERED, DeliveryStatus.FAILED)
    old = Delivery.objects.filter(status__in=over, status_at__lt=now - KEPT).order_by("status_at")
    return erase(list(old.values_list("pk", flat=True)[:BATCH]))


def erase(ids: Sequence[int]) -> int:
    """Delete deliveries, and what was noted about them; gives how many there were."""
    StatusNote.objects.filter(kind="delivery", row__in=ids).delete()
    return Delivery.objects.filter(pk__in=ids).delete()[0]
