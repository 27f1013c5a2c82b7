"""`pip install .` gives an author the command, the referee and the SDK, and nothing of the site."""

import ast
import fnmatch
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("arena", "sandbox", "client")
SITE = ("django", "rest_framework", "celery", "redis", "knox", "psycopg", "league")


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def tracked():
    """The files of the three packages that git knows."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGES]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(name) for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def in_a_package(path):
    return path.suffix == ".py" and all(
        (ROOT / folder / "__init__.py").exists() for folder in path.parents[:-1]
    )


def test_every_file_is_installed(project):
    patterns = {
        package: [pattern.removeprefix("**/") for pattern in patterns]
        for package, patterns in project["tool"]["setuptools"]["package-data"].items()
    }
    left = [
        str(path)
        for path in tracked()
        if not in_a_package(path)
        and not any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns.get(path.parts[0], ()))
    ]
    assert left == []


def imported(path):
    """The top names of what a file imports, lazily or not."""
    for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def test_whatever_is_imported_comes_along(project):
    needs = {Requirement(line).name for line in project["project"]["dependencies"]}
    brings = {name for name, sources in metadata.packages_distributions().items() if needs & set(sources)}
    known = set(sys.stdlib_module_names) | set(PACKAGES) | brings
    wanted = {name: str(path) for path in tracked() if in_a_package(path) for name in imported(path)}
    assert {name: path for name, path in wanted.items() if name not in known} == {}


def without_the_site(*arguments):
    """Run the command where nothing of the site can be imported."""
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({SITE}))\n"
        "from client.cli import main\nsys.exit(main())"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_an_author_needs_nothing_of_the_site(tmp_path):
    bot = tmp_path / "bot"
    assert without_the_site("new", bot).returncode == 0
    quick = ("--boards", 10, "--rules", "deals=1", "players=3")
    duel = without_the_site("duel", "lowest", "lowest", "--local", *quick)
    assert duel.returncode == 1, duel.stderr
    assert duel.stdout.startswith("no difference was found")
    unknown = without_the_site("submit", bot / "main.py", "--server", "http://127.0.0.1:9")
    assert unknown.returncode == 3
    assert "does not answer" in unknown.stderr
