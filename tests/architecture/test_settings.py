"""Every variable of the environment that we read is in .env.example, and nothing else is."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENOUGH = {
    "SECRET_KEY": "k" * 60,
    "ALLOWED_HOSTS": "league.example",
    "DATABASE_URL": "sqlite:////nonexistent/league.sqlite3",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}
LISTED = re.compile(r"^#?([A-Z][A-Z0-9_]*)=", re.MULTILINE)
TELL = """
import json
from django.conf import settings
settings.DEBUG
from league.settings import env
print(json.dumps(sorted(env.known)))
"""


def settings_in(module, **environment):
    """What a fresh process with those settings reads: (exit code, names read, what it said)."""
    kept = {name: value for name, value in os.environ.items() if name not in ENOUGH}
    chosen = {"PYTHONPATH": "platform", "DJANGO_SETTINGS_MODULE": f"league.settings.{module}"}
    command = [sys.executable, "-c", TELL]
    done = subprocess.run(command, cwd=ROOT, env=kept | chosen | environment, capture_output=True, text=True)
    return done.returncode, set(json.loads(done.stdout)) if done.returncode == 0 else set(), done.stderr


def test_env_example_lists_exactly_what_is_read(tmp_path):
    read = {"DJANGO_SETTINGS_MODULE"}
    read |= set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    for module in ("dev", "production", "test"):
        code, names, said = settings_in(module, **ENOUGH, DATA_DIR=str(tmp_path))
        assert code == 0, said
        read |= names
    assert set(LISTED.findall((ROOT / ".env.example").read_text())) == read


def test_production_starts_with_no_secret_of_its_own():
    for name in ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"):
        enough = {key: value for key, value in ENOUGH.items() if key != name}
        code, _, said = settings_in("production", **enough)
        assert code != 0
        assert f"{name} is not set" in said
