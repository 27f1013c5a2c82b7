"""Signatures by which a receiver knows that a delivery is ours, and new: those of standardwebhooks.com.

What is signed is `id.timestamp.body`, with HMAC-SHA256. A secret is not stored: it is made of the site's
SECRET_KEY and the webhook's salt, so that whoever reads the database can't sign.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from league.webhooks.models import Delivery, Webhook

PREFIX = "whsec_"
#: How long after a new secret was made the old one signs, too.
OVERLAP = timedelta(days=1)


def new_salt() -> str:
    """For a secret that nobody has had."""
    return secrets.token_hex(16)


def secret_of(webhook: Webhook) -> str:
    """The secret, as its owner gets to see it once: `whsec_` and the key in base64."""
    return PREFIX + base64.b64encode(_key(webhook.salt)).decode()


def headers_of(webhook: Webhook, delivery: Delivery, now: datetime) -> Mapping[str, str]:
    """The headers by which a receiver checks a delivery that is sent now."""
    moment = str(int(now.timestamp()))
    signed = f"{delivery.event_id}.{moment}.{delivery.body}".encode()
    signatures = (hmac.digest(_key(salt), signed, hashlib.sha256) for salt in _salts(webhook, now))
    return {
        "Webhook-Id": delivery.event_id,
        "Webhook-Timestamp": moment,
        "Webhook-Signature": " ".join(f"v1,{base64.b64encode(mac).decode()}" for mac in signatures),
    }


def _salts(webhook: Webhook, now: datetime) -> Iterator[str]:
    yield webhook.salt
    if webhook.old_until is not None and now < webhook.old_until:
        yield webhook.old_salt


def _key(salt: str) -> bytes:
    return salted_hmac("league.webhooks", salt, algorithm="sha256").digest()
