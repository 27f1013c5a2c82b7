"""A PostgreSQL for one run of the tests: its own cluster in a temporary folder, gone afterwards."""

import os
import pwd
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg

from demo.processes import Processes

PROGRAMS = ("initdb", "postgres")
START_S = 120
# A Unix socket only; and nothing here must survive a crash of the machine: no waiting for the disk. A lock
# that somebody keeps for ever is an error, so that the test that waits for it fails and says so.
SETTINGS = (
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=300",
    "lock_timeout=120s",
    "log_lock_waits=on",
)


def find_programs() -> Path | None:
    """The folder of PostgreSQL's server programs: where the PATH says, else Debian's newest; None without."""
    on_path = shutil.which("initdb")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((f for f in folders if all((f / program).exists() for program in PROGRAMS)), None)


def _version(folder: Path) -> int:
    name = folder.parent.name
    return int(name) if name.isdigit() else 0


def _account() -> str | None:
    """The account to run as: PostgreSQL refuses to run as root. None: as we are."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"


@contextmanager
def cluster(programs: Path) -> Iterator[str]:
    """Start a server, give its DATABASE_URL, stop and remove it.

    Raises demo.processes.ProcessEnded, with the server's log, when it cannot be started.
    """
    account = _account()
    with tempfile.TemporaryDirectory(prefix="polignac-postgres-") as folder:
        data = Path(folder) / "data"
        if account:
            shutil.chown(folder, account)
        with Processes(Path(folder), os.environ, account) as processes:
            options = ("--username=polignac", "--auth=trust", "--encoding=UTF8", "--no-sync")
            processes.run("initdb", [programs / "initdb", "-D", data, *options])
            settings = (part for setting in SETTINGS for part in ("-c", setting))
            processes.start("postgres", [programs / "postgres", "-D", data, "-k", folder, *settings])
            url = f"postgres://polignac@{quote(folder, safe='')}/postgres"
            _await_answer(url, processes)
            yield url


def _await_answer(url: str, processes: Processes) -> None:
    until = time.monotonic() + START_S
    while True:
        processes.check()
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError as error:
            if time.monotonic() > until:
                raise TimeoutError(f"PostgreSQL does not answer after {START_S} s: {error}") from error
            time.sleep(0.05)
        else:
            return
