"""Headers (docs/hostile-cases.md): no other site reads or frames an answer, no cache keeps what is private,
no address that we give is made of what a visitor sent; and what a client has, it need not be sent again."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Token
from league.bots import services as bots
from tests.league import addresses

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def played(ann):
    return addresses.played(ann)


def test_A24_no_answer_lets_another_site_read_frame_or_sniff_it(anybody, played):
    anybody.defaults |= {"HTTP_ORIGIN": "https://evil.example"}
    for address, answer in addresses.pages(anybody, of=played):
        names = {name.lower() for name in answer.headers}
        assert not {name for name in names if name.startswith("access-control-")}, address
        assert "evil.example" not in str(answer.headers), address
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], address
        assert answer.headers["X-Frame-Options"] == "DENY", address
        assert answer.headers["Referrer-Policy"] == "same-origin", address
        assert answer.headers["X-Content-Type-Options"] == "nosniff", address
        assert not names & {"server", "x-powered-by"}, address
        assert not answer.cookies or not address.startswith("/api/"), "the API takes and gives no cookies"
    preflight = anybody.options("/api/v1/bots/", HTTP_ACCESS_CONTROL_REQUEST_METHOD="POST")
    assert not [name for name in preflight.headers if name.lower().startswith("access-control-")]


def test_A24_what_is_private_is_kept_by_no_cache_and_the_rest_is_asked_for_again(
    as_ann, anybody, played, ann
):
    values = addresses.about(*played)
    values["token"] = Token.objects.get(user=ann).pk
    seen = set()
    for _, address in addresses.addresses(values):
        known, visitor = addresses.read(as_ann, address), addresses.read(anybody, address)
        rule = known.headers["Cache-Control"]
        if not address.startswith(("/api/v1/docs", "/api/v1/schema")):
            assert "Authorization" in known.headers["Vary"], address
        if known.status_code == 405:
            continue
        if known.status_code >= 400:
            assert rule == "no-store", address
        elif rule == "private, no-store":
            assert visitor.status_code in {401, 404} or visitor.body != known.body, address
            seen.add("secret")
        elif "immutable" in rule:
            assert rule == visitor.headers["Cache-Control"] == "public, max-age=31536000, immutable", address
            assert known.body == visitor.body
            seen.add("for ever")
        else:
            assert rule == "private, no-cache", address
            assert visitor.headers["Cache-Control"] == "public, no-cache", address
            seen.add("asked for again")
        if visitor.status_code == 401:
            assert rule == ("private, no-store" if known.status_code < 400 else "no-store"), address
            assert visitor.headers["Cache-Control"] == "no-store", address
    assert seen == {"secret", "for ever", "asked for again"}
    assert as_ann.post("/api/v1/bots/", {"name": "New"}).headers["Cache-Control"] == "no-store"


def test_A24_in_production_browsers_are_told_to_use_tls_alone_and_cookies_travel_over_it_alone(tmp_path):
    script = (
        "import json; from django.conf import settings; from django.test import Client\n"
        "at = '/api/v1/nothing/'\n"
        "secure = Client().get(at, secure=True, headers={'host': 'league.example'})\n"
        "plain = Client().get(at, headers={'host': 'league.example'})\n"
        "other = Client().get(at, secure=True, headers={'host': 'evil.example'})\n"
        "said = Client().get(at, headers={'host': 'league.example', 'x-forwarded-proto': 'https'})\n"
        "print(json.dumps([dict(secure.headers), plain.status_code, plain.headers['Location'],"
        " other.status_code, said.status_code, settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE,"
        " settings.SESSION_COOKIE_HTTPONLY, settings.SESSION_COOKIE_SAMESITE,"
        " settings.CSRF_COOKIE_SAMESITE]))"
    )
    environment = {
        **{
            name: value
            for name, value in os.environ.items()
            if name not in {"DEBUG", "DJANGO_SETTINGS_MODULE"}
        },
        "DJANGO_SETTINGS_MODULE": "league.settings.production",
        "SECRET_KEY": "0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "ALLOWED_HOSTS": "league.example",
        "DATABASE_URL": "sqlite:////nonexistent/league.sqlite3",
        "REDIS_URL": "redis://127.0.0.1:6379/0",
        "DATA_DIR": str(tmp_path),
    }
    command = [sys.executable, "manage.py", "shell", "--no-imports", "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    headers, plain, location, other, said, *cookies = json.loads(done.stdout.splitlines()[-1])
    assert headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    assert headers["Content-Security-Policy"]
    assert (plain, location) == (301, "https://league.example/api/v1/nothing/")
    assert other == 400
    assert said == 301, "a visitor's own word about TLS is not taken"
    assert cookies == [True, True, True, "Lax", "Lax"]


def test_A24_no_header_that_a_visitor_sends_gets_into_an_address_that_we_give(anybody, ann, caplog, capfd):
    for number in range(3):
        bots.create_bot(ann, f"Bot {number}")
    evil = {
        "HTTP_X_FORWARDED_HOST": "evil.example",
        "HTTP_X_FORWARDED_PROTO": "gopher",
        "HTTP_X_HOST": "evil.example",
    }
    evil |= {
        "HTTP_FORWARDED": "host=evil.example",
        "HTTP_REFERER": "https://evil.example/",
        "HTTP_X_FORWARDED_PORT": "1",
    }
    evil |= {"HTTP_X_ORIGINAL_URL": "/admin/", "HTTP_X_REWRITE_URL": "/admin/"}
    answer = anybody.get("/api/v1/bots/?page_size=1", **evil)
    assert answer.json()["next"].startswith("/api/v1/bots/?cursor=")
    assert "evil" not in answer.content.decode() + str(answer.headers)
    for host in (
        "evil.example",
        "testserver.evil.example",
        "testserver@evil.example",
        "testserver:80:80",
        "a" * 300,
    ):
        cache.clear()
        answer = anybody.get("/api/v1/bots/", HTTP_HOST=host)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
        assert host not in answer.content.decode()
    assert "Traceback" not in caplog.text + capfd.readouterr().err, "a name costs a line of the log"


# -- ETags ---------------------------------------------------------------------------------------------------


def test_every_answer_has_a_tag_and_whoever_has_it_gets_a_304_without_a_body(as_ann, played, ann):
    cup, version = played
    cup.status, cup.ended_at = "finished", cup.started_at
    cup.save()
    values = addresses.about(cup, version)
    values["token"] = Token.objects.get(user=ann).pk
    tagged = 0
    for _, address in addresses.addresses(values):
        answer = addresses.read(as_ann, address)
        if answer.status_code != 200 or answer.streaming:
            continue
        again = addresses.read(as_ann, address, HTTP_IF_NONE_MATCH=f'"x", W/{answer.headers["ETag"]}')
        assert (again.status_code, again.body) == (304, b""), address
        for name in ("ETag", "Cache-Control", "Vary", "Content-Security-Policy"):
            assert again.headers[name] == answer.headers[name], (address, name)
        tagged += 1
    assert tagged >= 30


def test_of_what_is_known_by_a_hash_nothing_is_computed_for_who_has_it(as_ann, played, monkeypatch):
    cup, version = played
    cup.status, cup.ended_at = "finished", cup.started_at
    cup.save()
    values = addresses.about(cup, version)
    paths = (
        f"versions/{version.pk}/source/",
        f"matches/{values['match']}/record/",
        f"pools/{cup.pool_id}/snapshots/{values['results_hash']}/ratings/",
        f"tournaments/{cup.pk}/crosstable/",
    )
    tags = {path: as_ann.get(f"/api/v1/{path}").headers["ETag"] for path in paths}
    for made in ("bots.store.get", "ratings.comparing.cross_table", "ratings.selectors.lines"):
        monkeypatch.setattr(f"league.{made}", lambda *_: pytest.fail("it is made though it is known"))
    for path, tag in tags.items():
        with CaptureQueriesContext(connection) as asked:
            assert as_ann.get(f"/api/v1/{path}", HTTP_IF_NONE_MATCH=tag).status_code == 304, path
        assert not [query for query in asked if '"matches_match"."record"' in query["sql"]], path


def test_a_tag_of_before_is_not_taken_for_what_has_changed(as_ann, anybody):
    tag = anybody.get("/api/v1/bots/").headers["ETag"]
    as_ann.post("/api/v1/bots/", {"name": "New"})
    answer = anybody.get("/api/v1/bots/", HTTP_IF_NONE_MATCH=tag)
    assert (answer.status_code, len(answer.json()["results"])) == (200, 1)


@pytest.mark.parametrize("tag", ["*", '"', 'W/"', "x", "\x00", ",,,", '"a' * 3000])
def test_a_tag_that_is_none_is_no_crash(anybody, tag):
    assert anybody.get("/api/v1/bots/", HTTP_IF_NONE_MATCH=tag).status_code in {200, 304}


# -- in a browser --------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_A24_the_descriptions_page_works_in_a_browser_under_its_policy(live_server):
    # Time stands still for the page while it waits for an answer: a busy machine makes no difference.
    options = ["--headless", "--no-sandbox", "--virtual-time-budget=20000", "--enable-logging=stderr"]
    command = ["chromium", *options, "--dump-dom", f"{live_server.url}/api/v1/docs/"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True)
    assert shown.stdout.count('class="opblock-summary-path"') > 60, "operations"
    assert "CONSOLE" not in shown.stderr, "nothing was blocked"
