"""The registry of errors: every code is in it, and is described where an error says."""

import ast
import logging
import re

import pytest

from league.api.errors import RENAMED
from league.common import errors
from league.common.errors import Conflict, Invalid
from league.common.problems import BY_STATUS, PROBLEMS, known
from tests.conftest import ROOT

LEAGUE = ROOT / "platform" / "league"
CLASSES = {
    name: kind.http_status
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.UserError) and name != "IllegalMove"
}


def raised():
    """Every code that the league's modules write down where they raise: (file, class, code)."""
    for path in LEAGUE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                code = getattr(node.args[0], "value", None)
                if isinstance(code, str) and node.func.id in CLASSES:
                    yield path.name, node.func.id, code


def test_every_code_that_is_raised_is_registered_with_its_status():
    found = list(raised())
    assert len(found) > 50
    wrong = [
        each for each in found if each[2] not in PROBLEMS or PROBLEMS[each[2]].status != CLASSES[each[1]]
    ]
    assert not wrong


def test_codes_have_one_spelling_a_title_and_a_sentence_of_advice():
    for code, kind in PROBLEMS.items():
        assert re.fullmatch("[a-z]+(_[a-z]+)*", code)
        assert not kind.title.endswith(".")
        assert kind.advice.endswith(".")
    assert all(PROBLEMS[code].status == status for status, code in BY_STATUS.items())
    assert all(PROBLEMS[ours].status >= 400 for ours in RENAMED.values())


@pytest.mark.parametrize(("kind", "code"), [(Invalid, "no_such_code"), (Conflict, "bad_rules")])
def test_a_code_that_is_not_registered_fails_loudly_in_tests(kind, code):
    with pytest.raises(LookupError, match=code):
        kind(code, "Something is wrong.")


def test_a_code_that_is_not_registered_is_the_statuss_own_on_a_site(settings, caplog):
    settings.STRICT_PROBLEMS = False
    with caplog.at_level(logging.ERROR):
        assert known("no_such_code", 409) == "conflict"
        assert known("no_such_code", 418) == "bad_request"
        assert Conflict("bad_rules", "Something is wrong.").code == "conflict"
    assert "no_such_code" in caplog.text


def test_every_kind_is_described_where_an_error_says(anybody):
    listed = anybody.get("/api/v1/problems/").json()
    assert [kind["code"] for kind in listed] == list(PROBLEMS)
    for kind in listed[:3]:
        assert anybody.get(kind["type"]).json() == kind
    assert anybody.get("/api/v1/problems/no_such_code/").status_code == 404


def test_the_table_in_the_documentation_is_that_of_the_registry():
    page = (ROOT / "docs" / "api.md").read_text()
    rows = re.findall(r"^\| `([a-z_]+)` \| (\d+) \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    told = {code: (int(status), title, advice) for code, status, title, advice in rows}
    assert told == {code: (kind.status, kind.title, kind.advice) for code, kind in PROBLEMS.items()}
