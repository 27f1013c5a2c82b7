"""What the pages say must be there: links lead somewhere, commands exist, addresses are the API's."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def names(pages):
    return [str(page.relative_to(ROOT)) for page in pages]


def anchors(page):
    """The fragments that GitHub gives the headings of a page."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def commands():
    """What README and CONTRIBUTING tell people to type, a line each, continued lines joined."""
    for name in ("README.md", "CONTRIBUTING.md"):
        for block in CODE.findall((ROOT / name).read_text()):
            yield from (line.partition(" #")[0].strip() for line in block.replace("\\\n", " ").splitlines())


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text()):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        path, _, fragment = target.partition("#")
        leads_to = (page.parent / path).resolve() if path else page
        assert leads_to.exists(), target
        assert not fragment or fragment in anchors(leads_to), target


def test_make_has_every_target_that_the_pages_name():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {target for line in commands() for target in re.findall(r"^(?:\w+=\S+ )*make (\w+)", line)}
    assert {"demo", "test"} <= named <= targets


def test_make_help_lists_every_target():
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^ +make (\w+)", shown, re.MULTILINE)) == targets


def test_the_polignac_commands_that_the_pages_show_exist():
    verbs = {verb for line in commands() for verb in re.findall(r"(?:^|/)polignac (\w+)", line)}
    assert "play" in verbs
    for verb in verbs:
        command = [sys.executable, "-m", "arena", verb, "--help"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_the_addresses_that_the_pages_name_are_the_apis():
    named = {path for page in PAGES for path in re.findall(r"/api/v1/[^\s\"'`?)>]*", page.read_text())}
    assert "/api/v1/ratings/" in named
    for path in named:
        try:
            resolve(re.sub(r"\$\w+", "1", path))
        except Resolver404:
            pytest.fail(f"{path} is no address of the site")
