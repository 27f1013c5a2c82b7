"""From what happens to deliveries that are to be made, in one transaction: what is committed is told, and
nothing else is."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Model
from django.utils import timezone
from rest_framework.utils.encoders import JSONEncoder

from league.webhooks.events import EVERYTHING, PACE_S, SOURCES
from league.webhooks.lifecycle import DeliveryStatus, WebhookStatus
from league.webhooks.models import Delivery, Webhook


def write(row: Model, what: str) -> list[Delivery]:
    """Note that those webhooks are to be told what became of the row. Gives their deliveries."""
    source = SOURCES.get(type(row))
    if source is None or what not in source.told:
        return []
    type_ = source.type_of(what)
    listening = Webhook.objects.filter(
        status=WebhookStatus.ACTIVE, owner__is_active=True, owner__in=source.users(row)
    )
    told = [hook for hook in listening if type_ in hook.events or EVERYTHING in hook.events]
    if not told:
        return []
    subject, data, make = source.address(row), source.render(row), _refreshed if source.often else deliver
    return [make(hook, type_, subject, data) for hook in told]


def deliver(
    webhook: Webhook, type_: str, subject: str, data: Mapping[str, Any], due_at: datetime | None = None
) -> Delivery:
    """Have an event sent to a webhook, now or when it is due."""
    now, event_id = timezone.now(), f"msg_{secrets.token_hex(16)}"
    return Delivery.objects.create(
        webhook=webhook,
        event_id=event_id,
        type=type_,
        subject=subject,
        body=_body(event_id, type_, subject, data, now),
        due_at=due_at or now,
        created_at=now,
    )


def _refreshed(webhook: Webhook, type_: str, subject: str, data: Mapping[str, Any]) -> Delivery:
    """As `deliver`, but one that was never sent yet is brought up to date instead, and the next is due so
    long after the last."""
    now = timezone.now()
    last = webhook.deliveries.filter(type=type_, subject=subject).order_by("-id").first()
    if last is None:
        return deliver(webhook, type_, subject, data)
    unsent = Delivery.objects.filter(pk=last.pk, status=DeliveryStatus.WAITING, token=0)
    if unsent.update(body=_body(last.event_id, type_, subject, data, now)):
        return last
    return deliver(webhook, type_, subject, data, max(now, last.created_at + timedelta(seconds=PACE_S)))


def _body(event_id: str, type_: str, subject: str, data: Mapping[str, Any], at: datetime) -> str:
    event = {"id": event_id, "type": type_, "created_at": at, "url": subject, "data": data}
    return json.dumps(event, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":"))
