"""Everybody gets their turn: requests are counted, and what one user may have is bounded and told."""

import threading
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.db import connection
from django.test import RequestFactory
from redis.exceptions import ConnectionError as NoRedis
from rest_framework.request import Request
from rest_framework.settings import api_settings

from league.accounts import quotas
from league.accounts.scopes import Scope
from league.api.throttles import FairThrottle
from league.bots import services as bots
from league.common.errors import OverQuota
from league.tournaments import services as tournaments
from sandbox.reference import reference_package
from tests.league import kit

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.django_db
ME, BOTS = "/api/v1/users/me/", "/api/v1/bots/"


@pytest.fixture
def rates(monkeypatch):
    """Three requests a minute, of each kind."""
    few = {**api_settings.DEFAULT_THROTTLE_RATES, **dict.fromkeys(("anonymous", "read", "submit"), "3/min")}
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", few)
    monkeypatch.setattr(FairThrottle, "asked_again_at", 0.0)


def test_a_user_is_told_to_wait_by_scope_and_others_are_not(rates, as_ann, as_bob):
    answers = [as_ann.get(ME) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[-1].json()["code"] == "throttled"
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert as_ann.post(BOTS, {"name": "Dodger"}).status_code == 201  # another scope
    assert as_bob.get(ME).status_code == 200


def test_a_users_tokens_count_together(rates, ann):
    assert [kit.client(ann).get(ME).status_code for _ in range(4)] == [200, 200, 200, 429]


def test_visitors_are_counted_by_address_and_of_ipv6_by_network(rates, anybody, as_ann):
    def get(address):
        return anybody.get(BOTS, REMOTE_ADDR=address).status_code

    assert [get("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
    assert get("192.0.2.2") == 200
    assert [get(f"2001:db8::{last}") for last in range(1, 5)] == [200, 200, 200, 429]
    assert get("2001:db8:0:1::1") == 200
    assert as_ann.get(BOTS, REMOTE_ADDR="192.0.2.1").status_code == 200


def test_requests_at_the_same_time_are_all_counted(monkeypatch):
    both, get = threading.Barrier(2, timeout=20), LocMemCache.get

    def together(*args, **more):
        """What is counted is read by both before one of them goes on."""
        found = get(*args, **more)
        with suppress(threading.BrokenBarrierError):
            both.wait()
        return found

    few = {**api_settings.DEFAULT_THROTTLE_RATES, "anonymous": "1/min"}
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", few)
    monkeypatch.setattr(LocMemCache, "get", together)
    taken = []

    def ask():
        request = Request(RequestFactory().get(BOTS))
        taken.append(FairThrottle().allow_request(request, None))
        both.abort()

    hands = [threading.Thread(target=ask) for _ in range(2)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert sorted(taken) == [False, True]


def test_requests_that_are_refused_are_counted_too(rates, anybody, ann):
    def get(address, **headers):
        return [anybody.get(ME, REMOTE_ADDR=address, **headers).status_code for _ in range(4)]

    assert get("192.0.2.1") == [401, 401, 401, 429]
    assert get("192.0.2.2", HTTP_AUTHORIZATION="Bearer none") == [401, 401, 401, 429]
    body = {"username": ann.username, "password": kit.PASSWORD, "scopes": ["submit"]}
    token = anybody.post("/api/v1/tokens/", body).json()["token"]
    lacks = [anybody.get(BOTS, HTTP_AUTHORIZATION=f"Bearer {token}").status_code for _ in range(4)]
    assert lacks == [403, 403, 403, 429]


def test_a_forged_header_makes_no_new_visitor(rates, anybody):
    answers = [anybody.get(BOTS, HTTP_X_FORWARDED_FOR=f"10.0.0.{number}") for number in range(4)]
    assert answers[-1].status_code == 429


def test_health_is_answered_however_often(rates, anybody):
    assert {anybody.get("/api/v1/health/").status_code for _ in range(5)} <= {200, 503}


def test_where_nothing_can_be_counted_everybody_is_answered_and_the_cache_left_alone(
    rates, anybody, monkeypatch
):
    asked = []

    def gone(*args, **more):
        asked.append(args)
        raise NoRedis("gone")

    monkeypatch.setattr(FairThrottle.cache, "get", gone, raising=False)
    assert [anybody.get(BOTS).status_code for _ in range(5)] == [200] * 5
    assert len(asked) == 1  # a cache that hangs would hold each up


# -- quotas --------------------------------------------------------------------------------------------------


def test_users_me_tells_what_is_used_of_every_quota(as_ann, ann, settings):
    version = kit.received(ann)
    kit.open_tournament(ann)
    told = as_ann.get(ME).json()["quotas"]
    assert set(told) == set(quotas.QUOTAS) >= {
        "uploads_a_day", "kept_bytes", "waiting_checks", "open_tournaments", "waiting_tables"
    }  # fmt: skip
    assert told["uploads_a_day"] == {"used": 1, "limit": settings.MAX_UPLOADS_A_DAY, "unit": "versions"}
    kept = {"used": version.size_bytes, "limit": settings.MAX_KEPT_MIB * 1024**2, "unit": "bytes"}
    assert told["kept_bytes"] == kept
    assert told["open_tournaments"]["used"] == 1


@pytest.mark.parametrize("name", ["MAX_UPLOADS_A_DAY", "MAX_WAITING_CHECKS", "MAX_KEPT_MIB"])
def test_an_upload_beyond_a_quota_is_refused_and_the_same_one_again_is_none(ann, bob, settings, name):
    bot = bots.create_bot(ann, "Dodger")
    first = bots.add_version(bot, reference_package("dodger"))
    setattr(settings, name, 0 if name == "MAX_KEPT_MIB" else 1)
    assert bots.add_version(bot, reference_package("dodger")) == (first[0], False)
    with pytest.raises(OverQuota, match=r"[a-z_]+: \d+ of \d+ (versions|bytes) are used, and this needs \d+"):
        bots.add_version(bot, reference_package("lowest"))
    assert bot.versions.count() == 1
    if name != "MAX_KEPT_MIB":
        assert bots.add_version(bots.create_bot(bob, "Other"), reference_package("dodger"))[1]


def test_a_quota_holds_for_staff_and_a_tournament_that_is_over_counts_no_more(staff, as_staff, settings):
    settings.MAX_OPEN_TOURNAMENTS = 1
    cup = kit.open_tournament(staff)
    answer = as_staff.post("/api/v1/tournaments/", {"name": "Other"})
    assert (answer.status_code, answer.json()["code"]) == (429, "quota")
    assert answer.json()["detail"].startswith("open_tournaments: 1 of 1 tournaments are used")
    assert "Retry-After" not in answer.headers
    tournaments.cancel(cup, staff)
    assert as_staff.post("/api/v1/tournaments/", {"name": "Other"}).status_code == 201


@pytest.mark.django_db(transaction=True)
def test_two_at_once_do_not_pass_a_quota_together(ann, settings):
    settings.MAX_OPEN_TOURNAMENTS = 1
    made, both = [], threading.Barrier(2)

    def make(name):
        both.wait()
        try:
            made.append(tournaments.create_tournament(ann, name, kit.QUICK, 1))
        except OverQuota:
            pass
        finally:
            connection.close()

    hands = [threading.Thread(target=make, args=(name,)) for name in ("One", "Other")]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert len(made) == 1


def test_the_page_has_every_scope_quota_and_rate_as_they_are(settings):
    page = (ROOT / "docs" / "api.md").read_text()
    for scope in Scope:
        assert f"| `{scope}` | {scope.about} |" in page
    for name, quota in quotas.QUOTAS.items():
        usual = getattr(settings, quota.setting)
        assert f"| `{name}` | `{quota.setting}` | {usual}" in page
    for kind, rate in settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"].items():
        assert f"| `{kind.upper()}_RATE` | {rate} |" in page
