"""People at the pages: browsers without JavaScript, which is how the pages must work."""

from django.test import Client

from tests.league import kit


def browser_of(user=None, **more):
    """A browser, logged in by the log-in page; a crash is seen as a visitor sees it."""
    browser = Client(raise_request_exception=False, **more)
    if user is not None:
        answer = browser.post("/login/", {"username": user.username, "password": kit.PASSWORD})
        assert answer.status_code == 303, answer.content
    return browser


def text(answer):
    """A page's text, as it was sent."""
    return answer.content.decode()
