"""Writes sent again with their `Idempotency-Key`: one effect, one answer, whatever broke off in between."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.utils import timezone

from league.accounts.models import User
from league.api import idempotency
from league.api.models import Answer
from league.api.views.bots import Bots
from league.bots import services as bots
from league.bots.models import Bot, Version
from league.pipeline.reconcile import reconcile
from league.tournaments.models import Tournament
from tests.league import kit

pytestmark = pytest.mark.django_db
KEY = {"HTTP_IDEMPOTENCY_KEY": "4f1d-é".encode().hex()}
SOURCE = b"import polignac\n\n\nclass Mine(polignac.Bot):\n    pass\n\n\nMine().run()\n"


def post(api, path, body=None, key=KEY):
    return api.post(f"/api/v1/{path}", body, **key)


def form(boundary, data=SOURCE, name="bot.py"):
    """An upload as a client writes it, whose boundary is another each time."""
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    return head.encode() + data + f"\r\n--{boundary}--\r\n".encode()


def upload(api, bot, boundary, data=SOURCE, key=KEY):
    kind = f"multipart/form-data; boundary={boundary}"
    return api.generic(
        "POST", f"/api/v1/bots/{bot}/versions/", form(boundary, data), content_type=kind, **key
    )


# -- one effect, one answer ----------------------------------------------------------------------------------


def test_a_write_sent_again_has_one_effect_and_the_same_answer(as_ann):
    first, again = (post(as_ann, "bots/", {"name": "Dodger"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert first.headers["Content-Type"] == again.headers["Content-Type"]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert "Idempotency-Replayed" not in first.headers
    assert Bot.objects.count() == 1


def test_an_answer_is_given_again_as_it_was_though_the_state_has_moved_on(as_ann, ann):
    cup = kit.tournaments.create_tournament(ann, "Cup", kit.QUICK, 1)
    first = post(as_ann, f"tournaments/{cup.pk}/open/")
    post(as_ann, f"tournaments/{cup.pk}/cancel/", key={})
    again = post(as_ann, f"tournaments/{cup.pk}/open/")
    assert (again.status_code, again.content) == (200, first.content)
    assert Tournament.objects.get().status == "cancelled"


def test_a_delete_sent_again_is_answered_again(as_ann, ann):
    cup = kit.open_tournament(ann)
    [version] = kit.entered(cup, 1)
    entrant = version.entries.get().pk
    answers = [as_ann.delete(f"/api/v1/tournaments/{cup.pk}/entrants/{entrant}/", **KEY) for _ in range(2)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(204, b"")] * 2
    assert answers[1].headers["Idempotency-Replayed"] == "true"


def test_an_upload_sent_again_makes_one_version_whatever_the_boundary(as_ann, ann):
    bot = bots.create_bot(ann, "Dodger").pk
    first, again = upload(as_ann, bot, "x"), upload(as_ann, bot, "yy")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert first.json()["new"] is True
    assert Version.objects.count() == 1


def test_without_its_key_the_same_program_is_the_same_version_too_and_told_to_be(as_ann, ann):
    bot = bots.create_bot(ann, "Dodger").pk
    first, again = upload(as_ann, bot, "x", key={}), upload(as_ann, bot, "x", key={})
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json().pop("new"), again.json().pop("new")) == (True, False)
    assert first.json()["id"] == again.json()["id"]


def test_keys_are_each_users_own_and_each_of_one_write(as_ann, as_bob):
    made = [
        post(as_ann, "bots/", {"name": "Ann's"}),
        post(as_bob, "bots/", {"name": "Bob's"}),
        post(as_ann, "bots/", {"name": "Ann's other"}, {"HTTP_IDEMPOTENCY_KEY": "another"}),
    ]
    assert [answer.status_code for answer in made] == [201] * 3
    assert Bot.objects.count() == 3


# -- keys that can't be --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body"),
    [("bots/", {"name": "Other"}), ("bots/", {"name": ["Dodger"]}), ("tournaments/", {"name": "Dodger"})],
)
def test_a_key_of_another_request_is_a_422(as_ann, path, body):
    post(as_ann, "bots/", {"name": "Dodger"})
    answer = post(as_ann, path, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert (Bot.objects.count(), Tournament.objects.count()) == (1, 0)


def test_the_order_of_an_objects_keys_and_its_spaces_make_no_other_request(as_ann):
    texts = ('{"name": "Cup", "boards": 2}', '{"boards":2,"name":"Cup"}')
    address = "/api/v1/tournaments/"
    answers = [
        as_ann.generic("POST", address, text, content_type="application/json", **KEY) for text in texts
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("key", ["", " ", "a b", "a" * 201, "\u00e9", "a\x00b", "a\tb"])
def test_a_key_that_is_none_is_a_400_and_nothing_is_done(as_ann, key):
    answer = post(as_ann, "bots/", {"name": "Dodger"}, {"HTTP_IDEMPOTENCY_KEY": key})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_idempotency_key")
    assert answer.json()["field"] == "Idempotency-Key"
    assert not Bot.objects.exists()


def test_a_body_that_is_none_is_refused_as_ever(as_ann):
    answer = as_ann.generic("POST", "/api/v1/bots/", b"{", content_type="application/json", **KEY)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")


# -- what is not kept ----------------------------------------------------------------------------------------


def test_what_was_refused_is_judged_anew(as_ann, as_bob):
    post(as_bob, "bots/", {"name": "Dodger"})
    assert post(as_ann, "bots/", {"name": "Dodger"}, {"HTTP_IDEMPOTENCY_KEY": "k"}).status_code == 409
    Bot.objects.all().delete()
    assert post(as_ann, "bots/", {"name": "Dodger"}, {"HTTP_IDEMPOTENCY_KEY": "k"}).status_code == 201


def test_a_crash_leaves_neither_an_effect_nor_the_key(as_ann, monkeypatch):
    whole = Bots.create

    def broken(view, request):
        whole(view, request)
        raise RuntimeError("after the work, before the answer")

    monkeypatch.setattr(Bots, "create", broken)
    assert post(as_ann, "bots/", {"name": "Dodger"}).status_code == 500
    assert not Bot.objects.exists()
    assert not Answer.objects.exists()
    monkeypatch.setattr(Bots, "create", whole)
    assert post(as_ann, "bots/", {"name": "Dodger"}).status_code == 201


def test_tokens_and_accounts_are_made_without_a_key(anybody, ann):
    given = {"username": "ann", "password": kit.PASSWORD}
    tokens = {post(anybody, "tokens/", given).json()["token"] for _ in range(2)}
    assert len(tokens) == 2
    new = {"username": "carol", "password": kit.PASSWORD}
    answers = [post(anybody, "users/", new) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 409]
    assert User.objects.filter(username="carol").count() == 1
    assert not Answer.objects.exists()


def test_an_answer_with_a_secret_is_not_kept_and_a_repeat_is_told_so(as_ann, monkeypatch):
    monkeypatch.setattr(Bots, "repeatable", {"create": idempotency.Kind.SECRET})
    first, again = (post(as_ann, "bots/", {"name": "Dodger"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 409)
    assert again.json()["code"] == "idempotency_secret"
    assert (Bot.objects.count(), Answer.objects.get().body) == (1, None)


def test_a_preview_has_no_effect_and_keeps_nothing(as_ann):
    body = {"entrants": 4, "rules": kit.QUICK, "boards": 1}
    assert post(as_ann, "tournaments/preview/", body).status_code == 200
    assert not Answer.objects.exists()


def test_a_key_is_honoured_for_a_day_and_then_forgotten(as_ann):
    post(as_ann, "bots/", {"name": "Dodger"})
    Answer.objects.update(at=timezone.now() - timedelta(hours=23))
    assert post(as_ann, "bots/", {"name": "Dodger"}).status_code == 201
    reconcile()
    assert Answer.objects.count() == 1
    Answer.objects.update(at=timezone.now() - timedelta(hours=25))
    assert post(as_ann, "bots/", {"name": "Dodger"}).status_code == 409, (
        "a new request, and the name is taken"
    )
    Answer.objects.create(
        user=User.objects.get(username="ann"), key="x", at=timezone.now() - timedelta(hours=25)
    )
    reconcile()
    assert not Answer.objects.exists()


def test_reading_takes_no_notice_of_a_key(as_ann):
    assert as_ann.get("/api/v1/bots/", HTTP_IDEMPOTENCY_KEY="a b").status_code == 200


# -- at the same time ----------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_the_second_waits_and_gets_the_firsts_answer(ann, monkeypatch):
    clients, answers, in_work, go_on = (
        [kit.client(ann) for _ in range(2)],
        {},
        threading.Event(),
        threading.Event(),
    )
    whole = Bots.create

    def slow(view, request):
        in_work.set()
        assert go_on.wait(30)
        return whole(view, request)

    monkeypatch.setattr(Bots, "create", slow)

    def send(number):
        try:
            answers[number] = post(clients[number], "bots/", {"name": "Dodger"})
        finally:
            connections.close_all()

    threads = [threading.Thread(target=send, args=(number,)) for number in range(2)]
    threads[0].start()
    assert in_work.wait(30)
    threads[1].start()
    threads[1].join(0.2)
    assert threads[1].is_alive(), "it waits for the first"
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert [answers[number].status_code for number in range(2)] == [201, 201]
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert answers[0].content == answers[1].content
    assert Bot.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_one_that_waits_too_long_is_told_to_come_again(ann, monkeypatch):
    monkeypatch.setattr(idempotency, "WAIT_S", 0.1)
    api, held, let_go = kit.client(ann), threading.Event(), threading.Event()

    def hold():
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute(
                "INSERT INTO api_answer (user_id, key, fingerprint, at) VALUES (%s, %s, '', now())",
                [ann.pk, KEY["HTTP_IDEMPOTENCY_KEY"]],
            )
            held.set()
            let_go.wait(30)
            cursor.execute("ROLLBACK")
        connections.close_all()

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(30)
    answer = post(api, "bots/", {"name": "Dodger"})
    let_go.set()
    thread.join(30)
    assert (answer.status_code, answer.json()["code"]) == (409, "idempotency_in_progress")
    assert answer.headers["Retry-After"] == "1"
    assert post(api, "bots/", {"name": "Dodger"}).status_code == 201


# -- messages ------------------------------------------------------------------------------------------------


def test_what_follows_from_a_write_is_sent_after_its_answer_is_stored(
    as_ann, ann, monkeypatch, django_capture_on_commit_callbacks
):
    sent = []
    monkeypatch.setattr(
        "league.pipeline.queue.current_app.send_task",
        lambda task, **_: sent.append((task, Answer.objects.count())),
    )
    bot = bots.create_bot(ann, "Dodger").pk
    with django_capture_on_commit_callbacks(execute=True):
        upload(as_ann, bot, "x")
        assert sent == []
    with django_capture_on_commit_callbacks(execute=True):
        upload(as_ann, bot, "x")
    assert sent == [("league.check_version", 1)], "and once"
    assert json.loads(Answer.objects.get().body)["status"] == "received"


# -- the document --------------------------------------------------------------------------------------------


def test_the_document_tells_of_the_key_wherever_it_counts(anybody):
    paths = anybody.get("/api/v1/schema/?format=json").json()["paths"]
    told = {
        operation["operationId"]
        for methods in paths.values()
        for operation in methods.values()
        if any(one["name"] == "Idempotency-Key" for one in operation.get("parameters", ()))
    }
    assert {"bot_create", "tournament_start", "tournament_withdraw", "webhook_create"} <= told
    assert not told & {"token_create", "user_create", "tournament_preview_draft", "bot_list"}
