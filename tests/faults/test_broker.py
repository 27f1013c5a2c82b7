"""A broker that is away: the site goes on, and nothing that was asked for is forgotten."""

from datetime import timedelta

import pytest
import redis
from django.utils import timezone

from league.bots import services as bots
from league.bots.models import Version
from league.pipeline.reconcile import reconcile
from league.pipeline.submit import submit_bot
from tests.league import kit

pytestmark = [pytest.mark.redis, pytest.mark.django_db(transaction=True)]


def test_health_tells_whether_the_broker_answers(broker, settings):
    settings.CELERY_BROKER_URL = broker.url
    answer = kit.client().get("/api/v1/health/")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "refusing_workers": 0})
    broker.kill()
    answer = kit.client().get("/api/v1/health/")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert [error["code"] for error in answer.json()["errors"]] == ["no_broker"]


def test_an_upload_while_the_broker_is_away_is_kept_and_checked_later(broker):
    bot = bots.create_bot(kit.user("ann"), "Dodger")
    broker.kill()
    version, new = submit_bot(bot, kit.reference_package("dodger").to_zip(), "bot.zip")
    assert (new, Version.objects.get()) == (True, version)
    broker.start()
    reconcile(timezone.now() + timedelta(minutes=5))
    assert broker.queued() == 1


def test_an_upload_that_finds_redis_full_is_kept_and_checked_later(broker):
    bot = bots.create_bot(kit.user("ann"), "Dodger")
    with redis.Redis.from_url(broker.url) as client:
        client.config_set("maxmemory", 1)
        _, new = submit_bot(bot, kit.reference_package("dodger").to_zip(), "bot.zip")
        assert (new, broker.queued()) == (True, 0)
        client.config_set("maxmemory", 0)
    reconcile(timezone.now() + timedelta(minutes=5))
    assert broker.queued() == 1


def test_without_redis_nobody_logs_in_and_everything_else_goes_on(broker, settings):
    ann = kit.user("ann")
    known, cache = kit.client(ann), {**settings.CACHES["default"]}
    cache |= {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": broker.url}
    settings.CACHES = {"default": cache}
    broker.kill()
    # Attempts can't be counted now, and passwords could be guessed without end.
    answer = kit.client().post("/api/v1/tokens/", {"username": "ann", "password": kit.PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert known.get("/api/v1/users/me/").status_code == 200
    assert known.post("/api/v1/bots/", {"name": "Dodger"}).status_code == 201
    assert kit.client().get("/api/v1/ratings/").status_code == 200


def test_a_check_goes_before_the_tables_that_wait(broker):
    ann = kit.user("ann")
    _, tables = kit.running(ann)
    reconcile(timezone.now() + timedelta(minutes=5))
    submit_bot(bots.create_bot(ann, "Dodger"), kit.reference_package("dodger").to_zip(), "bot.zip")
    assert broker.lengths() == {"play": 1, "play\x06\x165": len(tables)}
