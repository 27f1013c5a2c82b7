"""What a league on one machine consists of, and how each of its processes is started."""

import os
import sys
from pathlib import Path

from demo.broker import server_command
from demo.processes import Processes

ROOT = Path(__file__).resolve().parent.parent
MANAGE = (sys.executable, str(ROOT / "manage.py"))
CELERY = (sys.executable, "-m", "celery", "-A", "league.celery")
#: Matches that people can play against bots at a time.
SITTINGS = 4
GUNICORN = (sys.executable, "-m", "gunicorn", "--config=python:league.server", "league.asgi")


def python_path() -> str:
    """PYTHONPATH for the programs that are not ours: the root, and the source root `platform`."""
    return os.pathsep.join((str(ROOT), str(ROOT / "platform")))


def environment(data: Path, redis_url: str) -> dict[str, str]:
    """The variables of every process: the developer's settings, and everything kept in `data`."""
    chosen = {
        "DJANGO_SETTINGS_MODULE": "league.settings.dev",
        "DATA_DIR": str(data),
        "DATABASE_URL": f"sqlite:///{data / 'league.sqlite3'}",
        "REDIS_URL": redis_url,
        # A worker that is killed keeps nobody waiting for long: less than demo.story waits for a move.
        "LEASE_S": "20",
        "MAX_SITTINGS": str(SITTINGS),
        "SIGN_UP_RATE": "1000/min",
        "LOGIN_RATE": "1000/min",
        "PYTHONPATH": python_path(),
        "PYTHONUNBUFFERED": "1",
    }
    return {**os.environ, **chosen}


def start_redis(processes: Processes, program: Path, port: int, data: Path) -> None:
    """Our own Redis, at a port of this machine."""
    processes.start("redis", server_command(program, port, data))


def migrate(processes: Processes) -> None:
    """Make the database. Raises ProcessEnded with what went wrong."""
    processes.run("migrate", [*MANAGE, "migrate", "--no-input"])


def start_league(processes: Processes, site_fd: int, cores: int) -> None:
    """A worker for tables and all else, one for people who play, beat, and the site on a bound socket."""
    worker = ("worker", "--queues=play,default", f"--concurrency={cores}", "--loglevel=INFO")
    processes.start("worker", [*CELERY, *worker])
    people = (
        "worker",
        "--queues=seats",
        f"--concurrency={SITTINGS}",
        "--hostname=seats@%h",
        "--loglevel=INFO",
    )
    processes.start("people", [*CELERY, *people])
    processes.start("beat", [*CELERY, "beat", "--loglevel=INFO", "--pidfile="])
    site = (f"--bind=fd://{site_fd}", "--workers=1")
    processes.start("site", [*GUNICORN, *site], pass_fds=[site_fd])
