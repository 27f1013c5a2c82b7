"""Where things are, and how large they may grow."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES = 400


def ours(pattern):
    """Files of the project: known to git, or new and not ignored."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", pattern]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_platform_is_a_source_root_and_no_package():
    assert not (ROOT / "platform/__init__.py").exists()


def test_tests_are_no_packages():
    assert ours("tests/**/__init__.py") == []


def test_no_source_file_is_too_long_to_read():
    long = {
        str(path.relative_to(ROOT)): lines
        for pattern in ("*.py", "*.c", "*.js", "*.sh")
        for path in ours(pattern)
        if "migrations" not in path.parts and (lines := len(path.read_text().splitlines())) > MOST_LINES
    }
    assert long == {}
