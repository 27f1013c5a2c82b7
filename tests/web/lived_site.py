"""The lived-in site, served: `python -m tests.web.lived_site FOLDER`.

It makes its data in the folder, then says in one line of JSON where it is, by which cookie each role is
known, and what is to be seen; then it serves until it is told to end, or, with --follow, its input ends.
"""

import argparse
import dataclasses
import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANY = "1000000/min"
RATES = ("ANONYMOUS", "READ", "SUBMIT", "ORGANISE", "ADMIN", "LOGIN")


def set_up(folder: Path) -> None:
    """Django, with a database and files of its own; nobody asks too often."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "lived.sqlite3"
    for file in (database, Path(f"{database}-wal"), Path(f"{database}-shm")):
        file.unlink(missing_ok=True)
    os.environ |= {
        "DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "league.settings.test",
        "WEBHOOK_NETWORKS": "127.0.0.0/8",
        **{f"{name}_RATE": MANY for name in RATES},
    }
    sys.path.append(str(ROOT / "platform"))
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def told() -> dict[str, object]:
    """Make the league; give what there is to be seen, and by whom."""
    from tests.web import lived, sights
    from tests.web.people import browser_of

    league = lived.live()
    cookies = {}
    for role, user in league.users.items():
        browser = browser_of(user, headers={"user-agent": lived.IMAGE})
        cookies[role] = browser.cookies["sessionid"].value
    every = [*sights.sights(league), *sights.of_admin()]
    return {
        "cookies": cookies,
        "names": sorted(sights.names()),
        "sights": [dataclasses.asdict(sight) for sight in every],
    }


def serve(door: socket.socket) -> None:
    """As in production, in this process."""
    import uvicorn

    from league.server import Protocol

    config = uvicorn.Config(
        "league.asgi:application", http=Protocol, ws="none", lifespan="off", access_log=False, log_config=None
    )
    uvicorn.Server(config).run(sockets=[door])


def follow() -> None:
    """End when whoever started this has ended."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.web.lived_site", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=0, help="0: any that is free")
    parser.add_argument("--follow", action="store_true", help="end when standard input does")
    given = parser.parse_args()
    if given.follow:
        threading.Thread(target=follow, daemon=True).start()
    with socket.create_server(("127.0.0.1", given.port)) as door:
        set_up(given.folder.resolve())
        import logging

        logging.disable(logging.WARNING)
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
        print(json.dumps({"address": address, **told()}), flush=True)  # noqa: T201 - a program of its own
        logging.disable(logging.NOTSET)
        serve(door)


if __name__ == "__main__":
    main()
