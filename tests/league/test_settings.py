"""Settings: read in one place, checked, named when wrong; production has no secret of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "league.settings.production",
    "SECRET_KEY": "0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "league.example",
    "DATABASE_URL": "sqlite:////nonexistent/league.sqlite3",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}
OURS = ("DATA_DIR", "DEBUG", "SANDBOX", "LEASE_S", "DJANGO_SETTINGS_MODULE", *PRODUCTION)


def manage(*arguments, **environment):
    """`manage.py` in a fresh process: (exit code, all that it said)."""
    kept = {name: value for name, value in os.environ.items() if name not in OURS}
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=kept | environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("SANDBOX", "none", "auto, docker, bubblewrap"),
        ("DATABASE_URL", "mysql://x/y", "sqlite:///PATH"),
        ("DATABASE_URL", "nonsense", "sqlite:///PATH"),
        ("REDIS_URL", "127.0.0.1:6379", "redis://HOST"),
        ("LEASE_S", "1.5", "whole number from 3"),
        ("LEASE_S", "９０", "whole number from 3"),
        ("UPLOAD_MAX_KIB", "0", "from 1"),
        ("SIGN_UP_RATE", "often", "NUMBER/sec"),
        ("DEBUG", "perhaps", "1 or 0"),
    ],
)
def test_a_bad_setting_stops_the_process_and_is_named(name, value, told, tmp_path):
    code, said = manage("check", **{"DATA_DIR": str(tmp_path), name: value})
    assert code != 0
    assert f"{name} is wrong" in said
    assert told in said


@pytest.mark.parametrize(
    ("secret", "told"),
    [
        ("short", "50 characters"),
        ("for-development-only-this-key-is-public-and-protects-nothing", "everybody can read"),
        ("", "SECRET_KEY is not set"),
        (" " * 60, "SECRET_KEY is not set"),
    ],
)
def test_production_takes_no_secret_that_is_none(secret, told):
    code, said = manage("check", "--deploy", **{**PRODUCTION, "SECRET_KEY": secret})
    assert code != 0
    assert "SECRET_KEY is" in said
    assert told in said


def test_production_passes_the_deployment_check_without_a_warning(tmp_path):
    code, said = manage("check", "--deploy", "--fail-level", "WARNING", DATA_DIR=str(tmp_path), **PRODUCTION)
    assert code == 0, said
    assert "no issues" in said


def test_no_migration_is_missing(tmp_path):
    code, said = manage("makemigrations", "--check", "--dry-run", DATA_DIR=str(tmp_path))
    assert code == 0, said


def test_tasks_are_never_run_in_the_senders_process(settings):
    from celery import current_app

    current_app.loader.import_default_modules()
    assert current_app.conf.task_always_eager is False
    assert current_app.conf.accept_content == ["json"]
    assert current_app.conf.task_acks_late
    options = current_app.conf.broker_transport_options
    assert options["visibility_timeout"] == 2 * current_app.conf.task_time_limit
    assert current_app.conf.task_time_limit == settings.PLAY_LIMIT_S
    queues = {
        name: current_app.amqp.router.route({}, name)["queue"].name
        for name in current_app.tasks
        if "league" in name
    }
    assert queues == {
        "league.check_version": "play",
        "league.deliver_next": "default",
        "league.play_table": "play",
        "league.rate_sheet": "default",
        "league.reconcile": "default",
        "league.sit": "seats",
    }
