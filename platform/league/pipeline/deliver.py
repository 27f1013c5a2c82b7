"""From what happens to what webhooks are told: written with the change, sent after its commit."""

import logging
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import Model
from django.utils import timezone

from league.common.claims import Claim
from league.common.errors import Lost
from league.pipeline.patience import insist
from league.pipeline.queue import DELIVER, nudge
from league.webhooks import deliveries, outbox, services, signing
from league.webhooks.lifecycle import DeliveryStatus
from league.webhooks.models import Delivery, Webhook
from league.webhooks.sending import post

log = logging.getLogger(__name__)
#: What is due later than this is left to `reconcile`.
SOON_S = 60.0
AGENT = "Polignac-Webhook/1"


def on_change(sender: type[Model], row: Model, what: str, **_: Any) -> None:
    """Receives `common.signals.changed`, inside the transaction of the change."""
    if written := outbox.write(row, what):
        nudge(DELIVER, {delivery.webhook_id for delivery in written})


def ping(webhook: Webhook) -> Delivery:
    """Have a ping sent."""
    return _sent(services.ping(webhook))


def redeliver(delivery: Delivery, by: Any, why: str = "") -> Delivery:
    """Have a delivery sent once more."""
    return _sent(services.redeliver(delivery, by, why))


def _sent(delivery: Delivery) -> Delivery:
    nudge(DELIVER, [delivery.webhook_id])
    return delivery


def deliver_next(webhook_id: int) -> None:
    """Send what is next for this webhook, if anything is due, and have what follows sent in its time.

    One at a time, then the message goes to the queue's end: whoever has many keeps nobody waiting.
    """
    claim = deliveries.claim_next(webhook_id)
    if claim is not None:
        delivery = Delivery.objects.select_related("webhook").get(pk=claim.pk)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": AGENT,
            **signing.headers_of(delivery.webhook, delivery, timezone.now()),
        }
        attempt = post(
            delivery.webhook.url,
            headers,
            delivery.body.encode(),
            allowed=settings.WEBHOOK_NETWORKS,
            timeout_s=settings.WEBHOOK_TIMEOUT_S,
        )
        try:
            insist(lambda: deliveries.settle(claim, attempt))
        except Lost:
            log.warning("delivery %d was sent by a worker whose claim had ended", claim.pk)
        if attempt.failure:
            log.info("webhook %d: %s", webhook_id, attempt.failure)
    wait_s = deliveries.next_due_s(webhook_id)
    if wait_s is not None and wait_s <= SOON_S:
        nudge(DELIVER, [webhook_id], in_s=wait_s)


def reconcile(now: datetime) -> None:
    """Give back what lost workers had, send lost messages again, forget what is old."""
    sending = Delivery.objects.filter(status=DeliveryStatus.SENDING, lease_until__lt=now).order_by("pk")
    for row in sending:
        try:
            deliveries.give_back(Claim(row.pk, row.token, row.attempt), now)
        except Lost:
            continue
        log.warning("delivery %d: %s", row.pk, deliveries.LOST_WORKER)
    nudge(DELIVER, deliveries.overlooked(now))
    deliveries.forget(now)
