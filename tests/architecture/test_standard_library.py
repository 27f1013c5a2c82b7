"""`platform/`: `import platform` is the standard library's, however we are started."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from demo.services import CELERY, GUNICORN, python_path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
COLLECT = ["--collect-only", "-q", "tests/architecture/test_layout.py"]
WAYS = {
    "manage.py": [sys.executable, "manage.py", "check"],
    "manage.py, executed": ["./manage.py", "check"],
    "pytest": [BIN / "pytest", *COLLECT],
    "python -m pytest": [sys.executable, "-m", "pytest", *COLLECT],
    "celery": [*CELERY, "report"],
    "celery's own command": [BIN / "celery", "-A", "league.celery", "report"],
    "gunicorn": [*GUNICORN, "--check-config"],
    "gunicorn's own command": [BIN / "gunicorn", "--check-config", "league.asgi"],
    "python -m arena": [sys.executable, "-m", "arena", "--help"],
    "make demo": [sys.executable, "-m", "demo", "--help"],
}

# Python imports a module of this name at start. At its end the process says what `platform` was and would be.
SITECUSTOMIZE = """
import atexit, importlib, json, os, sys

def tell():
    used = getattr(sys.modules.pop("platform", None), "__file__", None)
    fresh = importlib.import_module("platform").__file__
    with open(os.environ["PLATFORM_ANSWERS"], "a") as answers:
        print(json.dumps({"used": used, "fresh": fresh, "program": sys.argv}), file=answers)

atexit.register(tell)
"""


@pytest.mark.parametrize("way", WAYS)
def test_platform_is_the_standard_librarys(way, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SITECUSTOMIZE)
    answers = tmp_path / "answers"
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(tmp_path), python_path())),
        "PATH": os.pathsep.join((str(BIN), os.environ["PATH"])),
        "PLATFORM_ANSWERS": str(answers),
        "DJANGO_SETTINGS_MODULE": "league.settings.test",
    }
    done = subprocess.run(WAYS[way], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    expected = str(Path(sysconfig.get_paths()["stdlib"]) / "platform.py")
    for line in answers.read_text().splitlines():
        answer = json.loads(line)
        assert answer["fresh"] == expected, answer
        assert answer["used"] in (expected, None), answer


def test_a_fresh_interpreter_at_the_root_finds_the_standard_librarys():
    script = "import platform; print(platform.__file__, platform.python_implementation())"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split() == [str(Path(sysconfig.get_paths()["stdlib"]) / "platform.py"), "CPython"]


def test_here_too():
    import platform

    assert platform.__file__ == str(Path(sysconfig.get_paths()["stdlib"]) / "platform.py")
