"""A browser, and the page with a table on it."""

import shutil
import sys
import threading
from contextlib import suppress

import pytest

# The pages are tested with the people of the league's tests, and as carefully.
from tests.league.conftest import (  # noqa: F401
    _every_error_is_declared,
    _no_memory_of_other_tests,
    _own_data,
    _same_deals,
    ann,
    anybody,
    as_ann,
    as_bob,
    bob,
    staff,
)
from tests.web.page import Handler, server
from tests.web.people import browser_of


@pytest.fixture(scope="module")
def address():
    with server() as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{made.server_port}/"
        made.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def chromium():
    from playwright.sync_api import sync_playwright

    # Playwright has a loop in the tests' own thread, where Django refuses to ask the database.
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        # Root has no namespace sandbox of Chromium's; the pages are ours.
        options = {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium):
    """`opened(**looks)`: an empty page in a browser of its own. At the end nothing may have gone wrong on any
    of them: no error, no word on the console, nothing that the policy blocked."""
    from playwright.sync_api import Error as PlaywrightError

    contexts, wrong = [], []

    def opened(*, width=1200, height=900, **looks):
        context = chromium.new_context(viewport={"width": width, "height": height}, **looks)
        context.set_default_timeout(120_000)  # For a busy machine; nothing waits for it otherwise.
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        return page

    yield opened
    for context in contexts:
        for page in context.pages:  # what pytest shows when the test has failed
            with suppress(PlaywrightError):  # a page may just be on its way to another
                sys.stdout.write(f"{page.url}\n{page.evaluate('document.body?.innerText.slice(0, 2000)')}\n")
        context.close()
    assert wrong == []


@pytest.fixture
def visit(opened, address):
    """`visit(where, **looks)`: that page of tests.web.page, once `ready` is on it."""

    def visit(where, *, ready="#check[data-state]", **looks):
        page = opened(**looks)
        page.goto(address + where)
        page.wait_for_selector(ready)
        return page

    return visit


@pytest.fixture
def walk(opened, live_server):
    """`walk(where, user, **looks)`: that page of the site itself, as that user sees it."""

    def walk(where, user=None, **looks):
        page = opened(base_url=live_server.url, **looks)
        if user is not None:
            cookie = browser_of(user).cookies["sessionid"].value
            page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page.goto(where)
        return page

    return walk


@pytest.fixture
def extra_records():
    """Records by name, served beside the others."""
    yield Handler.extra
    Handler.extra.clear()
