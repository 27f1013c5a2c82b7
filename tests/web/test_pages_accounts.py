"""Accounts on the pages: in and out, tokens shown once, passwords, sessions, webhooks; without scripts."""

import html
import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.contrib.sessions.models import Session
from django.core.cache.backends.redis import RedisCache
from django.utils import timezone

from league.accounts.models import Token, User
from league.accounts.quotas import usage
from league.web import sessions
from league.webhooks import services as webhooks
from league.webhooks.models import Delivery, Webhook
from league.webhooks.signing import new_salt, secret_of
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db

COOKIE = "sessionid"
GOOD = "another good one 7"


def log_in(browser, name="ann", password=kit.PASSWORD, to="/login/", **headers):
    return browser.post(to, {"username": name, "password": password}, **headers)


def test_who_signs_up_is_logged_in_and_sees_what_may_be_had(db):
    browser = browser_of()
    form = text(browser.get("/sign-up/"))
    assert 'autocomplete="username"' in form
    assert form.count('autocomplete="new-password"') == 2
    given = {"username": "Cora", "password": GOOD, "again": GOOD}
    answer = browser.post("/sign-up/", given)
    assert (answer.status_code, answer["Location"]) == (303, "/account/")
    page = text(browser.get("/account/"))
    assert "<h1>Cora</h1>" in page
    for told in usage(User.objects.get()).values():
        assert told["unit"] in page
    assert browser.get("/sign-up/")["Location"] == "/account/"


def test_a_refused_sign_up_says_at_the_field_in_the_apis_words_what_is_wrong_and_keeps_the_name(ann, anybody):
    browser = browser_of()
    for name, password, field in (
        ("ANN", GOOD, "username"),
        ("cora", "12345678", "password"),
        ("", GOOD, "username"),
    ):
        given = {"username": name, "password": password}
        told = anybody.post("/api/v1/users/", given).json()
        answer = browser.post("/sign-up/", {**given, "again": password})
        assert answer.status_code == told["status"]
        page = text(answer)
        error = re.search(f'id="field-{field}-error">([^<]*)<', page)[1]
        assert error.replace("&#x27;", "'") == " ".join(each["detail"] for each in told["errors"])
        assert f'value="{name}"' in page
        assert password not in page
    twice = browser.post("/sign-up/", {"username": "cora", "password": GOOD, "again": "x"})
    assert 'id="field-again-error"' in text(twice)
    assert User.objects.count() == 1


def test_log_in_leads_on_to_where_one_came_from_and_never_to_another_site(ann):
    assert browser_of().get("/account/")["Location"] == "/login/?next=/account/"
    assert 'name="next" value="/account/"' in text(browser_of().get("/login/?next=/account/"))
    for asked, leads in (
        ("/account/password/", "/account/password/"),
        ("https://evil.example/", "/account/"),
        ("//evil.example/", "/account/"),
        ("/\\evil.example", "/account/"),
        ("javascript:alert(1)", "/account/"),
    ):
        browser = browser_of()
        answer = browser.post("/login/", {"username": "ann", "password": kit.PASSWORD, "next": asked})
        assert (answer.status_code, answer["Location"]) == (303, leads)


def test_a_session_gets_another_id_when_its_user_logs_in(ann):
    browser, other = browser_of(), browser_of()
    browser.force_login(kit.user("someone"))
    planted = browser.cookies[COOKIE].value
    log_in(browser)
    assert browser.cookies[COOKIE].value != planted
    other.cookies[COOKIE] = planted
    assert other.get("/account/").status_code == 302


def test_a_wrong_password_tells_what_the_api_tells_and_not_which_of_both_is_wrong(ann, anybody):
    told = anybody.post("/api/v1/tokens/", {"username": "ann", "password": "x"}).json()
    pages = set()
    for name, password in (("ann", "x"), ("nobody", kit.PASSWORD), ("ann\0", kit.PASSWORD), ("x" * 300, "x")):
        answer = log_in(browser_of(), name, password)
        assert answer.status_code == told["status"]
        pages.add(re.search(r'<div class="notice bad"[^>]*>(.*?)</div>', text(answer))[1])
    assert len(pages) == 1
    assert told["detail"] in pages.pop()


def test_passwords_are_tried_so_often_whatever_the_door(ann, anybody):
    browser = browser_of()
    body = {"username": "ann", "password": kit.PASSWORD}
    for number in range(9):
        assert log_in(browser, f"nobody {number}").status_code == 400
    assert anybody.post("/api/v1/tokens/", body).status_code == 201
    refused = log_in(browser)
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    assert f"try again in {refused['Retry-After']} s" in text(refused)
    assert anybody.post("/api/v1/tokens/", body).status_code == 429
    assert browser.post("/admin/login/", body).status_code == 429
    assert log_in(browser, REMOTE_ADDR="203.0.113.9").status_code == 303


def test_where_attempts_can_not_be_counted_none_is_taken(ann, monkeypatch):
    away = RedisCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_connect_timeout": 0.2}})
    monkeypatch.setattr("rest_framework.throttling.SimpleRateThrottle.cache", away)
    answer = log_in(browser_of())
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "none is taken" in text(answer)
    new = browser_of().post("/sign-up/", {"username": "cora", "password": GOOD, "again": GOOD})
    assert new.status_code == 503
    assert not User.objects.filter(username="cora").exists()


def test_logging_out_takes_a_post_and_the_session_is_worth_nothing_then(ann):
    browser, elsewhere = browser_of(ann), browser_of()
    elsewhere.cookies[COOKIE] = browser.cookies[COOKIE].value
    assert "<form" in text(browser.get("/logout/"))
    assert elsewhere.get("/account/").status_code == 200
    assert browser.post("/logout/").status_code == 303
    assert elsewhere.get("/account/").status_code == 302


def test_no_form_of_another_site_is_taken(ann):
    browser = browser_of(enforce_csrf_checks=True)
    assert log_in(browser).status_code == 403
    browser.force_login(ann)
    for where in ("/logout/", "/account/password/", "/account/tokens/new/", "/account/sessions/end/"):
        assert browser.post(where).status_code == 403


def test_a_token_is_shown_once_with_how_to_use_it_and_is_good_for_what_was_ticked(ann):
    browser = browser_of(ann)
    form = text(browser.get("/account/tokens/new/"))
    assert 'value="submit"' in form
    assert 'value="admin"' not in form
    given = {"name": "laptop", "scopes": ["read", "submit"], "days": "3", "password": kit.PASSWORD}
    answer = browser.post("/account/tokens/new/", given)
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    secret = re.search(r"Bearer (\w+)", text(answer))[1]
    assert "polignac login --token http://testserver/" in text(answer)
    api = kit.client()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    me = api.get("/api/v1/users/me/").json()
    assert (me["token"]["name"], me["token"]["scopes"]) == ("laptop", ["read", "submit"])
    page = text(browser.get("/account/"))
    assert "laptop" in page
    assert secret not in page


def test_a_refused_token_says_what_is_wrong_at_the_field(ann):
    browser = browser_of(ann)
    good = {"name": "laptop", "scopes": ["read"], "days": "3", "password": kit.PASSWORD}
    for wrong, field in (
        ({"days": "1000"}, "days"),
        ({"name": "\u200b"}, "name"),
        ({"scopes": []}, "scopes"),
    ):
        answer = browser.post("/account/tokens/new/", {**good, **wrong})
        assert answer.status_code == 400, field
        assert f'id="field-{field}-error"' in text(answer) or field == "scopes"
        assert 'class="notice bad"' in text(answer)
    for _ in range(20):
        wrong = browser.post("/account/tokens/new/", {**good, "password": "x"})
        if wrong.status_code == 429:
            break
        assert wrong.status_code == 400
    assert int(wrong["Retry-After"]) > 0
    assert "Too many requests" in text(wrong)
    assert not Token.objects.exists()


def test_a_token_is_revoked_once_that_is_confirmed_and_nobody_elses(ann, bob):
    api = kit.client(ann)
    token = Token.objects.get()
    browser = browser_of(ann)
    where = f"/account/tokens/{token.pk}/end/"
    assert "can't be undone" in text(browser.get(where))
    assert browser_of(bob).post(where).status_code == 404
    assert api.get("/api/v1/users/me/").status_code == 200
    assert browser.post(where)["Location"] == "/account/"
    assert api.get("/api/v1/users/me/").status_code == 401
    assert browser.get("/account/tokens/99999999999999999999999/end/").status_code == 404


def test_a_new_password_ends_all_tokens_and_other_sessions_and_this_one_goes_on(ann):
    api, browser, elsewhere = kit.client(ann), browser_of(ann), browser_of(ann)
    form = text(browser.get("/account/password/"))
    assert 'autocomplete="current-password"' in form
    assert 'autocomplete="new-password"' in form
    for given, field in (
        ({"old": "x", "new": GOOD, "again": GOOD}, "old"),
        ({"old": kit.PASSWORD, "new": "12345678", "again": "12345678"}, "new"),
        ({"old": kit.PASSWORD, "new": GOOD, "again": "x"}, "again"),
    ):
        assert f'id="field-{field}-error"' in text(browser.post("/account/password/", given))
    given = {"old": kit.PASSWORD, "new": GOOD, "again": GOOD}
    assert browser.post("/account/password/", given)["Location"] == "/account/"
    assert "Your password is changed" in text(browser.get("/account/"))
    assert elsewhere.get("/account/").status_code == 302
    assert api.get("/api/v1/users/me/").status_code == 401
    assert log_in(browser_of(), password=GOOD).status_code == 303


def test_the_sessions_are_listed_and_the_others_end_together(ann, bob):
    browser, elsewhere, others = browser_of(ann), browser_of(), browser_of(bob)
    log_in(elsewhere, HTTP_USER_AGENT="Curious <b>Browser</b>")
    page = text(browser.get("/account/"))
    assert "Curious &lt;b&gt;Browser&lt;/b&gt;" in page
    assert page.count("this one") == 1
    assert browser.cookies[COOKIE].value not in page
    assert "<form" in text(browser.get("/account/sessions/end/"))
    assert elsewhere.get("/account/").status_code == 200
    assert browser.post("/account/sessions/end/").status_code == 303
    assert elsewhere.get("/account/").status_code == 302
    assert browser.get("/account/").status_code == 200
    assert others.get("/account/").status_code == 200
    assert Session.objects.count() == 2


CHROME = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"
)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (CHROME, "Chrome on Linux"),
        (f"{CHROME} Edg/126.0.0.0".replace("X11; Linux x86_64", "Windows NT 10.0; Win64"), "Edge on Windows"),
        (
            "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
            "Firefox on Linux",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari on iOS"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15", "Safari on macOS"),
        ("Links (2.29; Linux 6.1)", "A browser on Linux"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "unknown"),
    ],
)
def test_a_browser_is_told_in_words(agent, words):
    assert sessions.words(agent) == words


def test_a_session_tells_when_it_was_used_last_and_using_it_makes_it_no_longer(ann, monkeypatch):
    browser, elsewhere = browser_of(ann), browser_of()
    log_in(elsewhere, HTTP_USER_AGENT=CHROME)
    ends = Session.objects.get(pk=elsewhere.cookies[COOKIE].value).expire_date
    then = timezone.now() + sessions.USED_TO + timedelta(seconds=1)
    monkeypatch.setattr(sessions, "timezone", SimpleNamespace(now=lambda: then))
    elsewhere.get("/account/")
    row = Session.objects.get(pk=elsewhere.cookies[COOKIE].value)
    assert row.get_decoded()[sessions.USED] == then.isoformat()
    assert abs(row.expire_date - ends) < timedelta(seconds=1)
    page = text(browser.get("/account/"))
    assert f"{then:%Y-%m-%dT%H:%M:%SZ}" in page.partition("Chrome on Linux")[2]


def test_one_session_is_ended_and_nobody_elses(ann, bob):
    browser, elsewhere, others = browser_of(ann), browser_of(), browser_of(bob)
    log_in(elsewhere, HTTP_USER_AGENT=CHROME)
    [where] = re.findall(r"/account/sessions/\w{16}/end/", text(browser.get("/account/")))
    assert others.get(where).status_code == 404
    assert others.post(where).status_code == 303
    assert "Chrome on Linux" in text(browser.get(where))
    assert elsewhere.get("/account/").status_code == 200
    for _ in range(2):
        assert browser.post(where)["Location"] == "/account/"
    assert elsewhere.get("/account/").status_code == 302
    assert browser.get("/account/").status_code == 200
    assert browser.get(where).status_code == 404


def test_the_admins_log_in_is_a_session_like_any(db):
    root = kit.user("root", is_staff=True)
    browser = browser_of()
    log_in(browser, "root", to="/admin/login/?next=/account/", HTTP_USER_AGENT=CHROME)
    assert "Chrome on Linux" in text(browser.get("/account/"))
    assert len(root.sessions()) == 1


def test_a_webhook_is_made_with_its_secret_shown_once_pinged_paused_and_deleted(ann, bob):
    browser = browser_of(ann)
    assert 'id="field-url-error"' in text(
        browser.post("/account/webhooks/new/", {"url": "http://x", "events": "*"})
    )
    answer = browser.post("/account/webhooks/new/", {"url": "https://8.8.8.8/hook", "events": ["*"]})
    assert "whsec_" in text(answer)
    hook = Webhook.objects.get()
    where = f"/account/webhooks/{hook.pk}/"
    assert browser.post(where, {"deed": "ping", "key": "k1"}).status_code == 303
    page = text(browser.get(where))
    assert "webhook.ping" in page
    assert "whsec_" not in page
    assert browser_of(bob).get(where).status_code == 404
    browser.post(where, {"deed": "pause", "key": "k2"})
    assert "paused" in text(browser.get("/account/"))
    assert "Switch on again" in text(browser.get(where))
    assert "can't be undone" in text(browser.get(f"{where}delete/"))
    assert browser.post(f"{where}delete/").status_code == 303
    assert browser.get(where).status_code == 404


HOSTILE = (
    "<script>alert(1)</script> javascript:alert(1) https://evil.example/?x=\"'><img src=x onerror=alert(1)>"
)


@pytest.fixture
def delivered(ann):
    """A webhook of ann's whose receiver has answered a ping with what it liked."""
    hook = Webhook.objects.create(owner=ann, url="https://8.8.8.8/hook", events=["*"], salt=new_salt())
    ping = webhooks.ping(hook)
    told = {
        "status": "failed",
        "failure": f"answered 500: {HOSTILE}",
        "response": HOSTILE,
        "response_code": 500,
    }
    Delivery.objects.filter(pk=ping.pk).update(**told)
    return ping


def test_a_webhooks_secret_is_replaced_once_that_is_confirmed_and_shown_once(ann, bob, delivered):
    browser, where = browser_of(ann), f"/account/webhooks/{delivered.webhook_id}/"
    old = secret_of(delivered.webhook)
    assert "for a day with the old one" in text(browser.get(f"{where}secret/"))
    assert browser_of(bob).post(f"{where}secret/").status_code == 404
    page = text(browser.post(f"{where}secret/"))
    new = secret_of(Webhook.objects.get())
    assert new != old
    assert new in page
    assert old not in page
    assert "whsec_" not in text(browser.get(where))


def test_what_was_sent_and_what_came_back_is_shown_and_sent_once_more_and_its_markup_is_inert(
    ann, bob, delivered
):
    browser, other = browser_of(ann), browser_of(bob)
    hook = f"/account/webhooks/{delivered.webhook_id}/"
    where = f"{hook}deliveries/{delivered.pk}/"
    assert f'href="{where}"' in text(browser.get(hook))
    assert f'href="{where}"' in text(browser.get(f"{hook}?status=failed"))
    assert "Nothing is sending." in text(browser.get(f"{hook}?status=sending"))
    for address in (hook, where):
        page = text(browser.get(address))
        assert "<script>alert" not in page
        assert "<img src" not in page
        assert not re.search(r'(href|src|action)="(javascript|https://evil)', page)
    assert html.escape(HOSTILE) in page
    assert html.escape(f'"webhook": {delivered.webhook_id}') in page
    assert other.get(where).status_code == 404
    assert other.post(where).status_code == 404
    key = re.search(r'name="key" value="(\w+)"', page)[1]
    for _ in range(2):
        assert browser.post(where, {"key": key})["Location"] == where
    delivered.refresh_from_db()
    assert delivered.status == "waiting"
    assert "Send it once more" not in text(browser.get(where))


def test_where_a_webhook_is_off_its_page_says_what_to_do_before_it_sends_again(ann, delivered):
    browser = browser_of(ann)
    webhooks.pause(delivered.webhook, ann)
    where = f"/account/webhooks/{delivered.webhook_id}/deliveries/{delivered.pk}/"
    page = text(browser.get(where))
    assert "switch it on" in page
    refused = browser.post(where, {"key": "k"})
    assert refused.status_code == 409
    assert "This webhook is paused; switch it on first." in text(refused)
