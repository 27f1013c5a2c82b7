"""Errors outside the API are pages: in the site's looks, with what helps, and nothing of what is inside."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from redis.exceptions import RedisError

from league.web import errors, inside
from tests.league import kit
from tests.web.people import browser_of, text

pytestmark = pytest.mark.django_db


def is_a_page(answer, status):
    assert answer.status_code == status
    assert answer["Content-Type"].startswith("text/html")
    assert answer["Content-Security-Policy"].startswith("default-src 'none'")
    page = text(answer)
    assert 'class="skip"' in page
    assert f"Request {answer['X-Request-ID']}" in page
    assert "Traceback" not in page
    return page


def test_an_address_that_is_none_is_told_on_a_page_and_its_markup_is_inert(db):
    page = is_a_page(browser_of().get("/nothing/<script>alert(1)</script>/"), 404)
    assert "There is nothing here" in page
    assert "alert(1)" not in page
    assert browser_of().get("/api/v1/nothing/")["Content-Type"] == "application/problem+json"


def test_who_is_logged_in_still_is_on_the_page_that_says_so(ann):
    assert ">ann<" in is_a_page(browser_of(ann).get("/versions/999999/"), 404)


def test_a_method_that_a_page_does_not_have_is_told_with_those_it_has(db):
    answer = browser_of().delete("/login/")
    is_a_page(answer, 405)
    assert answer["Allow"] == "GET, HEAD, POST"


def test_a_form_without_its_token_is_told_what_helps(ann):
    browser = browser_of(enforce_csrf_checks=True)
    page = is_a_page(browser.post("/login/", {"username": "ann", "password": kit.PASSWORD}), 403)
    assert errors.FORM in page


def test_two_files_without_scripts_are_told_as_a_bad_request(ann):
    files = [SimpleUploadedFile(name, b"x") for name in ("a.py", "b.py")]
    is_a_page(browser_of(ann).post("/submit/", {"bot": "new", "file": files}), 400)


@pytest.mark.parametrize("length", ["99999999", None])
def test_a_body_that_is_too_long_or_of_unknown_length_is_told_on_a_page(db, length):
    more = {"CONTENT_LENGTH": length} if length else {"HTTP_TRANSFER_ENCODING": "chunked"}
    answer = browser_of().post("/login/", {"username": "x"}, **more)
    is_a_page(answer, 413 if length else 411)
    assert answer["Connection"] == "close"


@pytest.mark.parametrize(("kind", "status"), [(ValueError, 500), (OperationalError, 503), (RedisError, 503)])
def test_a_crash_is_told_without_the_database_and_tells_nothing_of_itself(ann, monkeypatch, kind, status):
    browser = browser_of(ann)

    def who(*_args):
        raise AssertionError("an error page asked who is logged in")

    def crash(*_args, **_more):
        monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", who)
        raise kind("the secret that is inside")

    monkeypatch.setattr(inside, "get", crash)
    answer = browser.get("/")
    page = is_a_page(answer, status)
    assert "the secret" not in page
    assert ("Retry-After" in answer) == (status == 503)


def test_a_page_whose_api_has_no_database_says_when_to_try_again(db, monkeypatch):
    def no_database(*_args):
        raise OperationalError("could not connect to server")

    monkeypatch.setattr("league.api.views.results.Pools.list", no_database)
    answer = browser_of().get("/")
    page = is_a_page(answer, 503)
    assert f"Try again in {answer['Retry-After']}" in page
