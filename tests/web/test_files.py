"""What is sent to browsers: ours alone, small, and within a strict content security policy."""

import re
from pathlib import Path

import pytest

from tests.web.kit import STATIC

MODULES = sorted((STATIC / "js").glob("*.js"))
FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|cssText"
    r"|setAttribute\(\"(style|on)|https?://(?!www\.w3\.org/2000/svg)"
)
#: The only one that parses markup: the very page that it is on, as the site makes it, with strangers' words
#: escaped; what is parsed so runs nothing.
READS_ITS_PAGE = "progress.js"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_a_module_reads_no_markup_runs_no_text_and_names_no_other_host(module):
    found = {each[0] for each in FORBIDDEN.finditer(module.read_text())}
    assert found == ({"DOMParser"} if module.name == READS_ITS_PAGE else set())


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_a_module_imports_what_lies_beside_it(module):
    imported = re.findall(r"^import .*? from \"([^\"]+)\";", module.read_text(), re.MULTILINE)
    assert all((module.parent / name).is_file() and name.startswith("./") for name in imported)


def needed(module):
    """A module and all that it imports."""
    imported = re.findall(r"^import .*? from \"([^\"]+)\";", module.read_text(), re.MULTILINE)
    return {module}.union(*(needed(module.parent / Path(name).name) for name in imported))


def test_all_that_a_page_with_a_table_needs_is_small():
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".css", ".js", ".svg"}
    sheets = {STATIC / "css" / f"{name}.css" for name in ("tokens", "base", "parts", "table")}
    scripts = needed(STATIC / "js" / "match.js") | needed(STATIC / "js" / "site.js")
    read = sheets | scripts | set(STATIC.glob("*.svg"))
    assert sum(path.stat().st_size for path in read) < 150_000
