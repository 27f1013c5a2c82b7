"""What the tests of webhooks share: attempts that end as told, and a receiver's check of a signature."""

import base64
import hashlib
import hmac
from datetime import timedelta

from django.utils import timezone

from league.webhooks import deliveries
from league.webhooks.models import Delivery
from league.webhooks.sending import Attempt

DONE, BROKEN = Attempt("", 204, "", 12), Attempt("http_500: no", 500, "oh", 12)


def told(hook):
    """The types of what it is to be told, in order."""
    return list(hook.deliveries.order_by("pk").values_list("type", flat=True))


def later(hook, **delta):
    """As if so much time had gone by: for what waits, and for the webhook."""
    ago = timedelta(**delta)
    hook.refresh_from_db()
    for delivery in hook.deliveries.all():
        Delivery.objects.filter(pk=delivery.pk).update(due_at=delivery.due_at - ago)
    for column in ("held_until", "rests_until"):
        if (until := getattr(hook, column)) is not None:
            setattr(hook, column, until - ago)
    hook.save()


def attempt(hook, how):
    """One attempt that ends so, when it is time for it."""
    later(hook, days=2)
    claim = deliveries.claim_next(hook.pk)
    assert claim is not None
    return deliveries.settle(claim, how)


def verified(secret, got, tolerance_s=300):
    """Whether a receiver that follows standardwebhooks.com takes it; written from that page alone."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    moment = got.headers["Webhook-Timestamp"]
    signed = b".".join([got.headers["Webhook-Id"].encode(), moment.encode(), got.body])
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    young = abs(timezone.now().timestamp() - int(moment)) < tolerance_s
    given = got.headers["Webhook-Signature"].encode().split(b" ")
    return young and any(hmac.compare_digest(expected, one) for one in given)
