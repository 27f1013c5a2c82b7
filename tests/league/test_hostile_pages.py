"""What is shown, and to whom (docs/hostile-cases.md): sources are their owners', markup is inert, formulas
are text, nothing lies about, and who leaves in mid-match leaves no crash."""

import re
from contextlib import nullcontext

import pytest
from django.conf import settings
from django.test import Client

from league.api import exports
from league.api.views import results
from league.bots import services as bots
from league.bots.models import Version
from league.common.errors import Lost
from league.matches.models import Match
from league.pipeline import start
from league.tournaments.models import Table
from tests.league import addresses, kit

pytestmark = pytest.mark.django_db
MARKUP = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)", "{{7*7}}", "javascript:alert(1)"]


@pytest.fixture
def played(ann):
    return addresses.played(ann)


# -- A1: sources ---------------------------------------------------------------------------------------------


def test_A1_somebody_elses_source_is_not_found_by_id_nor_by_a_guessed_address(ann, anybody, as_bob, as_ann):
    version = kit.active(ann)
    kept = f"{version.archive[:2]}/{version.archive}.zip"
    assert as_ann.get(f"/api/v1/versions/{version.pk}/source/").status_code == 200
    for what in ("source", "stages"):
        for client in (anybody, as_bob):
            real = client.get(f"/api/v1/versions/{version.pk}/{what}/")
            none = client.get(f"/api/v1/versions/999999/{what}/")
            assert real.status_code == none.status_code == (401 if client is anybody else 404)
            assert real.json()["detail"] == none.json()["detail"], "it doesn't tell what there is"
    for client in (anybody, as_bob, as_ann, Client()):
        for folder in ("media", "archives", "static/archives", "var/archives", "static/..%2farchives"):
            assert client.get(f"/{folder}/{kept}").status_code == 404


def test_A1_others_see_of_a_version_that_it_is_there_and_nothing_of_its_check(ann, as_ann, anybody, as_bob):
    version = kit.active(ann)
    secret = {"checks", "size_bytes", "digest", "reason_code", "reason"}
    mine = as_ann.get(f"/api/v1/versions/{version.pk}/").json()
    assert mine["digest"] == version.digest
    for client in (anybody, as_bob):
        theirs = client.get(f"/api/v1/versions/{version.pk}/").json()
        assert {name for name, value in theirs.items() if value is None} == secret
        assert {name: value for name, value in mine.items() if name not in secret} == {
            name: value for name, value in theirs.items() if name not in secret
        }
        [listed] = client.get(f"/api/v1/bots/{version.bot_id}/versions/").json()["results"]
        assert listed == {name: value for name, value in theirs.items() if name != "checks"}


def test_A1_a_version_that_was_never_admitted_is_its_owners_alone(ann, as_ann, anybody, as_bob):
    version = kit.received(ann)
    assert as_ann.get(f"/api/v1/versions/{version.pk}/").status_code == 200
    assert len(as_ann.get(f"/api/v1/bots/{version.bot_id}/versions/").json()["results"]) == 1
    for client in (anybody, as_bob):
        assert client.get(f"/api/v1/versions/{version.pk}/").status_code == 404
        assert client.get(f"/api/v1/bots/{version.bot_id}/versions/").json()["results"] == []


# -- A8: markup ----------------------------------------------------------------------------------------------


def test_A8_markup_in_names_and_logs_is_inert_on_every_page(ann, as_ann, played, staff):
    for number, name in enumerate(MARKUP):
        version = kit.received(ann, name)
        claim = bots.claim_version(version.pk)
        bots.record_stage(claim, 0, kit.stage("archive", "failed", code="no_program", log=name, message=name))
        bots.finish_check(claim)
        kit.tournaments.create_tournament(ann, name, kit.QUICK, 1 + number)
    staff.is_superuser = True
    staff.save()
    office = Client()
    office.force_login(staff)
    office_pages = [f"/admin/bots/{what}/" for what in ("bot", "version", "check")] + [
        "/admin/tournaments/tournament/"
    ]
    seen = list(addresses.pages(as_ann, of=played))
    seen += [(address, addresses.read(office, address)) for address in office_pages]
    versions = Version.objects.filter(bot__name__in=MARKUP)
    seen += [(f"version {row.pk}", addresses.read(as_ann, f"/api/v1/versions/{row.pk}/")) for row in versions]
    told = 0
    for address, answer in seen:
        kind, text = answer.headers.get("Content-Type", ""), answer.body.decode("utf-8", "replace")
        assert "Content-Security-Policy" in answer.headers, address
        assert answer.headers["X-Content-Type-Options"] == "nosniff", address
        if kind.startswith("text/html"):
            assert not any(name in text for name in MARKUP[:2]), address
            assert "alert(1)</script>" not in text, address
            told += "&lt;img" in text
        elif any(name in text for name in MARKUP):
            assert kind.startswith(
                ("application/json", "application/x-ndjson", "application/problem+json", "text/csv")
            )
            told += 1
    assert told >= 8, "they are shown, as text"


def test_A8_scripts_come_from_our_own_files_alone_and_the_descriptions_page_has_none_within(anybody):
    for address in ("/", "/api/v1/docs/", "/admin/login/", "/api/v1/bots/", "/nothing/"):
        told = anybody.get(address).headers["Content-Security-Policy"]
        policy = dict(one.split(" ", 1) for one in told.split("; "))
        assert policy["default-src"] in {"'self'", "'none'"}, address
        assert policy.get("script-src", "'self'") == "'self'", address
        assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    page = anybody.get("/api/v1/docs/").content.decode()
    scripts = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 3
    assert [inner.strip() for _, inner in scripts] == ["", "", ""]
    for attributes, _ in scripts:
        [source] = re.findall(r'src="([^"]+)"', attributes)
        assert source.startswith("/"), "our own"
        answer = addresses.read(anybody, source.replace("&amp;", "&"))
        assert answer.status_code == 200
        assert "javascript" in answer.headers["Content-Type"]
    assert not re.search(r"\son\w+=", page), "no handlers within"


# -- A9: formulas --------------------------------------------------------------------------------------------

FORMULAS = [
    '=HYPERLINK("http://evil.example","x")',
    "+1",
    "-1",
    "@x",
    "\tx",
    "\rx",
    "\nx",
    "−1",
    "＝1",
    "＋1",
    "＠x",
]


def test_A9_a_name_that_a_spreadsheet_takes_for_a_formula_is_exported_as_text():
    for name in FORMULAS:
        assert exports.cell(name) == f"'{name}"
    assert [exports.cell(value) for value in (-1, -0.5, None, "a=1", "x")] == [-1, -0.5, None, "a=1", "x"]


def test_A9_such_names_of_bots_and_of_users_are_text_in_every_csv(played, ann, anybody):
    cup, version = played
    version.bot.name = '=HYPERLINK("http://evil.example","x")'
    version.bot.save()
    ann.username = "+ann"
    ann.save()
    for path in ("matches", "ratings", f"tournaments/{cup.pk}/standings"):
        text = addresses.read(anybody, f"/api/v1/{path}.csv").body.decode()
        assert "\"'=HYPERLINK(" in text
        assert ",'+ann," in text


def test_A9_a_tab_or_a_line_end_is_in_no_name(as_ann):
    for name in ("a\tb", "a\nb", "a\rb", "a\u2028b", "a\x00"):
        assert as_ann.post("/api/v1/bots/", {"name": name}).json()["code"] in {"bad_name", "bad_characters"}


# -- A17: what must not be there -----------------------------------------------------------------------------

NOT_THERE = [
    "/media/",
    "/media/x.zip",
    "/.env",
    "/.git/HEAD",
    "/.git/config",
    "/metrics",
    "/flower/",
    "/debug/",
]
NOT_THERE += [
    "/static/",
    "/static/../manage.py",
    "/static/%2e%2e/%2e%2e/manage.py",
    "/__debug__/",
    "/server-status",
]
NOT_THERE += [
    "/archives/",
    "/var/league.sqlite3",
    "/league.sqlite3",
    "/manage.py",
    "/api/v1/../../.env",
]
NOT_THERE += [
    "/static/admin/",
    "/static/%00",
    "/static/..%5c..%5cmanage.py",
    "//etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
]

#: What no answer tells: a trace, a secret, where the site lives.
INSIDE = re.compile(rb"Traceback|SECRET|platform/league|root:x|" + re.escape(str(settings.ROOT)).encode())


def test_A17_neither_folders_nor_dotfiles_nor_tools_are_served(anybody, as_staff):
    for client in (anybody, as_staff, Client()):
        for address in NOT_THERE:
            answer = client.get(address)
            assert answer.status_code in {404, 400}, address
            text = b"" if answer.streaming else answer.content
            assert not INSIDE.search(text), address


def test_A17_the_admin_is_for_staff_and_tells_others_nothing(anybody, as_ann, as_staff, ann):
    user = Client()
    user.force_login(ann)
    for client in (anybody, as_ann, as_staff, user):  # a token opens no page, whoseever it is
        for address in ("/admin/", "/admin/bots/bot/", "/admin/nothing/"):
            answer = client.get(address)
            assert answer.status_code == 302, address
            assert answer.headers["Location"].startswith("/admin/login/")


@pytest.mark.parametrize("address", ["/api/v1/ratings/", "/admin/login/"])
def test_A17_a_crash_shows_no_trace(anybody, monkeypatch, address):
    def crash(*_, **__):
        raise RuntimeError("the secret at /srv/league/x.py")

    monkeypatch.setattr(results.Ratings, "list", crash)
    monkeypatch.setattr("django.contrib.admin.sites.AdminSite.login", crash)
    answer = anybody.get(address)
    assert answer.status_code == 500
    assert not re.search(rb"secret|Traceback|RuntimeError|\.py", answer.content)
    assert "Content-Security-Policy" in answer.headers


# -- A20: gone in the middle of a match ----------------------------------------------------------------------


@pytest.mark.parametrize("how", ["withdrawn", "retired", "disqualified", "closed", "cancelled"])
def test_A20_whoever_leaves_during_a_match_leaves_no_crash_and_the_rule_applies(
    how, ann, staff, as_ann, as_staff
):
    cup, tables = kit.running(ann)
    claim, versions, results_of = kit.played(tables[0])
    entrant = cup.entrants.get(version__bot__owner=ann)
    if how == "withdrawn":
        assert as_ann.delete(f"/api/v1/tournaments/{cup.pk}/entrants/{entrant.pk}/").status_code == 204
    elif how == "retired":
        bots.retire_version(entrant.version, by=staff)
    elif how == "disqualified":
        start.disqualify_version(entrant.version, by=staff, why="it cheats")
    elif how == "closed":
        ann.is_active = False
        ann.save()
    else:
        assert as_ann.post(f"/api/v1/tournaments/{cup.pk}/cancel/").status_code == 200
    plays_on = Table.objects.get(pk=tables[0]).status == "playing"
    assert plays_on == (how in {"retired", "closed"}), "who is out, or all of a cancelled one, plays no more"
    with nullcontext() if plays_on else pytest.raises(Lost):
        kit.store_table(claim, versions, results_of)
    assert Match.objects.count() == int(plays_on)
    for path in (f"tournaments/{cup.pk}", f"tournaments/{cup.pk}/progress", "matches", "ratings"):
        assert as_staff.get(f"/api/v1/{path}/").status_code == 200
