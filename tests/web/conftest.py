"""A browser, and the page with a table on it."""

import shutil
import threading

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

    with sync_playwright() as playwright:
        # Root has no namespace sandbox of Chromium's; the pages are ours.
        options = {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, address):
    """`visit(where, **looks)`: that page, once `ready` is on it. At the end nothing may have gone wrong on
    any of them: no error, no word on the console, nothing that the policy blocked."""
    contexts, wrong = [], []

    def visit(where, *, width=1200, height=900, ready="#check[data-state]", **looks):
        context = chromium.new_context(viewport={"width": width, "height": height}, **looks)
        context.set_default_timeout(120_000)  # For a busy machine; nothing waits for it otherwise.
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address + where)
        page.wait_for_selector(ready)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert wrong == []


@pytest.fixture
def extra_records():
    """Records by name, served beside the others."""
    yield Handler.extra
    Handler.extra.clear()
