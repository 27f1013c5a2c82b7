"""Who may do what: every operation of the API by every role, and with a token of each single scope."""

from contextlib import contextmanager

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import URLPattern, URLResolver, reverse

from league.accounts.scopes import Scope
from league.accounts.tokens import issue
from league.api import urls
from league.webhooks.models import Delivery, Webhook
from tests.league import kit, sitters

pytestmark = pytest.mark.django_db

# What a visitor, another user, the owner and staff get, and the scopes of which a token needs one (*: none;
# with + all). No body is sent: a 400 asks for one, so the door is open.
TABLE = """
token-list                 get     401 200 200 200  read
token-list                 post    400 400 400 400  *
token-list                 delete  401 204 204 204  read+submit+organise  # those of the tokens themselves
token-current              get     401 200 200 200  *
token-current              delete  401 204 204 204  *
token-detail               get     401 404 200 404  read
token-detail               delete  401 404 204 404  read+submit+organise
user-list                  post    400 400 400 400  *
user-me                    get     401 200 200 200  *
user-password              post    401 400 400 400  *
bot-list                   get     200 200 200 200  read
bot-list                   post    401 400 400 400  submit
bot-detail                 get     200 200 200 200  read
bot-versions               get     200 200 200 200  read
bot-versions               post    401 404 400 400  submit
bot-faults                 get     200 200 200 200  read
version-detail             get     200 200 200 200  read
version-stages             get     401 404 200 200  read
version-recent             get     200 200 200 200  read
version-events             get     401 404 200 200  read
version-source             get     401 404 200 200  read
tournament-list            get     200 200 200 200  read
tournament-list            post    401 400 400 400  organise
tournament-detail          get     200 200 200 200  read
tournament-open            post    401 403 200 200  organise
tournament-start           post    401 403 409 409  organise
tournament-cancel          post    401 403 200 200  organise
tournament-pause           post    401 403 409 409  organise
tournament-resume          post    401 403 409 409  organise
tournament-finish          post    401 403 409 409  organise
tournament-extend          post    401 400 400 400  organise
tournament-replay          post    401 403 409 409  organise
tournament-preview-draft   post    401 400 400 400  read
tournament-preview         get     409 409 409 409  read  # too few have entered
tournament-groups          get     200 200 200 200  read
tournament-tables          get     200 200 200 200  read
tournament-ranking         get     409 409 409 409  read  # in a round robin the standings decide
tournament-entrants        get     200 200 200 200  read
tournament-entrants        post    401 400 400 400  submit
tournament-withdraw        delete  401 403 204 204  submit organise
tournament-progress        get     200 200 200 200  read
tournament-standings       get     200 200 200 200  read
tournament-boards          get     200 200 200 200  read
tournament-crosstable      get     200 200 200 200  read
tournament-duel            get     409 409 409 409  read  # it is none
tournament-partners        get     401 403 200 200  read
tournament-events          get     200 200 200 200  read
tournament-standings-export get    200 200 200 200  read
tournament-records-export  get     409 409 409 409  read  # it isn't over
match-list                 get     200 200 200 200  read
match-detail               get     200 200 200 200  read
match-record               get     409 409 409 409  read
match-clock                get     409 409 409 409  read
match-logs                 get     401 404 200 200  read
match-events               get     200 200 200 200  read
match-export               get     200 200 200 200  read
group-detail               get     200 200 200 200  read
table-detail               get     200 200 200 200  read
board-detail               get     200 200 200 200  read
board-hands                get     409 409 409 409  read
pool-list                  get     200 200 200 200  read
pool-detail                get     200 200 200 200  read
pool-snapshots             get     200 200 200 200  read
pool-snapshot              get     200 200 200 200  read
pool-snapshot-ratings      get     200 200 200 200  read
pool-history               get     200 200 200 200  read
pool-head-to-head          get     200 200 200 200  read
pool-crosstable            get     200 200 200 200  read
pool-events                get     200 200 200 200  read
pool-partners              get     401 403 403 200  read
rating-list                get     200 200 200 200  read
rating-export              get     200 200 200 200  read
webhook-list               get     401 200 200 200  read
webhook-list               post    401 400 400 400  submit organise
webhook-detail             get     401 404 200 404  read
webhook-detail             patch   401 404 200 404  submit organise
webhook-detail             delete  401 404 204 404  submit organise
webhook-secret             post    401 404 200 404  submit organise
webhook-ping               post    401 404 202 404  submit organise
webhook-deliveries         get     401 404 200 404  read
webhook-delivery           get     401 404 200 404  read
webhook-redeliver          post    401 404 202 404  submit organise
sitting-list               get     401 200 200 200  read
sitting-list               post    401 400 400 400  submit organise
sitting-detail             get     401 404 200 404  read
sitting-detail             delete  401 404 204 404  submit organise
sitting-answers            post    401 404 400 404  submit organise
sitting-record             get     401 404 409 404  read  # it isn't over
sitting-events             get     401 404 200 404  read
problems                   get     200 200 200 200  *
problem                    get     200 200 200 200  *
health                     get     503 503 503 503  *  # no broker in this test
schema                     get     200 200 200 200  *
docs                       get     200 200 200 200  *
"""


def rows():
    """(route, method): (what each role gets, the scopes)."""
    for line in TABLE.strip().splitlines():
        name, method, *rest = line.partition("#")[0].split()
        yield (name, method), ([int(status) for status in rest[:4]], rest[4:])


ROWS = dict(rows())
METHODS = {"get", "post", "put", "patch", "delete"}


def routes(patterns=urls.urlpatterns):
    """The API's own routes."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and pattern.name != "api-root":
            yield pattern


def methods(route):
    """Those that a route's view answers to, beside HEAD and OPTIONS."""
    view = route.callback
    if actions := getattr(view, "actions", None):
        return set(actions) & METHODS
    return {method for method in METHODS if hasattr(view.cls, method)}


def test_the_table_is_the_url_map():
    assert set(ROWS) == {(route.name, method) for route in routes() for method in methods(route)}


@pytest.fixture
def address(ann):
    """An address for each route, where Ann is the owner of whatever it is about."""
    running, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    snapshot = kit.recompute(running.pool)
    one, other = snapshot.ratings.values_list("version_id", flat=True)[:2]
    version = kit.active(ann, "Entered")
    hook = Webhook.objects.create(owner=ann, url="https://hooks.example/", events=["*"], salt="00" * 16)
    delivery = Delivery.objects.create(webhook=hook, event_id="1", type="ping", body="{}")
    cup = kit.open_tournament(ann, "Open cup")
    entrant, _ = kit.tournaments.enter(cup, version, ann)
    ids = {
        "token": issue(ann)[0].pk,
        "bot": version.bot_id,
        "version": version.pk,
        "tournament": cup.pk,
        "match": kit.Match.objects.first().pk,
        "pool": running.pool_id,
        "board": kit.Board.objects.first().pk,
        "table": tables[0],
        "webhook": hook.pk,
        "sitting": sitters.begun(ann, versions=list(kit.bots.Version.objects.all()[:2])).pk,
        "group": kit.Board.objects.first().group_id,
    }
    more = {
        "bot_id": version.bot_id,
        "entrant": entrant.pk,
        "delivery": delivery.pk,
        "results_hash": snapshot.results_hash,
        "version": one,
        "one": one,
        "other": other,
        "kind": "csv",
        "code": "not_found",
    }
    named = {route.name: route.pattern.regex.groupindex for route in routes()}

    def of(name):
        about = more | {"pk": ids.get(name.partition("-")[0])}
        return reverse(name, kwargs={word: about[word] for word in named[name]})

    return of


@contextmanager
def undone():
    """What is written inside is forgotten, and so is how often somebody tried."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()


def ask(api, method, place):
    """The answer to a request that leaves no trace."""
    with undone():
        return getattr(api, method)(place)


def good_for(user, *scopes):
    """A client with a token of those scopes, beside which the user has one as usual."""
    api = kit.client()
    issue(user)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {issue(user, scopes=scopes)[1]}")
    return api


@pytest.mark.parametrize("number", range(4), ids=["visitor", "other user", "owner", "staff"])
def test_each_gets_what_the_table_says(number, address, ann, bob, staff):
    api = kit.client((None, bob, ann, staff)[number])
    for (name, method), (expected, _) in ROWS.items():
        answer = ask(api, method, address(name))
        assert answer.status_code == expected[number], (name, method, answer.content)
        if method == "get":
            assert ask(api, "head", address(name)).status_code == expected[number], name


def test_staff_without_the_scope_for_it_are_users_like_any_other(address, staff):
    api = good_for(staff, *set(Scope) - {Scope.ADMIN})
    for (name, method), (expected, _) in ROWS.items():
        answer = ask(api, method, address(name))
        assert answer.status_code == expected[1], (name, method, answer.content)


@pytest.mark.parametrize("scope", Scope)
def test_a_token_opens_what_its_scope_is_for_and_nothing_else(scope, address, ann, staff):
    number, user = (3, staff) if scope == Scope.ADMIN else (2, ann)
    api = good_for(user, scope)
    for (name, method), (expected, scopes) in ROWS.items():
        answer = ask(api, method, address(name))
        if scope in scopes or "*" in scopes:
            assert answer.status_code == expected[number], (name, method, answer.content)
        elif expected[number] in (403, 404):  # not even with the scope
            assert answer.status_code in (403, 404), (name, method, answer.content)
        else:
            assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing"), (name, method)


def test_other_methods_are_refused(address, staff):
    api = kit.client(staff)
    for route in routes():
        for method in METHODS - methods(route):
            answer = ask(api, method, address(route.name))
            assert answer.status_code == 405, (route.name, method, answer.content)
            allowed = {word.strip().lower() for word in answer["Allow"].split(",")}
            assert allowed & METHODS == methods(route), route.name


@pytest.mark.parametrize("number", range(4), ids=["visitor", "other user", "owner", "staff"])
def test_options_are_refused_like_any_other_method(number, address, ann, bob, staff):
    api = kit.client((None, bob, ann, staff)[number])
    for route in routes():
        answer = ask(api, "options", address(route.name))
        assert answer.status_code in (401, 403, 405), (route.name, answer.content)
        assert "OPTIONS" not in answer.get("Allow", ""), route.name
