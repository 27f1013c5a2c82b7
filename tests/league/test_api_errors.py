"""Every error under /api/ is a problem of RFC 9457, whoever raised it."""

import json

import pytest
from django.db import OperationalError
from django.test import Client

from league.api.views import results
from league.common.problems import PROBLEMS
from tests.league import kit

pytestmark = pytest.mark.django_db
JSON = {"content_type": "application/json"}
RUNNING = {"status": "running", "actions": ["withdraw", "pause", "extend", "replay", "cancel"]}


def error_of(answer, status):
    """The error's body, after checking its shape (RFC 9457)."""
    assert answer.status_code == status, answer.content
    assert answer.headers["Content-Type"] == "application/problem+json"
    error = answer.json()
    assert set(error) - {"state"} == {
        "type",
        "title",
        "status",
        "detail",
        "code",
        "field",
        "errors",
        "request_id",
    }
    assert ("state" in error) == (status == 409)
    assert error["type"] == f"/api/v1/problems/{error['code']}/"
    assert (error["status"], error["title"]) == (status, PROBLEMS[error["code"]].title)
    assert error["request_id"] == answer.headers["X-Request-ID"]
    assert error["errors"]
    for single in error["errors"]:
        assert set(single) == {"code", "detail", "field"}
        assert single["detail"].endswith((".", "!", "?", "…"))
        assert single["code"] in PROBLEMS
    return error


@pytest.mark.parametrize(
    "address",
    [
        "/api/v1/nothing/",
        "/api/nothing",
        "/api/v1/bots/1",
        "/api/v1/bots/999/",
        "/api/v1/bots/abc/",
        "/api/v1/bots/\uff11/",
        "/api/v1/bots/-1/",
        "/api/v1/bots/1e3/",
        "/api/v1/bots/99999999999999999999/",
        "/api/v1/matches/\u0661/record/",
        "/api/v1/tournaments/999999999999999999/standings/",
        "/api/v1/bots/%00/",
        "/api/v1/bots/..%2f..%2fetc/",
    ],
)
def test_what_is_not_there_is_a_404(anybody, address):
    assert error_of(anybody.get(address), 404)["code"] == "not_found"


@pytest.mark.parametrize("debug", [False, True])
def test_unknown_addresses_are_json_with_debug_too(settings, debug):
    settings.DEBUG = debug
    error_of(Client(raise_request_exception=False).get("/api/v1/nothing/"), 404)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("pool=\uff11", "bad_number"),
        ("pool=abc", "bad_number"),
        ("pool=1.5", "bad_number"),
        ("pool=99999999999999999999999", "bad_number"),
        ("pool=%00", "bad_number"),
        ("page_size=\uff12", "bad_number"),
        ("page_size=0", "bad_number"),
        ("page_size=-1", "bad_number"),
        ("page_size=many", "bad_number"),
        ("ordering=password", "bad_ordering"),
        ("ordering=version__bot__owner__password", "bad_ordering"),
        ("owner=%00", "bad_characters"),
    ],
)
def test_a_query_that_can_not_be_is_a_400(anybody, query, code):
    error = error_of(anybody.get(f"/api/v1/ratings/?{query}"), 400)
    assert error["code"] == code
    assert error["field"] == query.partition("=")[0]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b'{"username": NaN, "password": "x"}',
        b"\xff\xfe",
        b"[" * 5000 + b"]" * 5000,
        b'{"username":' * 3000 + b"1" + b"}" * 3000,
        b'{"a":' * 20 + b"1" + b"}" * 20,
        b"1" * 5000,
        b"[]",
        b"null",
        b'"text"',
        b'{"username": {"a": 1}, "password": []}',
        b'{"username": "a\\u0000b", "password": "x"}',
        b'{"username": "a\\ud800b", "password": "x"}',
    ],
)
def test_a_body_that_can_not_be_is_a_400(anybody, body):
    for address in ("/api/v1/tokens/", "/api/v1/users/"):
        error_of(anybody.generic("POST", address, body, **JSON), 400)


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "\u00e9",
    ],
)
def test_a_body_of_another_type_is_a_415(anybody, kind):
    error_of(anybody.generic("POST", "/api/v1/tokens/", b"x=1", content_type=kind), 415)


def test_a_415_names_the_type_that_is_taken(anybody, as_ann):
    told = error_of(anybody.generic("POST", "/api/v1/tokens/", b"x=1", content_type="text/plain"), 415)
    assert "Content-Type: application/json" in told["detail"]
    bot = as_ann.post("/api/v1/bots/", {"name": "Heron"}).json()["id"]
    told = error_of(as_ann.post(f"/api/v1/bots/{bot}/versions/", {}), 415)
    assert "Content-Type: multipart/form-data" in told["detail"]


def test_several_things_wrong_are_each_told(anybody):
    error = error_of(anybody.post("/api/v1/users/", {}), 400)
    assert (error["code"], error["field"]) == ("invalid", None)
    assert [(single["code"], single["field"]) for single in error["errors"]] == [
        ("required", "username"),
        ("required", "password"),
    ]


def test_one_thing_wrong_is_told_at_once(anybody):
    error = error_of(anybody.post("/api/v1/users/", {"username": "ann"}), 400)
    assert (error["code"], error["field"]) == ("required", "password")


@pytest.mark.parametrize("method", ["put", "patch", "delete", "trace"])
def test_a_method_that_is_not_for_this_address_is_a_405(as_ann, method):
    answer = getattr(as_ann, method)("/api/v1/bots/")
    assert error_of(answer, 405)["code"] == "method_not_allowed"
    assert "POST" in answer.headers["Allow"]


def test_a_method_override_header_overrides_nothing(as_ann, ann):
    bot = kit.received(ann).bot
    answer = as_ann.post(f"/api/v1/bots/{bot.pk}/", {}, HTTP_X_HTTP_METHOD_OVERRIDE="DELETE")
    error_of(answer, 405)


def test_only_json_is_served(anybody):
    error_of(anybody.get("/api/v1/bots/", HTTP_ACCEPT="text/html"), 406)


@pytest.mark.parametrize(
    "token", ["", "abc", "Bearer", "Bearer x y", "Bearer \u00e9", "Bearer \x00", f"Bearer {'a' * 64}"]
)
def test_a_bad_token_is_a_401_with_the_way_to_do_it(anybody, token):
    answer = anybody.get("/api/v1/users/me/", HTTP_AUTHORIZATION=token)
    error_of(answer, 401)
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_bad_token_is_refused_where_none_is_needed(anybody):
    error_of(anybody.get("/api/v1/bots/", HTTP_AUTHORIZATION="Bearer nonsense"), 401)


def test_a_host_that_is_not_ours_is_a_400(anybody):
    error_of(anybody.get("/api/v1/bots/", HTTP_HOST="evil.example"), 400)


def test_a_body_that_is_too_long_is_a_413(anybody):
    error_of(anybody.generic("POST", "/api/v1/tokens/", b" " * 70_000, **JSON), 413)


def test_a_length_that_is_a_lie_is_no_crash(anybody):
    error_of(anybody.generic("POST", "/api/v1/tokens/", b"{}", CONTENT_LENGTH="lots", **JSON), 400)


def test_a_crash_is_a_500_that_tells_nothing(anybody, monkeypatch):
    monkeypatch.setattr(results.Ratings, "list", lambda *_, **__: 1 / 0)
    error = error_of(anybody.get("/api/v1/ratings/"), 500)
    assert "division" not in json.dumps(error)


def test_a_database_that_does_not_answer_is_a_503(anybody, monkeypatch):
    def unreachable(*_, **__):
        raise OperationalError("connection to 10.0.0.7 refused")

    monkeypatch.setattr(results.Ratings, "list", unreachable)
    answer = anybody.get("/api/v1/ratings/")
    assert "10.0.0.7" not in json.dumps(error_of(answer, 503))
    assert answer.headers["Retry-After"]


@pytest.mark.parametrize(
    ("action", "code", "state"),
    [
        ("open", "wrong_state", RUNNING),
        ("resume", None, None),  # it runs: done again it changes nothing
        ("records.jsonl", "not_over", RUNNING),
    ],
)
def test_a_conflict_tells_the_present_state_and_what_it_allows(as_ann, ann, action, code, state):
    tournament, _ = kit.running(ann)
    ask = as_ann.get if "." in action else as_ann.post
    answer = ask(f"/api/v1/tournaments/{tournament.pk}/{action}{'' if '.' in action else '/'}")
    if code is None:
        assert answer.status_code == 200
        return
    error = error_of(answer, 409)
    assert "running" in error["detail"]
    assert (error["code"], error["state"]) == (code, state)


def test_the_actions_that_a_state_allows_are_those_of_the_format(as_ann, ann):
    cup = kit.open_tournament(ann, more={"format": "ladder"})
    error = error_of(as_ann.post(f"/api/v1/tournaments/{cup.pk}/pause/"), 409)
    assert error["state"] == {"status": "open", "actions": ["enter", "withdraw", "start", "cancel"]}
    kit.entered(cup, 4)
    as_ann.post(f"/api/v1/tournaments/{cup.pk}/start/")
    error = error_of(as_ann.post(f"/api/v1/tournaments/{cup.pk}/open/"), 409)
    ladder = ["enter", "withdraw", "pause", "finish", "replay", "cancel"]
    assert error["state"] == {"status": "running", "actions": ladder}


def test_what_is_echoed_is_made_safe(as_ann):
    body = json.dumps({"name": "Cup", "rules": {"a\x00\ud800" * 500: "x"}})
    answer = as_ann.generic("POST", "/api/v1/tournaments/", body, **JSON)
    assert error_of(answer, 400)["code"] == "bad_rules"
    assert len(answer.content) < 4000


def test_outside_the_api_errors_are_pages(anybody):
    answer = anybody.get("/nothing/")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"].startswith("text/html")
