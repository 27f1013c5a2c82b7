"""`polignac webhook …`: typed against a real site, with a real receiver."""

import json
from ipaddress import ip_network

import pytest

from league.pipeline import deliver
from league.webhooks.models import Delivery, Webhook
from tests.support.receiver import receiver


@pytest.fixture
def there(settings):
    """A receiver on this machine, which is allowed."""
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.1")]
    with receiver() as made:
        yield made


def test_a_webhook_from_its_secret_to_its_end(site, polignac, as_user, there):
    as_user("ann")
    assert polignac("webhook", "list")[1] == "no webhooks yet: polignac webhook add URL\n"
    code, out, err = polignac("webhook", "add", there.url, "--event", "version.active", "--json")
    assert (code, err) == (0, "")
    made = json.loads(out)
    assert made["secret"].startswith("whsec_")
    assert made["events"] == ["version.active"]
    hook = made["id"]
    _, out, _ = polignac("webhook", "list")
    assert there.url in out
    assert "whsec_" not in out
    assert "whsec_" in polignac("webhook", "rotate", hook)[1]

    there.answers = [(503, {}, b"busy\x1b[2J")]
    assert "webhook.ping" in polignac("webhook", "ping", hook)[1]
    deliver.deliver_next(hook)
    (row,) = json.loads(polignac("webhook", "log", hook, "--status", "failed", "--json")[1])
    assert (row["type"], row["response_code"]) == ("webhook.ping", 503)
    code, out, _ = polignac("webhook", "redeliver", hook, row["id"])
    assert (code, out.splitlines()[0]) == (0, f"Delivery {row['id']} (webhook.ping) is waiting.")
    Webhook.objects.update(rests_until=None)
    deliver.deliver_next(hook)
    assert Delivery.objects.get().status == "delivered"
    assert "204" in polignac("webhook", "log", hook)[1]

    assert polignac("webhook", "pause", hook)[1] == f"Webhook {hook} is paused.\n"
    code, _, err = polignac("webhook", "ping", hook)
    assert code == 1
    assert "webhook_off" in err
    assert polignac("webhook", "resume", hook)[1] == f"Webhook {hook} is active.\n"
    assert polignac("webhook", "remove", hook)[0] == 0
    assert polignac("webhook", "remove", hook)[0] == 1


def test_an_address_inside_is_the_sites_refusal(site, polignac, as_user):
    as_user("ann")
    code, out, err = polignac("webhook", "add", "https://169.254.169.254/")
    assert (code, out) == (1, "")
    assert "address_refused" in err
