"""Every package is pinned, direct needs say why they are there, and nothing unpinned is pulled in."""

import re
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
FILES = ("requirements-runtime.txt", "requirements.txt", "requirements-redis.txt")
LINE = re.compile(r"[^#\s]+==[^#\s]+\s+# (.* )?\([^)]+\)")


def needs(name):
    """The requirement lines of a file, without those that include another."""
    lines = (ROOT / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-"))]


def pinned():
    lines = [line.partition("#")[0].strip() for line in (ROOT / "constraints.txt").read_text().splitlines()]
    pairs = [line.split("==") for line in lines if line]
    return {canonicalize_name(name): version for name, version in pairs}


@pytest.mark.parametrize("name", FILES)
def test_each_direct_need_is_pinned_and_names_its_licence(name):
    for line in needs(name):
        assert LINE.fullmatch(line), line


@pytest.mark.parametrize("name", FILES)
def test_the_requirement_files_agree_with_the_constraints(name):
    for line in needs(name):
        need = Requirement(line.partition("#")[0].strip())
        assert str(need.specifier) == f"=={pinned()[canonicalize_name(need.name)]}"


def test_all_that_is_pulled_in_is_pinned_and_installed_as_pinned():
    pins = pinned()
    waiting = [Requirement(line.partition("#")[0].strip()) for name in FILES for line in needs(name)]
    seen = set()
    while waiting:
        need = waiting.pop()
        name = canonicalize_name(need.name)
        extras = tuple(sorted(need.extras)) or ("",)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        assert metadata.version(name) == pins[name], name
        for text in metadata.requires(name) or ():
            further = Requirement(text)
            if further.marker is None or any(further.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(further)


def test_the_images_install_the_runtime_needs_and_the_tests_build_on_them():
    assert "-r requirements-runtime.txt" in (ROOT / "requirements.txt").read_text().splitlines()
    assert "-c constraints.txt" in (ROOT / "requirements-runtime.txt").read_text().splitlines()
