"""What a webhook's owner does with it, and an operator. How it is told of events: `outbox`, `deliveries`."""

from collections.abc import Iterable

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from league.accounts.models import User
from league.accounts.quotas import Quota
from league.common.errors import Conflict, Invalid
from league.common.lifecycle import lock, move
from league.webhooks import deliveries, outbox
from league.webhooks.addresses import Refused, destination
from league.webhooks.events import PING
from league.webhooks.lifecycle import DeliveryStatus, WebhookStatus
from league.webhooks.models import Delivery, Webhook
from league.webhooks.signing import OVERLAP, new_salt

#: How long a request may wait for a name to be resolved.
RESOLVE_S = 3.0


def webhooks_of(user: User) -> QuerySet[Webhook]:
    """A user's webhooks."""
    return Webhook.objects.filter(owner=user).exclude(status=WebhookStatus.DELETED).order_by("id")


def _had(user: User) -> int:
    return webhooks_of(user).count()


WEBHOOKS = Quota("webhooks", "MAX_WEBHOOKS", "webhooks", _had, "Delete one first.")


@transaction.atomic
def create(owner: User, url: str, events: Iterable[str]) -> Webhook:
    """A new webhook, active at once, for an address that `check_url` has taken. Raises OverQuota."""
    WEBHOOKS.check(owner)
    return Webhook.objects.create(owner=owner, url=url, events=sorted(set(events)), salt=new_salt())


def check_url(url: str) -> None:
    """Raises Invalid for an address that a webhook can't have now; it is checked again at each use.

    It takes RESOLVE_S at the most: call it outside of transactions.
    """
    try:
        destination(url, settings.WEBHOOK_NETWORKS, RESOLVE_S)
    except Refused as error:
        raise Invalid(error.code, str(error), "url") from None


@transaction.atomic
def change(webhook: Webhook, *, url: str | None = None, events: Iterable[str] | None = None) -> Webhook:
    """Send it elsewhere, where `check_url` has taken that, or other events; what waits goes to the new
    address."""
    now = lock(webhook)
    now.url, now.events = url or now.url, now.events if events is None else sorted(set(events))
    now.save(update_fields=["url", "events"])
    return now


@transaction.atomic
def delete(webhook: Webhook, by: User) -> None:
    """Delete it, and its log; the row itself is gone a day later (`deliveries.forget`).

    Deleting a deleted one changes nothing.
    """
    now = lock(webhook)
    if now.status == WebhookStatus.DELETED:
        return
    move(now, WebhookStatus.DELETED, by=by)
    deliveries.erase(list(now.deliveries.values_list("pk", flat=True)))


@transaction.atomic
def rotate(webhook: Webhook) -> Webhook:
    """Give it a new secret; for a day what is sent is signed with the old one, too."""
    now = lock(webhook)
    now.old_salt, now.old_until = now.salt, timezone.now() + OVERLAP
    now.salt = new_salt()
    now.save(update_fields=["salt", "old_salt", "old_until"])
    return now


@transaction.atomic
def pause(webhook: Webhook, by: User) -> Webhook:
    """Its owner wants nothing sent: what waits is given up. Pausing a paused one changes nothing.

    Raises IllegalMove for one that is blocked.
    """
    now = lock(webhook)
    if now.status == WebhookStatus.PAUSED:
        return now
    return deliveries.switch_off(now, WebhookStatus.PAUSED, "", by)


@transaction.atomic
def enable(webhook: Webhook, by: User, why: str = "") -> Webhook:
    """Send events from now on; what happened meanwhile isn't told. Enabling an active one changes nothing.

    Raises Conflict for one that an operator has blocked, unless staff does it.
    """
    now = lock(webhook)
    if now.status == WebhookStatus.ACTIVE:
        return now
    if now.status == WebhookStatus.BLOCKED and not by.is_staff:
        state = {"status": now.status}
        raise Conflict("webhook_blocked", f"An operator has blocked it: {now.reason}.", state=state)
    return move(now, WebhookStatus.ACTIVE, text=why, by=by, reason="", failures=0, held_until=None)


@transaction.atomic
def disable(webhook: Webhook, by: User, why: str = "") -> Webhook:
    """An operator blocks it: its owner can't switch it on again. Blocking a blocked one changes nothing."""
    now = lock(webhook)
    if now.status == WebhookStatus.BLOCKED:
        return now
    return deliveries.switch_off(now, WebhookStatus.BLOCKED, why or "by an operator", by)


@transaction.atomic
def ping(webhook: Webhook) -> Delivery:
    """Have a `webhook.ping` sent, once; while one waits, that is it. Raises Conflict unless it is active."""
    now = _ready(webhook)
    unsent = (DeliveryStatus.WAITING, DeliveryStatus.SENDING)
    waiting = now.deliveries.filter(type=PING, status__in=unsent).first()
    return waiting or outbox.deliver(now, PING, "", {"webhook": now.pk})


@transaction.atomic
def redeliver(delivery: Delivery, by: User, why: str = "") -> Delivery:
    """Send once more what was delivered or given up: the same bytes, the same id. One that waits, or is being
    sent, stays as it is. Raises Conflict unless the webhook is active."""
    _ready(delivery.webhook)
    now = lock(delivery)
    if now.status in (DeliveryStatus.WAITING, DeliveryStatus.SENDING):
        return now
    return move(now, DeliveryStatus.WAITING, text=why, by=by, attempt=0, due_at=timezone.now())


def _ready(webhook: Webhook) -> Webhook:
    """The webhook, locked and no longer held up by what has failed before: somebody says that it works."""
    now = lock(webhook)
    if now.status != WebhookStatus.ACTIVE:
        state = {"status": now.status}
        raise Conflict("webhook_off", f"This webhook is {now.status}; switch it on first.", state=state)
    Webhook.objects.filter(pk=now.pk).update(held_until=None)
    return now
