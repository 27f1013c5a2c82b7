"""`polignac login`, `logout` and `servers`: who one is, and where."""

import argparse
import getpass
import platform
import sys
from typing import Any
from urllib.parse import urlsplit

from client.api import Api, ApiError
from client.arguments import OK, Arguments, Command, UsageError, add_json, whole_number
from client.server import config
from client.server.connection import EXIT_CODES, patience, refusals_told
from client.server.output import Column, Output

_HERE = {"localhost", "127.0.0.1", "::1"}
_SCOPES = ("read", "submit", "organise", "admin")


def _login_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="the server's address, as in https://league.example")
    parser.add_argument("--name", help="your name there (default: it is asked for)")
    parser.add_argument("--new", action="store_true", help="sign up first: make an account of that name")
    parser.add_argument("--token", action="store_true", help="ask for a token, not for name and password")
    add_token(parser)
    add_json(parser, "print who you are as JSON")


def _login(options: argparse.Namespace) -> int:
    address = config.address_of(options.url)
    if options.token and (options.new or options.name or any(wanted(options).values())):
        raise UsageError("--token says who you are, and is what it is: leave the other options out")
    if urlsplit(address).scheme == "http" and urlsplit(address).hostname not in _HERE:
        print(f"{address} is not encrypted: others may read your password.", file=sys.stderr)
    with refusals_told(), Api(address, patience=patience()) as api:
        if options.token:
            token = secret("Token")
            with Api(address, token, patience()) as known:
                name = known.me()["username"]
        else:
            name = options.name or _asked("Name")
            password = secret("Password")
            if options.new:
                check_twice(password)
                api.sign_up(name, password)
            token = api.log_in(name, password, **{**wanted(options), "name": options.label or here()})
    config.save(config.load().with_account(address, config.Account(name, token)))
    out = Output(options.json)
    out.document({"server": address, "username": name})
    out.say(f"You are {name} at {address}.")
    return OK


def add_token(parser: Arguments) -> None:
    """Add what a token is to be: ``--label``, ``--scope`` and ``--days``."""
    parser.add_argument("--label", help="what the token is called in your list (default: after this machine)")
    parser.add_argument(
        "--scope",
        action="append",
        choices=_SCOPES,
        help="what it is good for; may be given again (default: all but admin, which is for the staff)",
    )
    parser.add_argument(
        "--days", type=whole_number, metavar="N", help="for how long (default: as long as the server allows)"
    )


def wanted(options: argparse.Namespace) -> dict[str, Any]:
    """What the token is to be, as far as the options say."""
    return {"name": options.label, "scopes": options.scope, "days": options.days}


def here() -> str:
    """What a token of this machine's is called."""
    return f"polignac on {platform.node()}"[:40].strip()


def _asked(what: str) -> str:
    """A line: asked for on a terminal, else the next one of the standard input. Raises UsageError."""
    if sys.stdin.isatty():
        print(f"{what}: ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline().rstrip("\r\n")
    if not line:
        raise UsageError(f"no {what.lower()} was given")
    return line


def secret(what: str) -> str:
    """As `_asked`, but a terminal does not show it."""
    if not sys.stdin.isatty():
        return _asked(what)
    return getpass.getpass(f"{what}: ") or _asked(what)


def check_twice(password: str) -> None:
    """Have a new password typed again, on a terminal. Raises UsageError where it is another."""
    if sys.stdin.isatty() and getpass.getpass("Password, again: ") != password:
        raise UsageError("these are two passwords, not one")


LOGIN = Command(
    _login_arguments,
    _login,
    f"""{EXIT_CODES}
The token that you get is kept in ~/.config/polignac/servers.json ($XDG_CONFIG_HOME), which only you can
read. Where you are logged in to several servers, the last one is meant unless --server names another.
Without a terminal, name and password (or the token) are read from the standard input, a line each. In a CI
job: POLIGNAC_SERVER and POLIGNAC_TOKEN, and no login.

examples:
  polignac login https://league.example
  polignac login https://league.example --new --name ann
  polignac login https://league.example --scope read --days 1
  polignac login https://league.example --token < token.txt
""",
)


def _logout_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", nargs="?", metavar="URL", help="which server (default: the current one)")


def _logout(options: argparse.Namespace) -> int:
    servers = config.load()
    address = config.address_of(options.url) if options.url else servers.current
    account = servers.accounts.get(address)
    if account is None:
        raise UsageError(f"you are not logged in to {address}" if address else "you are not logged in")
    config.save(servers.without(address))
    with refusals_told(), Api(address, account.token, patience()) as api:
        try:
            api.log_out()
        except ApiError as error:
            if error.status != 401:  # it was worth nothing any more
                raise
    print(f"You are logged out of {address}.")
    return OK


LOGOUT = Command(
    _logout_arguments,
    _logout,
    f"""{EXIT_CODES}
The token is forgotten here in any case, and worth nothing at the server if that answers.

examples:
  polignac logout
  polignac logout https://league.example
""",
)


def _servers_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("url", nargs="?", metavar="URL", help="make this one the current one")
    add_json(parser, "print them as JSON")


def _servers(options: argparse.Namespace) -> int:
    servers = config.load()
    if options.url:
        servers = servers.using(config.address_of(options.url))
        config.save(servers)
    rows = [
        {"server": address, "username": account.username, "current": address == servers.current}
        for address, account in servers.accounts.items()
    ]
    columns = [
        Column("", lambda row: "*" if row["current"] else ""),
        Column("server", "server"),
        Column("you are", "username"),
    ]
    Output(options.json).rows(rows, columns, "You are logged in nowhere: polignac login URL")
    return OK


SERVERS = Command(
    _servers_arguments,
    _servers,
    f"""{EXIT_CODES}
examples:
  polignac servers
  polignac servers https://league.example
""",
)
