"""docs/hostile-cases.md names the tests that show each case: every one of them is there."""

import ast
import re
from pathlib import Path

from sandbox.contract import BEHAVIOURS

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs/hostile-cases.md"
NAMED = re.compile(r"`([\w/.]+)::(\w+)`")
#: The sections whose rows say by which tests they are shown.
SHOWN = (
    "After every case of a bot",
    "Bots",
    "Uploads",
    "Game and tournament",
    "Infrastructure",
    "API and web",
)


def rows():
    """The cells of each row of those sections' tables."""
    for section in PAGE.read_text().split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        if title in SHOWN:
            lines = [line for line in text.splitlines() if line.startswith("|")]
            yield from ([cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:])


def defined_in(path):
    """The names of a file's tests, read and not imported."""
    if not (TESTS / path).is_file():
        return set()
    tree = ast.parse((TESTS / path).read_text())
    return {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def test_every_test_that_the_page_names_exists():
    named = set(NAMED.findall(PAGE.read_text()))
    there = {path: defined_in(path) for path, _ in named} | {"contract": set(BEHAVIOURS)}
    assert len(named) > 100
    assert [f"{path}::{name}" for path, name in sorted(named) if name not in there[path]] == []


def test_every_case_is_shown_by_a_test_or_said_to_be_open():
    for cells in rows():
        shown, missing = cells[-2:]
        assert NAMED.sub("", shown).strip() == "", cells
        assert shown or missing.startswith("not yet"), cells


def test_every_case_is_there_once():
    numbers = [cells[0] for cells in rows() if len(cells) == 5]
    assert len(numbers) > 50
    assert len(set(numbers)) == len(numbers)
