"""A PostgreSQL for one run of the tests: its own cluster in a temporary folder, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

# Nothing here must survive a crash of the machine: no waiting for the disk.
SETTINGS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "listen_addresses=")


def find_programs() -> Path | None:
    """The folder that holds initdb and pg_ctl: where the PATH says, else Debian's newest; None without."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).resolve().parent] if on_path else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((f for f in folders if (f / "initdb").exists() and (f / "pg_ctl").exists()), None)


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
    """Start a server that listens on a Unix socket only; give its DATABASE_URL; stop and remove it.

    Raises subprocess.CalledProcessError, its output included, when it cannot be started.
    """
    account = _account()
    with tempfile.TemporaryDirectory(prefix="polignac-pg-", ignore_cleanup_errors=True) as folder:
        if account:
            shutil.chown(folder, account)
        data = f"{folder}/data"

        def run(program: str, *options: str) -> None:
            # Inherited pipes would stay open in the server: what it says goes to a file.
            with open(f"{folder}.log", "ab") as log:
                subprocess.run(
                    [programs / program, "-D", data, *options],
                    check=True,
                    user=account,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=folder,
                )

        options = " ".join(f"-c {setting}" for setting in (*SETTINGS, f"unix_socket_directories={folder}"))
        try:
            run("initdb", "--username=polignac", "--auth=trust", "--encoding=UTF8", "--no-sync")
            run("pg_ctl", "start", "--wait", "--options", options)
            try:
                yield f"postgres://polignac@{quote(folder, safe='')}/postgres"
            finally:
                run("pg_ctl", "stop", "--mode=immediate", "--wait")
        except subprocess.CalledProcessError:
            print(Path(f"{folder}.log").read_text(errors="replace"))
            raise
        finally:
            Path(f"{folder}.log").unlink(missing_ok=True)
