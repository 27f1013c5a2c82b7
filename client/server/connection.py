"""From the options to a server's API, and from its refusals to an exit code: shared by all its verbs."""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import NamedTuple

from client.api import Api, ApiError
from client.arguments import FAILED, LATER, USAGE, Arguments, Command, Failed, UsageError, add_json
from client.inert import printable
from client.patience import Patience
from client.server.config import address_of, load
from client.server.output import Output

_PATIENCE_S = 60.0
EXIT_CODES = (
    "exit code: 0 done; 1 refused, rejected or not found; 2 the command line makes no sense, or you have to"
    " log\nin; 3 the server does not answer, or asks to be left alone for longer than a minute; 130 Ctrl-C.\n"
)


class Site(NamedTuple):
    """What a verb has: the server, and where to say what it found."""

    api: Api
    out: Output


def at_server(
    arguments: Callable[[argparse.ArgumentParser], None],
    run: Callable[[Site, argparse.Namespace], int],
    examples: str,
) -> Command:
    """A command that speaks to a server: with ``--server`` and ``--json``, and a refusal is an exit code."""

    def all_arguments(parser: argparse.ArgumentParser) -> None:
        arguments(parser)
        add_server(parser)
        add_json(parser, "print what the server answered as JSON")

    def connected(options: argparse.Namespace) -> int:
        with refusals_told(as_json=options.json), api_of(options) as api:
            return run(Site(api, Output(options.json)), options)

    return Command(all_arguments, connected, f"{EXIT_CODES}\n{examples}")


def add_server(parser: Arguments) -> None:
    """Add ``--server``."""
    parser.add_argument(
        "--server",
        metavar="URL",
        help="which server (default: $POLIGNAC_SERVER, or the one that you logged in to last)",
    )


def api_of(options: argparse.Namespace) -> Api:
    """The server that is meant, with the token for it if there is one. Raises UsageError."""
    servers = load()
    named = options.server or os.environ.get("POLIGNAC_SERVER")
    address = address_of(named) if named else servers.current
    if not address:
        raise UsageError("which server? polignac login URL, or --server URL")
    account = servers.accounts.get(address)
    return Api(address, os.environ.get("POLIGNAC_TOKEN") or (account.token if account else None), patience())


def patience() -> Patience:
    """A minute; whoever watches is told."""
    return Patience(_PATIENCE_S, _pause)


def _pause(seconds: float, reason: str) -> None:
    print(printable(f"{reason} Trying again in {seconds:.0f} s."), file=sys.stderr)
    sleep(seconds)


@contextmanager
def refusals_told(*, as_json: bool = False) -> Iterator[None]:
    """What the server refuses, or does not answer, is raised as :class:`Failed`; as JSON it is printed."""
    try:
        yield
    except ApiError as error:
        Output(as_json).document(error.document)
        raise Failed(_sentence(error), _exit_code(error)) from None


def _exit_code(error: ApiError) -> int:
    if error.status == 401:
        return USAGE
    return LATER if error.later or error.status >= 500 else FAILED


def _sentence(error: ApiError) -> str:
    lines = [str(error)]
    if len(error.errors) > 1:
        lines += [f"  {each['field']}: {each['detail']}" for each in error.errors]
    if error.status == 401:
        lines.append("Log in: polignac login URL")
    if error.later and error.retry_after_s:
        lines.append(f"It wants to be asked again in {error.retry_after_s:.0f} s.")
    if error.status >= 500 and error.request_id:
        lines.append(f"Whoever runs the server finds in the log what happened: request {error.request_id}.")
    return "\n".join(lines)
