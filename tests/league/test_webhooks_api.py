"""Webhooks over the API: their owner's alone, the secret shown once, the log, and what is refused."""

import pytest

from league.pipeline import deliver
from league.webhooks.models import Webhook
from league.webhooks.signing import secret_of
from tests.league import kit

pytestmark = pytest.mark.django_db

HOOKS = "/api/v1/webhooks/"
PUBLIC = "https://8.8.8.8/hook"


def made(client, url=PUBLIC, **more):
    answer = client.post(HOOKS, {"url": url, **more})
    assert answer.status_code == 201, answer.content
    return answer.json()


def test_a_secret_is_shown_when_it_is_made_and_never_again(as_ann):
    hook = made(as_ann)
    assert hook["secret"].startswith("whsec_")
    assert hook["events"] == ["*"]
    address = f"{HOOKS}{hook['id']}/"
    again = as_ann.post(address + "secret/").json()
    assert again["secret"] != hook["secret"]
    assert again["secret"] == secret_of(Webhook.objects.get())
    for answer in (as_ann.get(address), as_ann.get(HOOKS), as_ann.patch(address, {"active": False})):
        assert answer.status_code == 200
        assert "whsec_" not in answer.content.decode()


def test_a_webhook_is_its_owners_alone(as_ann, as_bob, as_staff, anybody, there):
    hook = made(as_ann, there.url)
    address = f"{HOOKS}{hook['id']}/"
    ping = as_ann.post(address + "ping/").json()["id"]
    delivery = f"{address}deliveries/{ping}/"
    asked = [
        *[("get", where) for where in (address, f"{address}deliveries/", delivery)],
        *[("post", where) for where in (f"{address}ping/", f"{address}secret/", f"{delivery}redeliver/")],
        ("patch", address),
        ("delete", address),
    ]
    for method, where in asked:
        assert getattr(anybody, method)(where).status_code == 401
        assert getattr(as_bob, method)(where).status_code == 404
        assert getattr(as_staff, method)(where).status_code == 404
    assert as_bob.get(HOOKS).json()["results"] == []
    assert [row["id"] for row in as_ann.get(HOOKS).json()["results"]] == [hook["id"]]


def test_a_delivery_of_another_webhook_is_not_found_under_ones_own(as_ann, as_bob, there):
    mine, other = made(as_bob, there.url)["id"], made(as_ann, there.url)["id"]
    ping = as_ann.post(f"{HOOKS}{other}/ping/").json()["id"]
    assert as_bob.get(f"{HOOKS}{mine}/deliveries/{ping}/").status_code == 404
    assert as_bob.post(f"{HOOKS}{mine}/deliveries/{ping}/redeliver/").status_code == 404


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "required", "url"),
        ({"url": "https://169.254.169.254/latest/meta-data/"}, "address_refused", "url"),
        ({"url": "https://localhost/"}, "address_refused", "url"),
        ({"url": "http://8.8.8.8/"}, "not_https", "url"),
        ({"url": "https://8.8.8.8:22/"}, "bad_port", "url"),
        ({"url": "https://me:secret@8.8.8.8/"}, "bad_url", "url"),
        ({"url": PUBLIC, "events": ["version.exploded"]}, "invalid_choice", "events.0"),
        ({"url": PUBLIC, "events": []}, "invalid", "events"),
        ({"url": PUBLIC, "events": "*"}, "invalid", "events"),
    ],
)
def test_what_a_webhook_cannot_be_is_refused_with_the_field(as_ann, body, code, field):
    answer = as_ann.post(HOOKS, body)
    assert answer.status_code == 400
    assert (answer.json()["code"], answer.json()["field"]) == (code, field)
    assert not Webhook.objects.exists()


def test_the_quota_is_told(as_ann, settings):
    settings.MAX_WEBHOOKS = 1
    made(as_ann)
    answer = as_ann.post(HOOKS, {"url": PUBLIC})
    assert (answer.status_code, answer.json()["code"]) == (429, "quota")


def test_nothing_but_address_events_and_activity_can_be_changed(as_ann, bob):
    hook = made(as_ann, events=["tournament.finished"])
    address = f"{HOOKS}{hook['id']}/"
    changed = as_ann.patch(address, {"events": ["tournament.open", "tournament.open"]}).json()
    assert changed["events"] == ["tournament.open"]
    assert as_ann.patch(address, {"url": "https://1.1.1.1/"}).json()["url"] == "https://1.1.1.1/"
    for body in ({"owner": bob.pk}, {"status": "blocked"}, {"salt": "a"}, {"failures": 99}):
        assert as_ann.patch(address, body).status_code == 400
    row = Webhook.objects.get()
    assert (row.owner.username, row.status, row.failures) == ("ann", "active", 0)
    assert row.salt != "a"


def test_pausing_and_switching_on_are_safe_to_repeat(as_ann):
    address = f"{HOOKS}{made(as_ann)['id']}/"
    for active, status in ((False, "paused"), (False, "paused"), (True, "active"), (True, "active")):
        assert as_ann.patch(address, {"active": active}).json()["status"] == status
    as_ann.patch(address, {"active": False})
    answer = as_ann.post(address + "ping/")
    assert (answer.status_code, answer.json()["code"]) == (409, "webhook_off")
    assert as_ann.delete(address).status_code == 204
    assert as_ann.delete(address).status_code == 404


def test_the_log_tells_what_was_sent_what_came_back_and_what_is_next(as_ann, ann, there):
    there.answers = [(503, {}, b"busy\x00\x1b[2J")]
    hook = made(as_ann, there.url)
    log = f"{HOOKS}{hook['id']}/deliveries/"
    kit.active(ann)
    deliver.deliver_next(hook["id"])
    (row,) = as_ann.get(log).json()["results"]
    assert (row["type"], row["status"], row["attempts"]) == ("version.active", "waiting", 1)
    assert (row["response_code"], row["failure"].partition(":")[0]) == (503, "http_503")
    assert row["response"].startswith("busy")
    assert row["response"].isprintable()
    assert row["next_at"] > row["created_at"]
    sent = as_ann.get(f"{log}{row['id']}/").json()["event"]
    assert sent["id"] == row["event_id"] == there.requests[0].headers["Webhook-Id"]
    assert sent["data"]["bot"] == "Dodger"


def test_a_delivery_is_sent_again_by_its_owner(as_ann, there):
    hook = made(as_ann, there.url)
    ping = as_ann.post(f"{HOOKS}{hook['id']}/ping/")
    assert ping.status_code == 202
    deliver.deliver_next(hook["id"])
    Webhook.objects.update(rests_until=None)
    address = f"{HOOKS}{hook['id']}/deliveries/{ping.json()['id']}/"
    assert as_ann.get(address).json()["status"] == "delivered"
    assert as_ann.post(address + "redeliver/").json()["status"] == "waiting"
    deliver.deliver_next(hook["id"])
    assert len({got.headers["Webhook-Id"] for got in there.requests}) == 1
    assert len(there.requests) == 2
    log = f"{HOOKS}{hook['id']}/deliveries/"
    assert len(as_ann.get(log, {"status": "delivered", "type": "webhook.ping"}).json()["results"]) == 1
    assert as_ann.get(log, {"status": "failed"}).json()["results"] == []


def test_a_token_that_may_only_read_makes_and_steers_no_webhook(ann, as_ann):
    hook = made(as_ann)
    login = {"username": "ann", "password": kit.PASSWORD, "scopes": ["read"]}
    reader = kit.client()
    reader.credentials(HTTP_AUTHORIZATION=f"Bearer {reader.post('/api/v1/tokens/', login).json()['token']}")
    address = f"{HOOKS}{hook['id']}/"
    assert reader.get(address).status_code == 200
    for answer in (
        reader.post(HOOKS, {"url": PUBLIC}),
        reader.post(address + "secret/"),
        reader.delete(address),
    ):
        assert answer.status_code == 403
    assert Webhook.objects.count() == 1
