"""Who may do what: every operation of the API, for a visitor, a stranger, the owner and staff."""

from contextlib import contextmanager

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import URLPattern, URLResolver

from league.accounts.tokens import issue
from league.api import urls
from tests.league import kit

pytestmark = pytest.mark.django_db

# What visitor, other user, owner and staff get. No body is sent: a 400 asks for one, so the door is open.
TABLE = {
    ("token-list", "post"): (400, 400, 400, 400),
    ("token-list", "delete"): (401, 204, 204, 204),
    ("token-list", "get"): (401, 200, 200, 200),
    ("token-current", "get"): (401, 200, 200, 200),
    ("token-current", "delete"): (401, 204, 204, 204),
    ("token-detail", "get"): (401, 404, 200, 404),
    ("token-detail", "delete"): (401, 404, 204, 404),
    ("user-list", "post"): (400, 400, 400, 400),
    ("user-me", "get"): (401, 200, 200, 200),
    ("user-password", "post"): (401, 400, 400, 400),
    ("bot-list", "get"): (200, 200, 200, 200),
    ("bot-list", "post"): (401, 400, 400, 400),
    ("bot-detail", "get"): (200, 200, 200, 200),
    ("bot-versions", "get"): (401, 404, 200, 200),
    ("bot-versions", "post"): (401, 404, 400, 400),
    ("version-detail", "get"): (401, 404, 200, 200),
    ("version-source", "get"): (401, 404, 200, 200),
    ("tournament-list", "get"): (200, 200, 200, 200),
    ("tournament-list", "post"): (401, 400, 400, 400),
    ("tournament-detail", "get"): (200, 200, 200, 200),
    ("tournament-open", "post"): (401, 403, 200, 200),
    ("tournament-start", "post"): (401, 403, 409, 409),
    ("tournament-cancel", "post"): (401, 403, 200, 200),
    ("tournament-pause", "post"): (401, 403, 409, 409),
    ("tournament-resume", "post"): (401, 403, 409, 409),
    ("tournament-finish", "post"): (401, 403, 409, 409),
    ("tournament-extend", "post"): (401, 400, 400, 400),
    ("tournament-replay", "post"): (401, 403, 409, 409),
    ("tournament-preview-draft", "post"): (401, 400, 400, 400),
    ("tournament-preview", "get"): (409, 409, 409, 409),  # too few have entered
    ("tournament-groups", "get"): (200, 200, 200, 200),
    ("tournament-tables", "get"): (200, 200, 200, 200),
    ("tournament-ranking", "get"): (409, 409, 409, 409),  # in a round robin the standings decide
    ("tournament-entrants", "get"): (200, 200, 200, 200),
    ("tournament-entrants", "post"): (401, 400, 400, 400),
    ("tournament-withdraw", "delete"): (401, 403, 204, 204),
    ("tournament-progress", "get"): (200, 200, 200, 200),
    ("tournament-standings", "get"): (200, 200, 200, 200),
    ("tournament-boards", "get"): (200, 200, 200, 200),
    ("match-list", "get"): (200, 200, 200, 200),
    ("match-detail", "get"): (200, 200, 200, 200),
    ("match-record", "get"): (409, 409, 409, 409),
    ("match-logs", "get"): (401, 404, 200, 200),
    ("tournament-crosstable", "get"): (200, 200, 200, 200),
    ("tournament-duel", "get"): (409, 409, 409, 409),  # it is none
    ("tournament-partners", "get"): (401, 403, 200, 200),
    ("tournament-standings-export", "get"): (200, 200, 200, 200),
    ("tournament-records-export", "get"): (409, 409, 409, 409),
    ("match-export", "get"): (200, 200, 200, 200),
    ("rating-export", "get"): (200, 200, 200, 200),
    ("board-detail", "get"): (200, 200, 200, 200),
    ("board-hands", "get"): (409, 409, 409, 409),
    ("pool-list", "get"): (200, 200, 200, 200),
    ("pool-snapshots", "get"): (200, 200, 200, 200),
    ("pool-snapshot", "get"): (200, 200, 200, 200),
    ("pool-snapshot-ratings", "get"): (200, 200, 200, 200),
    ("pool-history", "get"): (200, 200, 200, 200),
    ("pool-head-to-head", "get"): (200, 200, 200, 200),
    ("pool-partners", "get"): (401, 403, 403, 200),
    ("pool-detail", "get"): (200, 200, 200, 200),
    ("rating-list", "get"): (200, 200, 200, 200),
    ("health", "get"): (503, 503, 503, 503),  # no broker in this test
    ("schema", "get"): (200, 200, 200, 200),
    ("docs", "get"): (200, 200, 200, 200),
}
METHODS = ("get", "post", "put", "patch", "delete")


def routes(patterns=urls.urlpatterns):
    """The names of all routes of the API."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            yield pattern.name


@pytest.fixture
def address(ann):
    """An address for each route, where Ann is the owner of whatever it is about."""
    running, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    snapshot = kit.recompute(running.pool)
    one, other = snapshot.ratings.values_list("version_id", flat=True)[:2]
    match = kit.Match.objects.first().pk
    version = kit.active(ann, "Entered")
    cup = kit.open_tournament(ann, "Open cup")
    entrant, _ = kit.tournaments.enter(cup, version, ann)
    token, _ = issue(ann)
    about = {
        "token": token.pk,
        "bot": version.bot_id,
        "version": version.pk,
        "tournament": cup.pk,
        "match": match,
        "pool": running.pool_id,
        "board": kit.Board.objects.first().pk,
    }

    def of(name):
        kind, _, what = name.partition("-")
        root = f"/api/v1/{ {'match': 'matches'}.get(kind, kind + 's') }/"
        special = {
            "health": "/api/v1/health/",
            "schema": "/api/v1/schema/",
            "docs": "/api/v1/docs/",
            "token-current": f"{root}current/",
            "user-me": f"{root}me/",
            "user-password": f"{root}me/password/",
            "match-export": "/api/v1/matches.csv",
            "rating-export": "/api/v1/ratings.jsonl",
            "tournament-standings-export": f"{root}{cup.pk}/standings.csv",
            "tournament-records-export": f"{root}{cup.pk}/records.jsonl",
            "pool-snapshot": f"{root}{running.pool_id}/snapshots/{snapshot.results_hash}/",
            "pool-snapshot-ratings": f"{root}{running.pool_id}/snapshots/{snapshot.results_hash}/ratings/",
            "pool-history": f"{root}{running.pool_id}/history/{one}/",
            "pool-head-to-head": f"{root}{running.pool_id}/head-to-head/{one}/{other}/",
        }
        if name in special:
            return special[name]
        if what == "list":
            return root
        if what == "preview-draft":
            return f"{root}preview/"
        if what == "withdraw":
            return f"{root}{cup.pk}/entrants/{entrant.pk}/"
        return f"{root}{about[kind]}/" + ("" if what == "detail" else f"{what}/")

    return of


def test_every_route_has_its_row():
    assert {name for name, _ in TABLE} == {name for name in routes() if name != "api-root"}


@pytest.mark.parametrize("number", range(4), ids=["visitor", "other user", "owner", "staff"])
def test_each_gets_what_the_table_says(number, address, ann, bob, staff):
    api = kit.client((None, bob, ann, staff)[number])
    for (name, method), expected in TABLE.items():
        with undone():
            answer = getattr(api, method)(address(name))
        assert answer.status_code == expected[number], (name, method, answer.content)


def test_other_methods_are_refused(address, staff):
    api = kit.client(staff)
    for name in {name for name, _ in TABLE}:
        for method in set(METHODS) - {method for row, method in TABLE if row == name}:
            with undone():
                answer = getattr(api, method)(address(name))
            assert answer.status_code == 405, (name, method, answer.content)


@contextmanager
def undone():
    """What is written inside is forgotten, and so is how often somebody tried."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()
