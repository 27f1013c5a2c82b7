"""Requests that no honest client sends (docs/hostile-cases.md): each is refused, told why,
and changes nothing."""

import json
from urllib.parse import quote

import pytest
from django.core.cache import cache

from league.accounts.models import User
from league.api import filters
from league.bots.models import Bot, Version
from league.tournaments.models import Entrant, Tournament
from tests.league import kit
from tests.league.addresses import routes

pytestmark = pytest.mark.django_db
MODELS = (User, Bot, Version, Tournament, Entrant)
JSON = "application/json"


def rows():
    return {model: list(model.objects.order_by("pk").values()) for model in MODELS}


@pytest.fixture
def writes(ann):
    """Every address that takes a JSON body, and a body that is right but for what a test does to it."""
    cup = kit.open_tournament(ann)
    version = kit.active(ann)
    draft = {"name": "New", "rules": kit.QUICK, "boards": 1}
    return {
        "/api/v1/users/": {"username": "eve", "password": kit.PASSWORD},
        "/api/v1/tokens/": {"username": "ann", "password": kit.PASSWORD},
        "/api/v1/bots/": {"name": "New"},
        "/api/v1/tournaments/": draft,
        "/api/v1/tournaments/preview/": {**draft, "entrants": 4},
        f"/api/v1/tournaments/{cup.pk}/entrants/": {"version": version.pk},
        f"/api/v1/tournaments/{cup.pk}/extend/": {"boards": 2},
    }


def send(client, address, body, kind=JSON, **headers):
    cache.clear()
    return client.generic("POST", address, body, content_type=kind, **headers)


# -- bodies --------------------------------------------------------------------------------------------------

BODIES = {
    "empty": b"",
    "null": b"null",
    "a list": b"[]",
    "a list of what would be right": b'[{"name": "New"}]',
    "a text": b'"text"',
    "a number": b"1",
    "true": b"true",
    "half": b'{"name": "New"',
    "two": b'{"name": "New"}{"name": "New"}',
    "NaN": b'{"name": NaN, "boards": NaN}',
    "Infinity": b'{"boards": Infinity}',
    "minus Infinity": b'{"boards": -Infinity}',
    "a number too long": b'{"boards": ' + b"9" * 5000 + b"}",
    "a number too large": b'{"boards": 1e999, "name": "New", "version": 1e999}',
    "invalid UTF-8": b'{"name": "\xff\xfe"}',
    "overlong UTF-8": b'{"name": "\xc0\x80"}',
    "UTF-16": '{"name": "New"}'.encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a NUL between": b'{"name": "New"}\x00',
    "10,000 lists deep": b"[" * 10_000 + b"]" * 10_000,
    "10,000 objects deep": b'{"name":' * 7_000 + b"1" + b"}" * 7_000,
    "a key twice": b'{"name": "One", "name": "Two"}',
    "single quotes": b"{'name': 'New'}",
    "a comma too many": b'{"name": "New",}',
}


def test_A14_a_body_that_is_none_is_a_400_and_changes_nothing(as_ann, writes):
    before = rows()
    for what, body in BODIES.items():
        for address in writes:
            answer = send(as_ann, address, body)
            assert answer.status_code == 400, (what, address, answer.content)
            assert answer.json()["code"]
    assert rows() == before


TYPES = [
    "text/plain",
    "text/html",
    "application/xml",
    "application/x-www-form-urlencoded",
    "",
    "json",
    "é",
]
TYPES += ["multipart/form-data; boundary=x", "application/json-patch+json", "application/jsonx", "a" * 5000]


def test_A14_a_body_of_another_type_is_a_415_and_changes_nothing(as_ann, writes):
    before = rows()
    for kind in TYPES:
        for address, body in writes.items():
            answer = send(as_ann, address, json.dumps(body), kind)
            assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type"), (
                kind,
                address,
            )
    assert rows() == before


CHARSETS = ["rot13", "zlib", "hex", "idna", "utf-16", "utf-7", "unicode_escape", "x"]


def test_A14_a_charset_makes_no_difference_json_is_utf_8(as_ann, anybody):
    for number, charset in enumerate(CHARSETS):
        name, kind = f"Zoë {number}", f"{JSON}; charset={charset}"
        answer = send(as_ann, "/api/v1/bots/", json.dumps({"name": name}, ensure_ascii=False).encode(), kind)
        assert (answer.status_code, answer.json()["name"]) == (201, name), charset
        listed = anybody.get("/api/v1/bots/", {"name": name}, CONTENT_TYPE=kind)
        assert [row["name"] for row in listed.json()["results"]] == [name], charset


VALUES = [
    None,
    True,
    -1,
    1e308,
    2**63,
    10**30,
    ["New"],
    {"a": {"b": []}},
    "a\x00b",
    "a\ud800b",
    "a" * 60_000,
    "１",
]


def test_A14_a_value_of_the_wrong_kind_anywhere_in_a_body_is_no_crash(as_ann, writes):
    for value in VALUES:
        for address, body in writes.items():
            for field in body:
                answer = send(as_ann, address, json.dumps({**body, field: value}))
                assert answer.status_code < 500, (address, field, ascii(value)[:50])
    for address, body in writes.items():
        for name in ("owner", "a\x00\ud800", "\u202e", ""):
            answer = send(as_ann, address, json.dumps({**body, name: 1}))
            assert (answer.status_code, answer.json()["code"]) == (400, "unknown_field"), (address, name)


@pytest.mark.parametrize(
    "header", ["HTTP_X_HTTP_METHOD_OVERRIDE", "HTTP_X_METHOD_OVERRIDE", "HTTP_X_HTTP_METHOD"]
)
def test_A14_a_header_or_a_field_that_names_another_method_is_not_followed(as_ann, ann, header):
    cup = kit.open_tournament(ann)
    [version] = kit.entered(cup, 1)
    address = f"/api/v1/tournaments/{cup.pk}/entrants/{version.entries.get().pk}/"
    for answer in (
        as_ann.post(address, {}, **{header: "DELETE"}),
        as_ann.post(address, {"_method": "DELETE"}),
        as_ann.get(address, **{header: "DELETE"}),
    ):
        assert answer.status_code == 405
    assert Entrant.objects.get().status == "entered"


# -- numbers in addresses and queries ------------------------------------------------------------------------

ODD = [
    "0",
    "-1",
    "+1",
    "007",
    "1e3",
    "0x1",
    "1.0",
    "1_0",
    "１",
    "²",
    "\u0661",
    "①",
    "9223372036854775808",
    "9" * 40,
]
ODD += [" 1", "1 ", "1\x00", "\x00", "%00", "%ed%a0%80", "null", "true", "..", "1;2", "1,2", "' OR 1=1 --"]


def test_an_id_that_is_none_is_a_404_at_every_address(as_staff):
    kinds = {route.kind for route in routes() if "pk" in route.parameters}
    assert kinds >= {"bot", "version", "tournament", "match", "board", "group", "table", "pool"}
    for kind in kinds:
        for odd in ODD:
            cache.clear()
            root = {"match": "matches"}.get(kind, f"{kind}s")
            answer = as_staff.get(f"/api/v1/{root}/{odd if odd[0] == '%' else quote(odd)}/")
            assert answer.status_code == 404, (kind, odd)


def test_a_filter_by_an_id_that_is_none_is_a_400_in_every_list(anybody):
    known = {
        "tournaments": filters.TournamentFilter,
        "matches": filters.MatchFilter,
        "ratings": filters.RatingFilter,
        "pools": filters.PoolFilter,
    }
    for address, filterset in known.items():
        names = [name for name, one in filterset.base_filters.items() if isinstance(one, filters.IdFilter)]
        for name in names:
            for odd in ODD:
                cache.clear()
                answer = anybody.get(f"/api/v1/{address}/", {name: odd})
                assert (answer.status_code, answer.json()["field"]) == (400, name), (address, name, odd)


@pytest.mark.parametrize(
    "query",
    [
        "status=%00",
        "name=%00",
        "organiser=%ed%a0%80",
        "ordering=%00",
        "cursor=%00",
        "page_size=%00",
        "%00=1",
        "=1",
    ],
)
def test_a_NUL_or_a_surrogate_in_a_query_is_no_crash(anybody, query):
    assert anybody.get(f"/api/v1/tournaments/?{query}").status_code in {200, 400}


# -- parameters ----------------------------------------------------------------------------------------------


def test_a_parameter_that_an_address_does_not_know_is_refused_everywhere(as_staff, ann):
    cup, tables = kit.running(ann)
    kit.play(tables[0])
    match = kit.Match.objects.get()
    for path in (
        f"tournaments/{cup.pk}/",
        f"tournaments/{cup.pk}/progress/",
        f"tournaments/{cup.pk}/entrants/",
        f"matches/{match.pk}/",
        f"matches/{match.pk}/logs/",
        f"bots/{Bot.objects.first().pk}/",
        f"bots/{Bot.objects.first().pk}/versions/",
        f"boards/{match.board_id}/",
        f"tables/{match.table_id}/",
        "users/me/",
        "matches.csv",
    ):
        answer = as_staff.get(f"/api/v1/{path}?colour=red")
        assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter"), path
        assert answer.json()["field"] == "colour"
    answer = as_staff.post(f"/api/v1/tournaments/{cup.pk}/pause/?force=1")
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter")
    assert Tournament.objects.get().status == "running"
    answer = as_staff.post("/api/v1/bots/?cursor=x", {"name": "New"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_parameter"), (
        "a list's, but not a write's"
    )


@pytest.mark.parametrize("query", ["page_size=5&page_size=6", "status=open&status=draft", "name=a&name=a"])
def test_a_parameter_that_is_there_twice_is_refused(anybody, query):
    answer = anybody.get(f"/api/v1/tournaments/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "repeated_parameter")
    assert answer.json()["field"] == query.partition("=")[0]


@pytest.mark.parametrize("parameter", ["ordering", "cursor", "page_size", "status", "pool", "name"])
def test_a_parameter_without_a_value_is_refused(parameter, anybody):
    answer = anybody.get(f"/api/v1/tournaments/?{parameter}=")
    assert (answer.status_code, answer.json()["code"]) == (400, "blank")


def test_HEAD_answers_as_GET_does_without_its_body_and_OPTIONS_tells_the_methods(anybody, as_ann, ann):
    kit.received(ann)
    got, head = anybody.get("/api/v1/bots/"), anybody.head("/api/v1/bots/")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["ETag"] == got.headers["ETag"]
    assert anybody.head("/api/v1/bots/", HTTP_IF_NONE_MATCH=got.headers["ETag"]).status_code == 304
    options = as_ann.options("/api/v1/bots/")
    assert (options.status_code, options.headers["Allow"]) == (405, "GET, HEAD, POST")
