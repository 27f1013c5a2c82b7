"""Who gets into the admin, and how they get out: a throttled door, sessions that end, rights that hold."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.core.cache.backends.redis import RedisCache
from django.test import Client
from django.urls import get_resolver

from league.accounts.models import User
from league.common.lifecycle import StatusNote
from league.tournaments import services as tournaments
from league.tournaments.models import Table
from league.webhooks.models import Webhook
from tests.league import kit
from tests.league.test_operators_deeds import WHY, do, noted
from tests.league.test_operators_lists import browser_of, operator, page, staff  # noqa: F401

pytestmark = pytest.mark.django_db

DOOR = "/admin/login/"
COOKIE = "sessionid"


def log_in(browser, name="root", password=kit.PASSWORD, **headers):
    return browser.post(f"{DOOR}?next=/admin/", {"username": name, "password": password}, **headers)


@pytest.fixture
def root(db):
    return kit.user("root", is_staff=True, is_superuser=True)


def addresses():
    """Every address of the admin, with something in each gap."""
    for prefix in walk(get_resolver().url_patterns, ""):
        if prefix.startswith("admin/"):
            yield "/" + re.sub(r"<[^>]+>", "1", prefix).replace("^", "").replace("$", "")


def walk(patterns, prefix):
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if hasattr(pattern, "url_patterns"):
            yield from walk(pattern.url_patterns, path)
        else:
            yield path


def test_a_stranger_and_a_user_who_is_no_staff_get_to_the_door_and_no_further(ann):
    found = [address for address in addresses() if "login" not in address and "jsi18n" not in address]
    assert len(found) > 5 * len(admin.site._registry)
    for ask in (Client().get, browser_of(ann).post):
        for address in found:
            answer = ask(address)
            assert answer.status_code in (302, 403), address
            if answer.status_code == 302 and "logout" not in address:
                assert answer["Location"].startswith((DOOR, "/admin/", "/account/password/")), address


def test_passwords_are_tried_so_often_from_one_address_and_the_api_counts_with_it(root, anybody):
    browser = Client()
    said = {log_in(browser, f"nobody {number}", "x").status_code for number in range(9)}
    assert said == {200}
    body = {"username": "root", "password": kit.PASSWORD}
    assert anybody.post("/api/v1/tokens/", body).status_code == 201
    refused = log_in(browser)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert COOKIE not in browser.cookies
    assert anybody.post("/api/v1/tokens/", body).status_code == 429
    assert log_in(browser, REMOTE_ADDR="203.0.113.9").status_code == 302


def test_passwords_of_one_account_are_tried_so_often_from_wherever(root):
    browser = Client()
    for number in range(10):
        assert log_in(browser, "ROOT", "x", REMOTE_ADDR=f"203.0.113.{number}").status_code == 200
    assert log_in(browser, REMOTE_ADDR="203.0.113.99").status_code == 429
    assert log_in(browser, "somebody else", "x", REMOTE_ADDR="203.0.113.99").status_code == 200


def test_who_finds_an_open_admin_tries_old_passwords_so_often_and_no_more(root):
    browser = browser_of(root)
    assert '"/admin/password_change/"' in browser.get("/admin/").content.decode()
    wrong = {
        "old_password": "x",
        "new_password1": "another good one 7",
        "new_password2": "another good one 7",
    }
    assert browser.post("/admin/password_change/", wrong)["Location"] == "/account/password/"
    wrong = {"old": "x", "new": "another good one 7", "again": "another good one 7"}
    codes = [browser.post("/account/password/", wrong).status_code for _ in range(12)]
    assert set(codes[:5]) == {400}
    assert codes[-1] == 429
    root.refresh_from_db()
    assert root.check_password(kit.PASSWORD)


def test_where_attempts_can_not_be_counted_none_is_taken(root, settings, monkeypatch):
    away = RedisCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_connect_timeout": 0.2}})
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.cache", away)
    browser = Client()
    answer = log_in(browser)
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert COOKIE not in browser.cookies


def test_the_door_takes_no_form_of_another_site(root):
    assert log_in(Client(enforce_csrf_checks=True)).status_code == 403


def test_a_session_from_before_the_log_in_is_worth_nothing_after_it(root):
    browser, other = Client(), Client()
    browser.force_login(kit.user("someone"))
    planted = browser.cookies[COOKIE].value
    assert log_in(browser).status_code == 302
    assert browser.cookies[COOKIE].value != planted
    other.cookies[COOKIE] = planted
    assert other.get("/admin/").status_code == 302


def test_the_cookie_is_out_of_scripts_and_other_sites_reach_and_secure_in_production(root, settings):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True  # as in production: test_settings
    browser = Client()
    log_in(browser)
    told = browser.cookies[COOKIE]
    assert told["httponly"]
    assert told["secure"]
    assert told["samesite"] == "Lax"
    assert int(told["max-age"]) <= 12 * 3600
    answer = browser.get("/admin/")
    assert answer["X-Frame-Options"] == "DENY"
    assert "default-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "no-store" in answer["Cache-Control"]


def logged_out(browser, root):
    browser.post("/admin/logout/")


def new_password(browser, root):
    form = browser.get("/admin/password_change/")["Location"]
    given = {"old": kit.PASSWORD, "new": "another good one 7", "again": "another good one 7"}
    assert browser.post(form, given).status_code == 303


def new_password_by_another(browser, root):
    chief = browser_of(kit.user("chief", is_staff=True, is_superuser=True))
    given = {"password1": "another good one 7", "password2": "another good one 7", "usable_password": "true"}
    assert chief.post(f"/admin/accounts/user/{root.pk}/password/", given).status_code == 302


def closed(browser, root):
    assert "done" in do(browser_of(kit.user("chief", is_staff=True, is_superuser=True)), "close", root)


@pytest.mark.parametrize("end", [logged_out, new_password, new_password_by_another, closed])
def test_a_session_that_has_ended_is_worth_nothing_wherever_its_cookie_is(root, end):
    browser, elsewhere = Client(), Client()
    log_in(browser)
    elsewhere.cookies[COOKIE] = browser.cookies[COOKIE].value
    assert elsewhere.get("/admin/").status_code == 200
    api = kit.client(root)
    end(browser, root)
    assert elsewhere.get("/admin/").status_code == 302
    if end is not logged_out:
        assert api.get("/api/v1/users/me/").status_code == 401


def test_a_closed_account_has_no_way_in_its_bots_leave_what_is_open_and_results_stay(operator, ann):  # noqa: F811
    going, _ = kit.running(ann)
    upcoming = kit.open_tournament(ann, "Upcoming")
    tournaments.enter(upcoming, going.entrants.first().version, ann)
    as_ann, browser = kit.client(ann), browser_of(ann)
    hook = Webhook.objects.create(owner=ann, url="https://example.org/x", events=["*"], salt="s")
    for _ in range(2):
        assert "done" in do(operator, "close", ann)
    assert noted("user", ann, "open", "closed") == ("root", WHY)
    assert StatusNote.objects.filter(kind="user").count() == 1
    assert as_ann.get("/api/v1/users/me/").status_code == 401
    assert not Session.objects.filter(pk=browser.cookies[COOKIE].value).exists()
    assert not upcoming.entrants.exists()
    hook.refresh_from_db()
    assert hook.status == "paused"
    assert set(going.entrants.values_list("status", flat=True)) == {"entered"}
    assert Table.objects.filter(tournament=going, status="queued").exists()
    log = {"username": "ann", "password": kit.PASSWORD}
    assert kit.client().post("/api/v1/tokens/", log).json()["code"] == "bad_credentials"
    do(operator, "reopen", ann)
    assert noted("user", ann, "closed", "open") == ("root", WHY)
    assert kit.client().post("/api/v1/tokens/", log).status_code == 201


def test_nobody_closes_their_own_account_and_only_a_superuser_one_of_the_staff(root, ann):
    clerk = staff("view_user", "change_user")
    assert "refused" in do(browser_of(root), "close", root)
    for row in (root, User.objects.get(username="clerk")):
        assert "refused" in do(clerk, "close", row)
    assert "done" in do(clerk, "close", ann)
    assert User.objects.filter(is_active=True).count() == 2


def test_only_a_superuser_makes_somebody_staff_or_gives_the_staff_a_password(root, ann):
    clerk = staff("view_user", "change_user", "view_group", "change_group", "add_group")
    rights = {"is_staff": "on", "is_superuser": "on", "email": "a@example.org", "user_permissions": [1]}
    assert (
        clerk.post(page(User, "change", ann.pk), {**rights, "username": "x", "is_active": ""}).status_code
        == 302
    )
    ann.refresh_from_db()
    assert (ann.is_staff, ann.is_superuser, ann.is_active, ann.username) == (False, False, True, "ann")
    assert ann.email == "a@example.org"
    for row in (root, User.objects.get(username="clerk")):
        assert clerk.post(page(User, "change", row.pk), rights).status_code == 403
        assert clerk.get(f"/admin/accounts/user/{row.pk}/password/").status_code == 403
    assert clerk.get("/admin/auth/group/add/").status_code == 403
    browser_of(root).post(page(User, "change", ann.pk), {"is_staff": "on", "email": ""})
    ann.refresh_from_db()
    assert ann.is_staff


def test_a_form_of_rights_offers_what_does_something_and_fits_into_one_request(operator, ann, settings):  # noqa: F811
    answer = operator.get(page(User, "change", ann.pk))
    offered = answer.context["adminform"].form.fields["user_permissions"].queryset
    assert {permission.codename.split("_")[0] for permission in offered} == {"view", "change"}
    assert offered.count() + 10 < settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
    every = {"is_staff": "on", "user_permissions": [permission.pk for permission in offered]}
    assert operator.post(page(User, "change", ann.pk), every).status_code == 302
    assert ann.user_permissions.count() == offered.count()
    assert Permission.objects.count() > offered.count()
