"""How webhooks are sent what they are told: signatures, retries, one at a time, giving up."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.common.errors import Conflict
from league.common.lifecycle import StatusNote
from league.pipeline import deliver
from league.pipeline.reconcile import reconcile
from league.webhooks import deliveries, services
from league.webhooks.deliveries import DISABLE_AFTER, RETRY_S
from league.webhooks.models import Delivery, Webhook
from league.webhooks.sending import Attempt
from league.webhooks.signing import secret_of
from tests.league import kit
from tests.support.webhooks import BROKEN, DONE, attempt, later, verified

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]


# -- how it gets there ---------------------------------------------------------------------------------


def test_a_delivery_arrives_signed_as_standard_webhooks_are(ann, hook, there):
    kit.active(ann)
    deliver.deliver_next(hook.pk)
    (got,) = there.requests
    delivery = hook.deliveries.get()
    assert delivery.status == "delivered"
    assert (delivery.response_code, delivery.failure, delivery.attempt) == (204, "", 1)
    assert got.headers["Webhook-Id"] == delivery.event_id == json.loads(got.body)["id"]
    assert got.headers["Content-Type"] == "application/json"
    assert got.headers["User-Agent"].startswith("Polignac-Webhook/")
    assert verified(secret_of(hook), got)
    got.body += b" "
    assert not verified(secret_of(hook), got)


def test_the_check_in_the_docs_takes_what_is_ours_and_nothing_else(ann, hook, there):
    section = (ROOT / "docs/api.md").read_text().partition("\n## Webhooks\n")[2]
    code = re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
    names = {}
    exec(code, names)
    check = names["is_from_the_league"]
    kit.active(ann)
    deliver.deliver_next(hook.pk)
    (got,) = there.requests
    assert check(secret_of(hook), got.headers, got.body)
    assert not check(secret_of(hook), got.headers, got.body + b" ")
    assert not check(secret_of(services.rotate(hook)), got.headers, got.body)
    old = str(int(got.headers["Webhook-Timestamp"]) - 600)
    assert not check(secret_of(hook), {**got.headers, "Webhook-Timestamp": old}, got.body)


def test_after_a_new_secret_the_old_one_signs_for_a_day_too(ann, hook, there):
    old = secret_of(hook)
    hook = services.rotate(hook)
    for _ in range(2):
        services.ping(hook)
        deliver.deliver_next(hook.pk)
        later(hook, days=1)
        Webhook.objects.update(old_until=timezone.now())
    assert old != secret_of(hook)
    assert [verified(old, got) for got in there.requests] == [True, False]
    assert all(verified(secret_of(hook), got) for got in there.requests)


def test_the_database_alone_does_not_give_the_secret(ann, hook, settings):
    before = secret_of(hook)
    settings.SECRET_KEY = "another"
    assert secret_of(hook) != before


def test_a_receiver_that_fails_is_tried_again_later_with_the_same_id_and_bytes(ann, hook, there):
    there.answers = [500, (503, {}, b"busy"), 200]
    kit.active(ann)
    for status in ("waiting", "waiting", "delivered"):
        deliver.deliver_next(hook.pk)
        assert hook.deliveries.get().status == status
        later(hook, hours=1)
    first, *others = there.requests
    assert [(got.headers["Webhook-Id"], got.body) for got in others] == [
        (first.headers["Webhook-Id"], first.body)
    ] * 2
    hook.refresh_from_db()
    assert (hook.failures, hook.held_until) == (0, None)


def test_the_pauses_grow_and_after_the_last_it_is_given_up(ann, hook):
    kit.active(ann)
    for pause in RETRY_S:
        delivery = attempt(hook, BROKEN)
        waits = (delivery.due_at - timezone.now()).total_seconds()
        assert 0.9 * pause < waits < 1.21 * pause
        assert delivery.status == "waiting"
    given_up = attempt(hook, BROKEN)
    assert (given_up.status, given_up.attempt) == ("failed", 1 + len(RETRY_S))
    notes = StatusNote.objects.filter(kind="delivery", row=given_up.pk, old="sending")
    assert notes.count() == 1 + len(RETRY_S)
    assert sum(RETRY_S) == pytest.approx(86_400, rel=0.15)


def test_while_a_webhook_fails_its_other_deliveries_wait_too(ann, hook):
    kit.active(ann)
    attempt(hook, BROKEN)
    kit.active(ann, "Other", "lowest")
    assert deliveries.claim_next(hook.pk) is None
    assert 0 < deliveries.next_due_s(hook.pk) <= RETRY_S[0]


@pytest.mark.parametrize(("code", "says", "waits"), [
    (503, "600", 600),
    (429, "7", 7),
    (503, "99999999", 3600),
    (503, "soon", 5),
    (500, "600", 5),
])  # fmt: skip
def test_a_receiver_that_says_when_to_come_again_is_left_alone_so_long_but_no_longer_than_an_hour(
    ann, hook, there, code, says, waits
):
    there.answers = [(code, {"Retry-After": says}, b"")]
    kit.active(ann)
    deliver.deliver_next(hook.pk)
    delivery = hook.deliveries.get()
    left = (delivery.due_at - timezone.now()).total_seconds()
    assert delivery.status == "waiting"
    assert waits - 5 < left < 1.21 * waits + 1
    hook.refresh_from_db()
    held = (hook.held_until - timezone.now()).total_seconds()
    assert waits - 5 < held <= waits + 1, "its other deliveries wait, too"


def test_who_takes_long_rests_so_that_others_come_first(ann, bob, hook, there):
    other = services.create(bob, there.url, ["*"])
    for number, owner in enumerate((ann, ann, bob)):
        kit.active(owner, f"Bot {number}", ("dodger", "lowest", "highest")[number])
    deliveries.settle(deliveries.claim_next(hook.pk), Attempt("", 200, "", 9_000))
    assert deliveries.claim_next(hook.pk) is None
    assert deliveries.claim_next(other.pk) is not None
    later(hook, seconds=36)
    assert deliveries.claim_next(hook.pk) is not None


def test_a_message_that_comes_in_the_last_moment_of_a_rest_is_not_lost(ann, hook, there, monkeypatch):
    """The rest ends between the look for something to send and the question how long to wait."""
    sent = []
    monkeypatch.setattr(deliver, "nudge", lambda task, ids, **more: sent.append((ids, more)))
    kit.active(ann)
    sent.clear()
    with monkeypatch.context() as too_early:
        too_early.setattr(deliveries, "claim_next", lambda _: None)
        deliver.deliver_next(hook.pk)
    assert sent == [([hook.pk], {"in_s": 0.0})]
    deliveries.claim_next(hook.pk)
    deliver.deliver_next(hook.pk)
    assert len(sent) == 1, "another worker is at it, and goes on"


def test_one_webhook_is_sent_one_thing_at_a_time(ann, hook):
    kit.active(ann)
    kit.active(ann, "Other", "lowest")
    claim = deliveries.claim_next(hook.pk)
    assert deliveries.claim_next(hook.pk) is None
    with pytest.raises(IntegrityError), transaction.atomic():
        hook.deliveries.filter(status="waiting").update(status="sending", lease_until=timezone.now())
    deliveries.settle(claim, DONE)
    later(hook, minutes=1)
    assert deliveries.claim_next(hook.pk) is not None


def test_a_lost_worker_s_delivery_is_made_again_and_its_late_answer_changes_nothing(ann, hook, there):
    kit.active(ann)
    lost = deliveries.claim_next(hook.pk)
    reconcile()
    assert hook.deliveries.get().status == "sending"
    reconcile(timezone.now() + timedelta(hours=1))
    assert hook.deliveries.get().status == "waiting"
    deliver.deliver_next(hook.pk)
    with pytest.raises(deliveries.Lost):
        deliveries.settle(lost, BROKEN)
    assert hook.deliveries.get().status == "delivered"
    assert len(there.requests) == 1


def test_a_webhook_that_moves_inside_is_not_contacted(ann, hook, there, settings):
    settings.WEBHOOK_NETWORKS = []
    kit.active(ann)
    deliver.deliver_next(hook.pk)
    assert hook.deliveries.get().failure.startswith("address_refused")
    assert there.connections == 0


# -- giving up -----------------------------------------------------------------------------------------


def test_after_repeated_failure_a_webhook_is_disabled_and_its_owner_is_told(ann, hook, there):
    other = services.create(ann, there.url, ["webhook.disabled"])
    Webhook.objects.filter(pk=hook.pk).update(failures=DISABLE_AFTER - 2)
    for number, status in enumerate(("active", "disabled")):
        kit.active(ann, f"Bot {number}", ("dodger", "lowest")[number])
        Delivery.objects.filter(webhook=hook, status="waiting").update(attempt=len(RETRY_S))
        assert attempt(hook, BROKEN).status == "failed"
        assert Webhook.objects.get(pk=hook.pk).status == status
    hook.refresh_from_db()
    assert hook.status == "disabled"
    assert f"{DISABLE_AFTER} attempts in a row" in hook.reason
    assert "http_500" in hook.reason
    assert set(hook.deliveries.values_list("status", flat=True)) == {"failed"}
    notice = json.loads(other.deliveries.get(type="webhook.disabled").body)
    assert notice["data"] == {"id": hook.pk, "url": hook.url, "reason": hook.reason}
    kit.active(ann, "Unheard", "counter")
    assert "version.active" not in {d.type for d in hook.deliveries.filter(status="waiting")}


def test_one_success_and_the_count_begins_anew(ann, hook):
    kit.active(ann)
    for _ in range(3):
        attempt(hook, BROKEN)
    attempt(hook, DONE)
    hook.refresh_from_db()
    assert hook.failures == 0


def test_a_receiver_that_says_gone_is_disabled_at_once(ann, hook, there):
    there.usual = 410
    kit.active(ann)
    kit.active(ann, "Other", "lowest")
    deliver.deliver_next(hook.pk)
    hook.refresh_from_db()
    assert (hook.status, hook.reason[:5]) == ("disabled", "gone:")
    assert set(hook.deliveries.values_list("status", flat=True)) == {"failed"}
    assert services.enable(hook, ann).status == "active"


def test_a_ping_is_tried_once_and_counts_for_nothing(ann, hook):
    services.ping(hook)
    assert services.ping(hook) == hook.deliveries.get()
    assert attempt(hook, BROKEN).status == "failed"
    hook.refresh_from_db()
    assert (hook.failures, hook.held_until, hook.status) == (0, None, "active")


def test_what_failed_or_arrived_can_be_sent_again_with_the_same_id(ann, hook, there):
    there.answers = [500]
    ping = services.ping(hook)
    deliver.deliver_next(hook.pk)
    for _ in range(2):
        ping.refresh_from_db()
        again = services.redeliver(ping, ann, "fixed")
        assert services.redeliver(again, ann).status == "waiting"
        later(hook, hours=1)
        deliver.deliver_next(hook.pk)
    ids = [got.headers["Webhook-Id"] for got in there.requests]
    assert ids == [ping.event_id] * 3
    assert hook.deliveries.get().status == "delivered"
    assert StatusNote.objects.filter(kind="delivery", text="fixed", by=ann).count() == 2


def test_an_operator_blocks_a_webhook_and_its_owner_cannot_lift_that(ann, hook, staff):
    kit.active(ann)
    services.disable(hook, staff, "it floods somebody")
    assert set(hook.deliveries.values_list("status", flat=True)) == {"failed"}
    for refused in (services.enable, services.pause):
        with pytest.raises(Conflict):
            refused(hook, ann)
    with pytest.raises(Conflict):
        services.ping(hook)
    assert services.enable(hook, staff, "sorted out").status == "active"
    notes = StatusNote.objects.filter(kind="webhook", row=hook.pk).order_by("pk")
    assert [(note.new, note.text, note.by) for note in notes] == [
        ("blocked", "it floods somebody", staff),
        ("active", "sorted out", staff),
    ]


def test_a_deleted_webhook_breaks_no_transaction_that_is_writing_events_for_it(ann, hook):
    """Its row outlives it for a day: an event that refers to it can still be committed."""
    kit.active(ann)
    services.delete(hook, ann)
    services.delete(hook, ann)  # a double click: both found it, and the other was first
    assert not services.webhooks_of(ann).exists()
    assert hook.deliveries.count() == 0
    deliver.outbox.deliver(hook, "version.active", "", {})
    assert deliveries.claim_next(hook.pk) is None
    reconcile()
    assert Webhook.objects.filter(pk=hook.pk).exists()
    reconcile(timezone.now() + timedelta(days=2))
    assert not Webhook.objects.filter(pk=hook.pk).exists()
    assert not Delivery.objects.exists()


def test_the_log_is_forgotten_after_a_month(ann, hook):
    kit.active(ann)
    attempt(hook, DONE)
    reconcile(timezone.now() + timedelta(days=29))
    assert hook.deliveries.count() == 1
    reconcile(timezone.now() + timedelta(days=31))
    assert hook.deliveries.count() == 0
    assert not StatusNote.objects.filter(kind="delivery").exists()


def test_reconcile_sends_the_messages_of_what_is_due_and_of_nothing_else(ann, bob, hook, there, monkeypatch):
    asleep = services.create(bob, there.url, ["*"])
    sent = []
    monkeypatch.setattr(deliver, "nudge", lambda task, ids, **_: sent.append((task, list(ids))))
    kit.active(ann)
    assert sent.pop() == ("league.deliver_next", [hook.pk])
    reconcile()
    assert sent == [("league.deliver_next", [hook.pk])]
    assert asleep.deliveries.count() == 0
    deliver.deliver_next(hook.pk)
    sent.clear()
    reconcile(timezone.now() + timedelta(hours=1))
    assert sent == [("league.deliver_next", [])]
