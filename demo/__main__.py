"""A whole league on this machine, from an empty folder to an Elo table.

Migrates a database of its own, starts a Redis, a worker, beat and the site, then does what people would do,
through the REST API: sign up, upload eight bots, play a round robin, read the ratings. The site stays up
until Ctrl-C; with DEMO_EXIT=1 in the environment it ends there instead.
"""

import argparse
import os
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import requests

from demo import broker, services
from demo.folder import NotADemosFolder, own_folder
from demo.processes import ProcessEnded, Processes, kill_descendants, tail
from demo.screen import say
from demo.signals import Interrupted, interruptible, undisturbed
from demo.story import StoryFailed, tell

PORTS = range(8000, 8100)
START_S = 60.0
NO_REDIS = (
    "There is no Redis: none answers at REDIS_URL, no redis-server is on the PATH, and none came along for "
    "this kind of machine. Install one (Debian, Ubuntu: apt-get install redis-server) and try again."
)


class CannotStart(Exception):
    """Something that this machine lacks; the text says what to do."""


def main() -> int:
    """Run the demo. Give the exit code; whatever happens, nothing that it started is left."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    help_text = "where to keep everything; emptied first (default: var/demo)"
    parser.add_argument("--folder", type=Path, default=services.ROOT / "var/demo", help=help_text)
    folder = parser.parse_args().folder.resolve()
    # It speaks with this machine only, whatever proxy there is to the world.
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
    interruptible()
    try:
        try:
            return attempt(folder, stay=os.environ.get("DEMO_EXIT", "") in ("", "0"))
        except NotADemosFolder as failure:
            say(str(failure))
            return 1
        finally:
            undisturbed()
            kill_descendants()
    except Interrupted as signal:
        kill_descendants()
        say("\nEnded.")
        return signal.exit_code


def attempt(folder: Path, stay: bool) -> int:
    """The demo, with its failures explained."""
    with own_folder(folder) as data:
        logs = data / "logs"
        logs.mkdir()
        try:
            run(data, logs, stay)
        except CannotStart as failure:
            say(f"\n{failure}")
        except ProcessEnded as failure:
            say(f"\n{failure}. The end of its log ({logs}):\n{failure.log}")
        except StoryFailed as failure:
            say(f"\n{failure}\nThe end of the {failure.process}'s log ({logs}):")
            say(tail(logs / f"{failure.process}.log"))
        else:
            return 0
        return 1


def run(data: Path, logs: Path, stay: bool) -> None:
    """Start everything, tell the story, end everything. Raises what `attempt` explains."""
    with ExitStack() as stack:
        listening = stack.enter_context(site_socket())
        site = f"http://127.0.0.1:{listening.getsockname()[1]}"
        redis_url = yours(stack)
        port = broker.free_port()
        environment = services.environment(data, redis_url or f"redis://127.0.0.1:{port}/0")
        processes = stack.enter_context(Processes(logs, environment))
        if not redis_url:
            program = broker.find_server()
            if program is None:
                raise CannotStart(NO_REDIS)
            say(f"Starting Redis ({program}) …")
            services.start_redis(processes, program, port, data)
        say("Making the database …")
        services.migrate(processes)
        say("Starting a worker, beat and the site …")
        services.start_league(processes, listening.fileno(), len(os.sched_getaffinity(0)))
        await_site(site, processes)
        tell(site, processes)
        if stay:
            say("The site stays up; Ctrl-C ends it.")
            stay_up(processes)


def yours(stack: ExitStack) -> str | None:
    """A free database of the Redis at REDIS_URL, until the stack ends; None when none answers there."""
    url = os.environ.get("REDIS_URL", "")
    if not url or not broker.answers(url):
        return None
    database = broker.claim_database(url)
    if database is None:
        raise CannotStart(
            f"No database of the Redis at {url} is empty; unset REDIS_URL and the demo starts its own."
        )
    stack.callback(broker.release_database, database)
    say(f"Using your Redis: {database}")
    return database


def site_socket() -> socket.socket:
    """A socket at the first free port from 8000 on: ours already, so nobody can take it meanwhile."""
    for port in PORTS:
        try:
            return socket.create_server(("127.0.0.1", port), backlog=64)
        except OSError:
            continue
    raise CannotStart(f"Every port from {PORTS.start} to {PORTS.stop - 1} is taken.")


def await_site(site: str, processes: Processes) -> None:
    """Wait until the site says that it is well. Raises ProcessEnded, or CannotStart after too long."""
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        processes.check()
        try:
            if requests.get(f"{site}/api/v1/health/", timeout=5).ok:
                return
        except requests.RequestException:
            pass
        time.sleep(0.2)
    raise CannotStart(f"The site does not answer at {site}.")


def stay_up(processes: Processes) -> None:
    """Until Ctrl-C, or until a process ends that should not."""
    try:
        while True:
            processes.check()
            time.sleep(1)
    except Interrupted:
        say("\nEnding …")


if __name__ == "__main__":
    sys.exit(main())
