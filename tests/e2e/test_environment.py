"""What `make` says on a machine whose Python cannot make the environment."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "cat", "cksum", "dirname", "touch", "rm")


@pytest.fixture
def checkout(tmp_path):
    """A checkout without a .venv, and a PATH that has nothing but the tools of any system."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "scripts").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    shutil.copy(ROOT / "scripts/environment.sh", tmp_path / "scripts")
    for path in (*ROOT.glob("requirements*.txt"), ROOT / "constraints.txt"):
        shutil.copy(path, tmp_path)
    return tmp_path


def python(checkout, script):
    """Put a python3 on the PATH that behaves like this."""
    program = checkout / "bin/python3"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def make_environment(checkout):
    environment = {"PATH": str(checkout / "bin")}
    return subprocess.run(
        ["sh", "scripts/environment.sh"], cwd=checkout, env=environment, capture_output=True, text=True
    )


def test_without_a_python_it_says_which_one_to_install(checkout):
    done = make_environment(checkout)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_with_an_old_python_too(checkout):
    python(checkout, "exit 1")
    done = make_environment(checkout)
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_a_debian_without_the_venv_package_is_told_its_name(checkout):
    python(checkout, 'case "$2" in *ensurepip*) exit 1 ;; esac')
    done = make_environment(checkout)
    assert done.returncode == 1
    assert "apt-get install python3-venv" in done.stderr
    assert not (checkout / ".venv").exists()
