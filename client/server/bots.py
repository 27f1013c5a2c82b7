"""`polignac submit`, `bots`, `versions` and `log`: what an author does with a server."""

import argparse
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from client.api import Api, ApiError, Json
from client.arguments import FAILED, LATER, OK, Failed, UsageError, whole_number
from client.server import names
from client.server.connection import Site, at_server
from client.server.live import states
from client.server.output import Column, Output, when
from client.stages import show_stage

_WAITING = {"received", "checking"}
_POLL_S = 0.5

_VERSION = (
    Column("id", "id", right=True),
    Column("version", lambda row: f"{row['bot']}#{row['number']}"),
    Column("status", "status"),
    Column("language", "language"),
    Column("bytes", "size_bytes", right=True),
    Column("since", lambda row: when(row["created_at"])),
    Column("reason", "reason"),
)


# -- submit ---------------------------------------------------------------------------------------------


def _submit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, metavar="PATH", help="a source file, a folder or a zip")
    parser.add_argument(
        "--bot",
        metavar="NAME",
        help="which bot of yours; made if there is none of that name (default: the name in bot.toml, or that"
        " of the file)",
    )
    parser.add_argument("--watch", action="store_true", help="wait for its check; stages appear as they pass")
    parser.add_argument(
        "--timeout", type=whole_number, default=600, metavar="S", help="watch for so long (default 600 s)"
    )


def _submit(site: Site, options: argparse.Namespace) -> int:
    filename, data, title = _package(options.path)
    bot = _own_bot(site.api, options.bot or title)
    version = site.api.upload(bot["id"], filename, data)
    named = f"{version['bot']}#{version['number']}"
    if not options.watch:
        site.out.document(version)
        again = "" if version["new"] else ", the same program as before"
        site.out.say(f"{named} is {version['status']}: version {version['id']}{again}")
        if version["status"] in _WAITING:
            site.out.say(f"  polignac log {version['id']} --watch")
        return _verdict(version)
    site.out.say(f"{named}: version {version['id']}")
    return _watch(site, version["id"], options.timeout)


def _package(path: Path) -> tuple[str, bytes, str]:
    """A name and the bytes to send, and what the bot calls itself. The server judges what is in it."""
    from sandbox.package import UploadError, read_folder, read_upload

    try:
        if path.is_dir():
            package = read_folder(path)
            return "bot.zip", package.to_zip(), package.title or path.resolve().name
        data = path.read_bytes()
    except UploadError as error:
        raise Failed(f"{path}: {error}") from None
    except OSError as error:
        raise UsageError(f"{str(path)!r} can't be read: {error.strerror}") from None
    try:
        title = read_upload(data, path.name).title
    except UploadError:
        title = ""
    return path.name, data, title or path.stem


def _own_bot(api: Api, name: str) -> Json:
    """The user's bot of that name, made if there is none. Raises Failed for somebody else's."""
    me = api.me()["username"]
    for _ in range(2):
        for bot in api.bots(name=name):
            if bot["owner"] == me:
                return bot
            raise Failed(f"{bot['name']} is {bot['owner']}'s bot; call yours something else: --bot NAME")
        try:
            return api.create_bot(name)
        except ApiError as error:
            if error.code != "name_taken":  # by ourselves, when the answer was lost
                raise
    raise Failed(f"there is a bot that is called {name!r}, or looks like it; choose another: --bot NAME")


def _watch(site: Site, version_id: int, timeout_s: float) -> int:
    """Show the stages as they pass, and give the exit code."""
    until = time.monotonic() + timeout_s
    screen = Console(stderr=True)
    shown = 0
    with screen.status("checking") if screen.is_terminal else nullcontext() as status:
        read, pause = partial(site.api.version, version_id), lambda: time.sleep(_POLL_S)
        for version in states(site.api, f"versions/{version_id}", read, pause, timeout_s):
            checks = version["checks"] or []  # null: somebody else's
            shown = shown if shown <= len(checks) else 0  # begun anew: the platform had failed
            for check in checks[shown:]:
                _show(site.out, check)
            shown = len(checks)
            if version["status"] not in _WAITING:
                break
            if time.monotonic() > until:
                raise Failed(f"it is still {version['status']} after {timeout_s:.0f} s", LATER)
            if status is not None:
                status.update(f"{version['status']}: {shown} stages")
    site.out.document(version)
    _tell_end(site.out, version)
    return _verdict(version)


def _checked(api: Api, version_id: int) -> Json:
    """A version of yours, with what its check found. Raises Failed for somebody else's."""
    version = api.version(version_id)
    if version["checks"] is None:
        raise Failed(f"{version['bot']}#{version['number']} is not yours: its check is its owner's to read")
    return version


def _show(out: Output, check: Json, whole: bool = False) -> None:
    if not out.as_json:
        show_stage(
            out.console,
            check["stage"],
            code=None if check["outcome"] == "passed" else check["code"],
            message=check["message"],
            log=check["log"],
            took_ms=check["duration_ms"],
            whole=whole,
        )


def _tell_end(out: Output, version: Json) -> None:
    reason = f": {version['reason']} ({version['reason_code']})" if version["reason"] else ""
    out.say(f"{version['bot']}#{version['number']} is {version['status']}{reason}")


def _verdict(version: Json) -> int:
    return {"rejected": FAILED, "disqualified": FAILED, "parked": LATER}.get(version["status"], OK)


SUBMIT = at_server(
    _submit_arguments,
    _submit,
    """\
Code 1 is also for a version that is rejected, with the reason; 3 for one whose check did not end in time, or
that the platform failed at. The same program sent again is the same version: repeat it without worry.

examples:
  polignac submit mybot.py --watch
  polignac submit mybot/ --bot "Night Heron" --watch && polignac tournament enter Tuesday "Night Heron"
""",
)


# -- bots, versions, log --------------------------------------------------------------------------------


def _bots_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--owner", metavar="NAME", help="whose (default: yours)")
    parser.add_argument("--all", action="store_true", help="everybody's")


def _bots(site: Site, options: argparse.Namespace) -> int:
    if options.owner and options.all:
        raise UsageError("--owner or --all, not both")
    query = {} if options.all else {"owner": options.owner or site.api.me()["username"]}
    columns = (
        Column("id", "id", right=True),
        Column("bot", "name"),
        Column("owner", "owner"),
        Column("active", lambda row: row["current"] and f"#{row['current']}"),
        Column("since", lambda row: when(row["created_at"])),
    )
    site.out.rows(list(site.api.bots(**query)), columns, "no bots yet: polignac submit PATH")
    return OK


BOTS = at_server(_bots_arguments, _bots, "examples:\n  polignac bots\n  polignac bots --all --json\n")


def _versions_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "bot", metavar="BOT", help="a bot, by name or id; of others those that may play, or might once"
    )


def _versions(site: Site, options: argparse.Namespace) -> int:
    bot = names.bot(site.api, options.bot)
    site.out.rows(list(site.api.versions(bot["id"])), _VERSION, f"{bot['name']} has no version yet")
    return OK


VERSIONS = at_server(
    _versions_arguments, _versions, 'examples:\n  polignac versions "Night Heron"\n  polignac versions 12\n'
)


def _log_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "version", nargs="?", metavar="VERSION", help="by id, or as Name#3; Name is its newest active one"
    )
    parser.add_argument("--match", type=int, metavar="ID", help="what your bots wrote in a match instead")
    parser.add_argument("--watch", action="store_true", help="wait for the check; stages appear as they pass")
    parser.add_argument(
        "--timeout", type=whole_number, default=600, metavar="S", help="watch for so long (default 600 s)"
    )


def _log(site: Site, options: argparse.Namespace) -> int:
    if (options.version is None) == (options.match is None):
        raise UsageError("name a version, or a match with --match ID")
    if options.match is not None:
        logs: list[Any] = site.api.logs(options.match)
        site.out.document(logs)
        for log in logs:
            site.out.say(f"{log['bot']}, seat {log['seat']}:")
            for line in log["log"].splitlines():
                site.out.say(f"    {line.expandtabs()}")
        return OK
    version_id = names.version(site.api, options.version)
    if options.watch:
        return _watch(site, version_id, options.timeout)
    version = _checked(site.api, version_id)
    site.out.document(version)
    for check in version["checks"]:
        _show(site.out, check, whole=True)
    _tell_end(site.out, version)
    return _verdict(version)


LOG = at_server(
    _log_arguments,
    _log,
    """\
Code 1 is also for a version that is rejected, 3 for one that the platform failed at.

examples:
  polignac log "Night Heron#3"
  polignac log 12 --watch
  polignac log --match 345
""",
)
