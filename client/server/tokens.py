"""`polignac whoami`, `password` and `tokens …`: what one has at a server, and the tokens that open it."""

import argparse
import sys

from client.api import Json
from client.arguments import OK, UsageError, whole_number
from client.server import config
from client.server.account import add_token, check_twice, here, secret, wanted
from client.server.connection import Site, at_server
from client.server.output import Column, when

_TOKEN = (
    Column("id", "id", right=True),
    Column("name", lambda row: f"{row['name']} *" if row["current"] else row["name"]),
    Column("scopes", lambda row: " ".join(row["scopes"])),
    Column("made", lambda row: when(row["created_at"])),
    Column("last used", lambda row: when(row["last_used_at"]) or "never"),
    Column("good until", lambda row: when(row["expires_at"])),
)
_QUOTA = (
    Column("quota", "name"),
    Column("used", "used", right=True),
    Column("limit", "limit", right=True),
    Column("unit", "unit"),
)


def _no_arguments(parser: argparse.ArgumentParser) -> None:
    """It takes none of its own."""


def _whoami(site: Site, options: argparse.Namespace) -> int:
    me = site.api.me()
    token: Json = me["token"]
    site.out.document(me)
    site.out.say(f"You are {me['username']}{', of the staff' if me['is_staff'] else ''}.")
    until = when(token["expires_at"])
    site.out.say(f"Your token “{token['name']}” is good for {', '.join(token['scopes'])}, until {until}.")
    site.out.table([{"name": name, **quota} for name, quota in me["quotas"].items()], _QUOTA, "")
    return OK


WHOAMI = at_server(
    _no_arguments,
    _whoami,
    """examples:
  polignac whoami
  polignac whoami --json
""",
)


def _password(site: Site, options: argparse.Namespace) -> int:
    name, old, new = site.api.me()["username"], secret("Password"), secret("New password")
    check_twice(new)
    site.api.change_password(old, new)
    token = site.api.log_in(name, new, name=here())
    config.save(config.load().with_account(site.api.site, config.Account(name, token)))
    site.out.document({"username": name})
    site.out.say("Your password is changed. All tokens have ended; here you are logged in again.")
    return OK


PASSWORD = at_server(
    _no_arguments,
    _password,
    """Without a terminal the old and the new password are read from the standard input, a line each.

examples:
  polignac password
""",
)


def _list(site: Site, options: argparse.Namespace) -> int:
    site.out.rows(list(site.api.tokens()), _TOKEN, "You have no tokens.")
    return OK


LIST = at_server(
    _no_arguments,
    _list,
    """The one with a * is the one that you are using.

examples:
  polignac tokens list
""",
)


def _new(site: Site, options: argparse.Namespace) -> int:
    made = site.api.new_token(site.api.me()["username"], secret("Password"), **wanted(options))
    site.out.document(made)
    site.out.say(made["token"])
    until = when(made["expires_at"])
    print(f"Good until {until}; it is shown this once. polignac tokens revoke {made['id']}", file=sys.stderr)
    return OK


NEW = at_server(
    add_token,
    _new,
    """The token alone goes to the standard output. You stay logged in with yours.

examples:
  polignac tokens new --label "CI of heron" --scope read --scope submit --days 30
""",
)


def _revoke_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", type=whole_number, nargs="*", metavar="ID", help="which, as in the list")
    parser.add_argument("--all", action="store_true", help="all of them: this one, too")


def _revoke(site: Site, options: argparse.Namespace) -> int:
    if bool(options.ids) == options.all:
        raise UsageError("which tokens? name their ids, or say --all")
    for each in options.ids or [None]:
        site.api.end_token(each)
    site.out.document({"revoked": "all" if options.all else options.ids})
    site.out.say("They have ended." if options.all or len(options.ids) > 1 else "It has ended.")
    return OK


REVOKE = at_server(
    _revoke_arguments,
    _revoke,
    """A token can end those that are good for no more than itself.

examples:
  polignac tokens revoke 12
  polignac tokens revoke --all
""",
)
