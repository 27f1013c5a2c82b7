"""What webhooks are told, whom it concerns, and what they may be."""

import json

import pytest
from django.db import connection, transaction

from league.bots import services as bots
from league.common.errors import Invalid, OverQuota
from league.pipeline.start import start_tournament
from league.tournaments import services as tournaments
from league.tournaments import steering
from league.webhooks import deliveries, services
from league.webhooks.events import TYPES
from league.webhooks.models import Webhook
from tests.league import kit
from tests.support.webhooks import DONE, attempt, told

pytestmark = pytest.mark.django_db


# -- what is told, and to whom -------------------------------------------------------------------------


def test_an_author_is_told_what_became_of_an_upload(ann, hook):
    kit.active(ann, "Good")
    bad = bots.claim_version(kit.received(ann, "Bad", "highest").pk)
    bots.record_stage(bad, 1, kit.stage("start", "failed", code="no_start", message="It ended."))
    bots.finish_check(bad)
    assert told(hook) == ["version.active", "version.rejected"]
    event = json.loads(hook.deliveries.get(type="version.rejected").body)
    assert event["data"]["reason_code"] == "no_start"
    assert event["url"] == f"/api/v1/versions/{bad.pk}/"


def test_organiser_and_entrants_are_told_where_a_tournament_is_and_nobody_else(ann, bob, there):
    hooks = {user: services.create(user, there.url, ["*"]) for user in (ann, bob, kit.author(1))}
    cup = kit.open_tournament(ann)
    kit.entered(cup, 3)
    start_tournament(cup, ann)
    steering.pause(cup, ann)
    steering.resume(cup, ann)
    kit.play_all(cup)
    course = [f"tournament.{status}" for status in ("running", "paused", "running", "finished")]
    assert [type_ for type_ in told(hooks[ann]) if type_ != "version.active"] == ["tournament.open", *course]
    assert [type_ for type_ in told(hooks[kit.author(1)]) if type_ != "version.active"] == course
    assert told(hooks[bob]) == []


def test_what_is_said_is_what_the_api_answers(ann, hook, as_ann):
    cup, _ = kit.running(ann)
    tournaments.cancel(cup, ann)
    event = json.loads(hook.deliveries.get(type="tournament.cancelled").body)
    assert set(event) == {"id", "type", "created_at", "url", "data"}
    assert event["data"] == as_ann.get(event["url"]).json()


def test_no_seed_of_a_tournament_that_runs_and_no_log_is_ever_told(ann, hook):
    cup, tables = kit.running(ann)
    kit.play(tables[0])
    bodies = " ".join(hook.deliveries.values_list("body", flat=True))
    cup.refresh_from_db()
    assert cup.seed not in bodies
    assert "log of" not in bodies
    assert json.loads(hook.deliveries.get(type="tournament.running").body)["data"]["seed"] is None


def test_an_author_is_told_once_a_minute_that_a_pool_has_new_ratings_and_gets_the_newest(ann, bob, there):
    hook, other = (services.create(user, there.url, ["pool.published"]) for user in (ann, bob))
    cup, tables = kit.running(ann, boards=1)
    for table in tables:
        kit.play(table)
    first = kit.recompute(cup.pool)
    assert attempt(hook, DONE).type == "pool.published"
    for _ in range(3):
        newest = kit.recompute(cup.pool, anew=True)
    waiting = hook.deliveries.get(status="waiting")
    assert waiting.due_at >= hook.deliveries.get(status="delivered").created_at
    assert json.loads(waiting.body)["id"] == waiting.event_id
    assert json.loads(waiting.body)["data"]["snapshot"]["number"] == newest.number > first.number
    assert told(other) == []
    assert told(hook) == ["pool.published"] * 2


def test_only_what_one_asked_for_is_sent(ann, there):
    hook = services.create(ann, there.url, ["version.rejected", "tournament.open"])
    kit.active(ann)
    kit.open_tournament(ann)
    assert told(hook) == ["tournament.open"]


def test_what_is_rolled_back_is_not_told(ann, hook):
    version = kit.received(ann)
    with transaction.atomic():
        bots.finish_check(bots.claim_version(version.pk))
        assert told(hook) == ["version.active"]
        transaction.set_rollback(True)
    assert told(hook) == []


def test_a_closed_account_is_told_nothing(ann, hook):
    kit.active(ann)
    ann.is_active = False
    ann.save()
    kit.active(ann, "Other", "lowest")
    assert told(hook) == ["version.active"]
    assert deliveries.claim_next(hook.pk) is None


def test_a_message_is_sent_after_the_commit_and_names_the_webhook(
    ann, hook, django_capture_on_commit_callbacks, monkeypatch
):
    sent = []
    monkeypatch.setattr(
        "league.pipeline.queue._send", lambda task, messages, in_s: sent.append((task, messages))
    )
    with django_capture_on_commit_callbacks(execute=True):
        kit.active(ann)
        assert sent == []
    assert ("league.deliver_next", [[hook.pk]]) in sent


# -- making one ----------------------------------------------------------------------------------------


def test_an_address_inside_is_refused_when_a_webhook_is_made_or_changed(as_ann, hook):
    for url in ("https://10.0.0.1/", "https://[::1]/", "http://8.8.8.8/"):
        with pytest.raises(Invalid) as error:
            services.check_url(url)
        assert error.value.field == "url"
        for answer in (
            as_ann.post("/api/v1/webhooks/", {"url": url}),
            as_ann.patch(f"/api/v1/webhooks/{hook.pk}/", {"url": url}),
        ):
            assert (answer.status_code, answer.json()["field"]) == (400, "url")
    assert Webhook.objects.get().url == hook.url


def test_a_name_is_resolved_before_the_transaction_and_not_for_a_repeat(as_ann, hook, monkeypatch):
    """Resolving takes its time, and would hold up whoever wants to write."""
    asked = []
    depth = len(connection.savepoint_ids)  # the test's own

    def resolving(url, *_):
        asked.append(len(connection.savepoint_ids) - depth)

    monkeypatch.setattr(services, "destination", resolving)
    key = {"headers": {"Idempotency-Key": "one"}}
    body = {"url": "https://hooks.example/"}
    assert as_ann.post("/api/v1/webhooks/", body, **key).status_code == 201
    other = {"headers": {"Idempotency-Key": "two"}}
    assert as_ann.patch(f"/api/v1/webhooks/{hook.pk}/", body, **other).status_code == 200
    assert asked == [0, 0]
    again = as_ann.post("/api/v1/webhooks/", body, **key)
    assert again.json()["code"] == "idempotency_secret"
    assert len(asked) == 2
    assert Webhook.objects.count() == 2


def test_one_user_may_have_so_many_webhooks(ann, bob, hook, settings):
    settings.MAX_WEBHOOKS = 2
    services.create(ann, hook.url, ["*"])
    with pytest.raises(OverQuota):
        services.create(ann, hook.url, ["*"])
    services.create(bob, hook.url, ["*"])


def test_every_type_tells_what_it_means():
    assert len(TYPES) >= 12
    assert all(meaning.endswith(".") for meaning in TYPES.values())
