"""`polignac tournament watch`: how far it is, until it is over."""

import argparse
from collections.abc import Iterator
from functools import partial
from time import monotonic, sleep

from client.api import Api, Json
from client.arguments import FAILED, LATER, OK, Arguments, Failed, whole_number
from client.progress import bar
from client.server import names
from client.server.connection import Site, at_server
from client.server.live import states
from client.server.tournaments import add_tournament

_OVER = {"finished", "cancelled"}
_POLL_S = 1.0


def add_timeout(parser: Arguments) -> None:
    """Add how long to watch."""
    parser.add_argument(
        "--timeout", type=whole_number, metavar="S", help="watch for so long (default: until it is over)"
    )


def _arguments(parser: argparse.ArgumentParser) -> None:
    add_tournament(parser)
    add_timeout(parser)


def _run(site: Site, options: argparse.Namespace) -> int:
    end = watch(site, names.tournament(site.api, options.tournament), options.timeout)
    site.out.document(end)
    return OK if end["status"] == "finished" else FAILED


def watch(site: Site, tournament: int, timeout_s: float | None) -> Json:
    """Show a bar on a terminal, and a line at each change that matters; gives the last progress.

    Raises:
        Failed: with LATER, when it is not over in time.
    """
    told = ""
    with bar("matches") as progress:
        task = progress.add_task("", total=None)
        for now in _progress(site.api, tournament, timeout_s):
            state = _state(now)
            progress.update(task, description=state, total=now["matches_planned"], completed=now["matches"])
            if state != told and progress.disable:
                site.out.say(f"{state}: {now['matches']} of {now['matches_planned']} matches")
            told = state
    if not progress.disable:
        site.out.say(f"{told}: {now['matches']} of {now['matches_planned']} matches")
    return now


def _progress(api: Api, tournament: int, timeout_s: float | None) -> Iterator[Json]:
    """How far it is, again and again; the last is when it is over."""
    began = monotonic()
    read, pause = partial(api.progress, tournament), lambda: sleep(_POLL_S)
    for now in states(api, f"tournaments/{tournament}", read, pause, timeout_s):
        yield now
        if now["status"] in _OVER:
            return
        if timeout_s is not None and monotonic() - began > timeout_s:
            raise Failed(f"it is still {now['status']} after {timeout_s:.0f} s", LATER)


def _state(now: Json) -> str:
    """`running, round 2` or `running, round 2, waits: no_worker`."""
    state = str(now["status"])
    if now["round"] and state not in _OVER:
        state += f", round {now['round']}"
    if now["reason"] not in {None, "queue", state}:
        state += f", waits: {now['reason']}"
    return state


WATCH = at_server(
    _arguments,
    _run,
    """\
Code 1 is also for one that is cancelled, 3 for one that is not over in time.

examples:
  polignac tournament watch Tuesday
  polignac tournament watch Tuesday --timeout 600 --json
""",
)
