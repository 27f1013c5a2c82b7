"""Fixtures for the league's tests; what they are built from is in tests/league/kit.py."""

import random
from ipaddress import ip_network
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.test import Client

from league.tournaments import models, planning
from league.webhooks import services as webhooks
from tests.league import kit
from tests.support import failures
from tests.support.receiver import receiver


@pytest.fixture(autouse=True)
def _no_memory_of_other_tests():
    """Throttles count in the cache."""
    cache.clear()


@pytest.fixture(autouse=True)
def _every_error_is_declared(monkeypatch):
    """What the API refuses in any test, it refuses as its document says."""
    send = Client.request

    def sent(self, **request):
        answer = send(self, **request)
        failures.check(answer)
        return answer

    monkeypatch.setattr(Client, "request", sent)


@pytest.fixture(autouse=True)
def _own_data(settings, tmp_path):
    """Archives go into the test's own folder."""
    settings.DATA_DIR = tmp_path


@pytest.fixture(autouse=True)
def _same_deals(request, monkeypatch):
    """A test's boards are the same in each run: who wins, and who ties, is not left to luck."""
    chance = random.Random(request.node.nodeid)
    seeded = SimpleNamespace(
        token_bytes=chance.randbytes, token_hex=lambda size: chance.randbytes(size).hex()
    )
    for module in (models, planning):
        monkeypatch.setattr(module, "secrets", seeded)


@pytest.fixture
def ann(db):
    """A user."""
    return kit.user("ann")


@pytest.fixture
def bob(db):
    """Another user."""
    return kit.user("bob")


@pytest.fixture
def staff(db):
    """A user of the staff."""
    return kit.user("root", is_staff=True)


@pytest.fixture
def anybody(db):
    """A client without a token."""
    return kit.client()


@pytest.fixture
def as_ann(ann):
    """Ann's client."""
    return kit.client(ann)


@pytest.fixture
def as_bob(bob):
    """Bob's client."""
    return kit.client(bob)


@pytest.fixture
def as_staff(staff):
    """A client of the staff's."""
    return kit.client(staff)


@pytest.fixture
def there(settings):
    """A receiver of webhooks on this machine, which is allowed."""
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.1")]
    with receiver() as made:
        yield made


@pytest.fixture
def hook(ann, there):
    """Ann's webhook for everything."""
    return webhooks.create(ann, there.url, ["*"])
