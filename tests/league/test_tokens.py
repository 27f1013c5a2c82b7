"""Tokens: named, good for their scopes until they expire, ended at once; and who has them."""

from datetime import timedelta

import pytest
from django.contrib.auth import hashers
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import URLPattern, URLResolver
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS

from league.accounts import services, tokens
from league.accounts.models import Token, User
from league.api import urls
from league.api.permissions import needed
from league.api.views.common import View
from league.common.lifecycle import StatusNote
from tests.league import kit

pytestmark = pytest.mark.django_db
TOKENS, ME = "/api/v1/tokens/", "/api/v1/users/me/"


def log_in(anybody, username="ann", password=kit.PASSWORD, **more):
    return anybody.post(TOKENS, {"username": username, "password": password, **more})


def bearer(user, *scopes, **more):
    """A client of a user, with a token that is good for this."""
    api, (_, text) = kit.APIClient(raise_request_exception=False), tokens.issue(user, scopes=scopes, **more)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return api


# -- what a token is -----------------------------------------------------------------------------------------


def test_a_token_is_shown_once_and_stored_as_a_hash(anybody, ann):
    made = log_in(anybody)
    assert made.status_code == 201
    text = made.json()["token"]
    row = Token.objects.get()
    assert text not in [str(getattr(row, field.attname)) for field in Token._meta.fields]
    anybody.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    assert anybody.get(TOKENS).status_code == 200
    assert text not in anybody.get(TOKENS).content.decode() + anybody.get(ME).content.decode()


def test_a_token_has_the_name_the_scopes_and_the_days_asked_for(anybody, ann, settings):
    body = {"username": "ann", "password": kit.PASSWORD, "days": 7, "scopes": ["submit", "read", "read"]}
    made = anybody.post(TOKENS, {**body, "name": "my CI"}).json()
    assert (made["name"], made["scopes"]) == ("my CI", ["read", "submit"])
    assert Token.objects.get().expiry - timezone.now() < timedelta(days=7)
    usual = log_in(anybody).json()
    assert usual["scopes"] == ["read", "submit", "organise"]
    assert Token.objects.last().expiry - timezone.now() > timedelta(days=settings.TOKEN_DAYS, hours=-1)


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"scopes": []}, "bad_scope", "scopes"),
        ({"scopes": ["everything"]}, "invalid_choice", "scopes.0"),
        ({"scopes": "read"}, "invalid", "scopes"),
        ({"scopes": ["admin"]}, "forbidden", "scopes"),
        ({"days": 0}, "min_value", "days"),
        ({"days": 31}, "max_value", "days"),
        ({"days": "7"}, "invalid", "days"),
        ({"name": "a\u202eb"}, "bad_name", "name"),
        ({"name": "\u200b"}, "bad_name", "name"),
    ],
)
def test_a_token_that_can_not_be_is_refused(anybody, ann, more, code, field):
    answer = log_in(anybody, **more)
    assert (answer.status_code, answer.json()["code"]) == (403 if code == "forbidden" else 400, code)
    assert answer.json()["field"] == field
    assert not Token.objects.exists()


def test_an_expired_token_opens_nothing_and_is_forgotten_at_the_next_log_in(anybody, ann):
    old = bearer(ann, "read")
    Token.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert (old.get(ME).status_code, old.get(ME).json()["code"]) == (401, "bad_token")
    log_in(anybody)
    assert Token.objects.count() == 1


def test_the_last_use_is_noted_once_a_minute(ann):
    api = bearer(ann, "read")
    assert api.get(ME).json()["token"]["last_used_at"] is not None
    noted = Token.objects.get().last_used_at
    api.get(ME)
    assert Token.objects.get().last_used_at == noted
    Token.objects.update(last_used_at=noted - timedelta(minutes=2))
    api.get(ME)
    assert Token.objects.get().last_used_at > noted


# -- what it is good for -------------------------------------------------------------------------------------


def views(patterns=urls.urlpatterns):
    """Each route's name, its view class, and its actions by method."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns)
        elif isinstance(pattern, URLPattern):
            view = getattr(pattern.callback, "cls", None) or pattern.callback.view_class
            yield pattern.name, view, getattr(pattern.callback, "actions", None)


def test_every_write_says_which_scope_it_needs():
    for name, view, actions in views():
        if not issubclass(view, View):
            methods = {method.upper() for method in view.http_method_names if hasattr(view, method)}
            assert methods <= set(SAFE_METHODS), f"{name} can write, and is no league.api.views.common.View"
            continue
        for method, action in (actions or {}).items():
            assert needed(view, method.upper(), action) is not None, f"{name}: {action} says no scope"


def test_the_document_says_which_scope_a_write_needs(anybody):
    paths = anybody.get("/api/v1/schema/?format=json").json()["paths"]
    told = {
        path: operations["post"]["description"] for path, operations in paths.items() if "post" in operations
    }
    assert told["/api/v1/bots/"].endswith("Needs the scope `submit`.")
    assert told["/api/v1/tournaments/{id}/start/"].endswith("Needs the scope `organise`.")
    assert "Needs the scope" not in told["/api/v1/tokens/"]


def test_a_write_of_which_nothing_is_said_is_refused(as_staff, monkeypatch):
    monkeypatch.setattr("league.api.views.bots.Bots.scopes", {})
    assert as_staff.post("/api/v1/bots/", {"name": "Dodger"}).status_code == 403
    assert as_staff.get("/api/v1/bots/").status_code == 200


@pytest.mark.parametrize(
    ("address", "body", "scope"),
    [
        ("/api/v1/bots/", {"name": "Dodger"}, "submit"),
        ("/api/v1/tournaments/", {"name": "Cup"}, "organise"),
    ],
)
def test_a_token_without_the_scope_is_told_which_is_needed(ann, address, body, scope):
    others = [each for each in ("read", "submit", "organise") if each != scope]
    answer = bearer(ann, *others).post(address, body)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert f"the scope {scope}; yours has {', '.join(others)}." in answer.json()["detail"]
    assert bearer(ann, scope).post(address, body).status_code == 201
    assert bearer(ann, scope).get(address).json()["code"] == "scope_missing"  # reading is `read`


def test_staff_acts_as_staff_only_with_a_token_for_that(staff, ann):
    version = kit.received(ann)
    address = f"/api/v1/versions/{version.pk}/source/"
    plain, admin = bearer(staff, "read", "organise"), bearer(staff, "read", "admin")
    assert (plain.get(address).status_code, admin.get(address).status_code) == (404, 200)
    assert (plain.get(ME).json()["is_staff"], admin.get(ME).json()["is_staff"]) == (False, True)
    pool = kit.running(ann)[0].pool_id
    assert plain.get(f"/api/v1/pools/{pool}/partners/").json()["code"] == "scope_missing"
    assert admin.get(f"/api/v1/pools/{pool}/partners/").json().get("code") != "scope_missing"


def test_a_user_seen_without_what_the_staff_has_is_never_saved_so(staff):
    seen = User.objects.get(pk=staff.pk)
    seen.as_anyone()
    with pytest.raises(ValueError, match="named columns"):
        seen.save()
    seen.save(update_fields=["last_login"])
    assert User.objects.get(pk=staff.pk).is_staff


def test_an_entry_is_its_authors_to_take_back_and_its_organisers(ann, bob):
    cup = kit.open_tournament(ann)
    entry, _ = kit.tournaments.enter(cup, kit.active(bob), bob)
    address = f"/api/v1/tournaments/{cup.pk}/entrants/{entry.pk}/"
    assert bearer(ann, "submit").delete(address).json()["code"] == "scope_missing"
    assert bearer(bob, "read").delete(address).json()["code"] == "scope_missing"
    assert bearer(ann, "organise").delete(address).status_code == 204


# -- how it ends ---------------------------------------------------------------------------------------------


def test_ones_own_tokens_are_listed_and_ended_and_nobody_elses(ann, bob):
    first, second, other = (
        bearer(ann, *map(str, tokens.USUAL), name="CI"),
        bearer(ann, "read"),
        bearer(bob, "read"),
    )
    rows = first.get(TOKENS).json()["results"]
    assert [(row["name"], row["current"]) for row in rows] == [("CI", True), ("unnamed", False)]
    address = f"{TOKENS}{rows[1]['id']}/"
    assert (other.get(address).status_code, other.delete(address).status_code) == (404, 404)
    assert (first.delete(address).status_code, first.delete(address).status_code) == (204, 404)
    assert (second.get(ME).status_code, first.get(ME).status_code) == (401, 200)


def test_a_token_ends_itself_and_those_that_are_good_for_no_more(ann):
    weak, strong = bearer(ann, "read"), bearer(ann, "read", "submit")
    row = strong.get(f"{TOKENS}current/").json()
    for address in (TOKENS, f"{TOKENS}{row['id']}/"):
        assert weak.delete(address).json()["code"] == "scope_missing"
    assert strong.get(ME).status_code == 200
    assert strong.delete(TOKENS).status_code == 204
    assert [api.get(ME).status_code for api in (weak, strong)] == [401, 401]


def test_a_new_password_ends_every_token_and_session(ann, anybody):
    first, second, browser = kit.client(ann), kit.client(ann), Client()
    browser.force_login(ann)
    address, new = f"{ME}password/", "another long one"
    refused = first.post(address, {"old": "wrong", "new": new})
    assert (refused.status_code, refused.json()["field"]) == (400, "old")
    assert first.post(address, {"old": kit.PASSWORD, "new": "short"}).json()["code"] == "weak_password"
    assert second.get(ME).status_code == 200
    assert first.post(address, {"old": kit.PASSWORD, "new": new}).status_code == 204
    assert [api.get(ME).status_code for api in (first, second)] == [401, 401]
    assert not Token.objects.exists()
    assert not Session.objects.exists()
    assert [log_in(anybody, password=each).status_code for each in (kit.PASSWORD, new)] == [400, 201]


def test_who_has_a_token_can_not_guess_the_password_without_end(ann):
    api = kit.client(ann)  # one log-in, of the ten that an account has in a minute
    answers = [api.post(f"{ME}password/", {"old": "wrong", "new": "another long one"}) for _ in range(10)]
    assert [answer.status_code for answer in answers] == [400] * 9 + [429]


def test_a_closed_account_has_no_way_in_until_it_is_opened_and_the_old_tokens_stay_ended(ann, staff, anybody):
    api, browser = kit.client(ann), Client()
    browser.force_login(ann)
    for _ in range(2):
        services.close(ann, staff, "spam")
    assert (api.get(ME).status_code, log_in(anybody).json()["code"]) == (401, "bad_credentials")
    services.reopen(ann, staff, "a mistake")
    assert (api.get(ME).status_code, log_in(anybody).status_code) == (401, 201)
    assert not Session.objects.exists()
    notes = StatusNote.objects.filter(kind="user", row=ann.pk).order_by("pk")
    assert [(note.old, note.new, note.text, note.by) for note in notes] == [
        ("open", "closed", "spam", staff),
        ("closed", "open", "a mistake", staff),
    ]


def test_the_session_from_before_a_log_in_is_not_the_one_after_it(staff):
    browser = Client()
    browser.session.save()
    before = browser.session.session_key
    browser.post("/admin/login/", {"username": "root", "password": kit.PASSWORD})
    assert browser.session.session_key != before


# -- A5, A7: cookies, and strangers who try ------------------------------------------------------------------


def test_a_cookie_plays_no_part_whatever_the_token(ann):
    browser = kit.client()
    browser.force_login(ann)
    for token in ("", "Bearer ", "Bearer nonsense", "Bearer " + "f" * 64, "Basic YTpi"):
        browser.credentials(HTTP_AUTHORIZATION=token)
        assert browser.get(ME).status_code == 401, token
        assert browser.post("/api/v1/bots/", {"name": "Dodger"}).status_code == 401, token


@pytest.mark.parametrize("name", ["ann", "ＡＮＮ", "nobody", "closed", "\u200b", "a\u202eb", "x" * 200])
def test_a_log_in_that_fails_costs_one_hash_and_says_the_same_whoever_is_meant(
    anybody, ann, monkeypatch, name
):
    kit.user("closed", is_active=False)
    hashed = []
    hasher = hashers.get_hasher()
    monkeypatch.setattr(
        type(hasher), "encode", lambda *args, **more: hashed.append(args) or "md5$salt$0", raising=True
    )
    password = kit.PASSWORD if name == "closed" else "wrong"
    answer = log_in(anybody, name, password)
    assert len(hashed) == 1
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (
        400,
        "bad_credentials",
        None,
    )


def test_a_sign_up_costs_the_same_for_a_name_that_is_taken(anybody, ann, monkeypatch):
    hashed = []
    hasher = type(hashers.get_hasher())
    encode = hasher.encode
    monkeypatch.setattr(hasher, "encode", lambda *args: hashed.append(args) or encode(*args))
    codes = [
        anybody.post("/api/v1/users/", {"username": name, "password": kit.PASSWORD}).status_code
        for name in ("ANN", "eve")
    ]
    assert (codes, len(hashed)) == ([409, 201], 2)
