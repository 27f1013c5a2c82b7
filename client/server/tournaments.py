"""`polignac tournament create`, `list`, `preview`, and what steers one and lets bots in."""

import argparse
import json
from collections.abc import Sequence
from typing import Any

from client.api import Api, Json
from client.arguments import OK, Command, Failed, UsageError, add_pairs, whole_number
from client.server import names
from client.server.connection import Site, at_server
from client.server.output import Column, label, when

_ABOUT = (
    Column("id", "id"),
    Column("name", "name"),
    Column("organiser", "organiser"),
    Column("status", "status"),
    Column("format", lambda row: f"{row['format']} {json.dumps(row['options']) if row['options'] else ''}"),
    Column("game", lambda row: f"{row['rules']['variant']}, {row['players']} players"),
    Column("boards", "boards"),
    Column("rated", lambda row: "yes" if row["rated"] else "no"),
    Column("entrants", "entrants"),
    Column("round", "round"),
)


# -- create, list, preview ------------------------------------------------------------------------------


def add_draft_options(parser: argparse.ArgumentParser) -> None:
    """Add what any tournament is to be; `draft_of` reads it, and ``--boards``."""
    add_pairs(parser, "--rules", "options by the names of docs/rules.md, as for play; players=3, too")
    parser.add_argument(
        "--unrated", action="store_true", help="move no rating, and let bots of one owner share a table"
    )
    parser.add_argument("--no-luck", action="store_true", help="give every bot fresh `luck` for each hand")


def draft_of(options: argparse.Namespace) -> Json:
    """What the API takes. Raises UsageError for rules that can't be."""
    from arena.rules import Rules, RulesError

    try:
        rules = Rules.from_texts(options.rules).to_json()
    except RulesError as error:
        raise UsageError(str(error)) from None
    given = {text.partition("=")[0] for text in options.rules}
    return {
        "rules": {name: value for name, value in rules.items() if name in given},
        "boards": options.boards,
        "rated": not options.unrated,
        "luck": not options.no_luck,
    }


def _create_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="what it is called")
    formats = "round_robin, gauntlet, swiss, knockout, ladder or duel"
    parser.add_argument("--format", default="round_robin", help=f"{formats} (default round_robin)")
    add_pairs(
        parser, "--options", "the format's options by the names of docs/tournaments.md; bots by name, too"
    )
    parser.add_argument(
        "--boards", type=whole_number, default=1, metavar="N", help="boards that each group plays (default 1)"
    )
    add_draft_options(parser)
    parser.add_argument(
        "--disqualify-after",
        type=int,
        metavar="N",
        help="put an entrant out that lost its seat in so many matches in a row (default 12; 0: never)",
    )
    parser.add_argument(
        "--entrants", type=whole_number, metavar="N", help="make nothing: tell what it would be with so many"
    )


def _create(site: Site, options: argparse.Namespace) -> int:
    draft = {**draft_of(options), "format": options.format, "options": _format(site.api, options.options)}
    if options.disqualify_after is not None:
        draft["disqualify_after"] = options.disqualify_after
    if options.entrants:
        _show_preview(site, site.api.preview_draft(options.entrants, draft))
        return OK
    if not options.name:
        raise UsageError("give it a name, or --entrants N to see what it would be")
    made = site.api.create_tournament(options.name, **draft)
    site.out.document(made)
    site.out.say(f"{made['name']} is a draft, which only you can see: tournament {made['id']}")
    return OK


def _format(api: Api, texts: Sequence[str]) -> Json:
    """The format's options from `key=value`: numbers, words, and versions by id or name."""
    found: Json = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name in found:
            raise UsageError(f"{text!r}: write each option once, as in meetings=3")
        if name == "heroes":
            found[name] = [names.version(api, each) for each in value.split(",")]
        elif name in {"first", "second"}:
            found[name] = names.version(api, value)
        else:
            found[name] = int(value) if names.is_id(value) else value
    return found


CREATE = at_server(
    _create_arguments,
    _create,
    """\
examples:
  polignac tournament create Tuesday --boards 10 --rules variant=knaves players=3
  polignac tournament create Club --format round_robin --options kind=balanced groups_each=12 --entrants 40
      what that would be, and how sure the result
  polignac tournament create "Hero's night" --format gauntlet --options heroes=Dodger,Heron#3 meetings=2
""",
)


def _list_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--status", help="draft, open, running, paused, finished or cancelled")
    parser.add_argument("--organiser", metavar="NAME", help="whose")


def _list(site: Site, options: argparse.Namespace) -> int:
    query = {"status": options.status, "organiser": options.organiser}
    found = list(site.api.tournaments(**{name: value for name, value in query.items() if value}))
    columns = (
        *_ABOUT[:4],
        Column("format", "format"),
        *_ABOUT[5:],
        Column("ended", lambda r: when(r["ended_at"])),
    )
    site.out.rows(found, columns, "no such tournaments")
    return OK


LIST = at_server(_list_arguments, _list, "examples:\n  polignac tournament list --status open\n")


def add_tournament(parser: argparse.ArgumentParser) -> None:
    """Add which tournament."""
    parser.add_argument("tournament", metavar="TOURNAMENT", help="by id or name")


def _show(site: Site, options: argparse.Namespace) -> int:
    site.out.fields(site.api.tournament(names.tournament(site.api, options.tournament)), _ABOUT)
    return OK


SHOW = at_server(add_tournament, _show, "examples:\n  polignac tournament show Tuesday\n")


def _preview(site: Site, options: argparse.Namespace) -> int:
    _show_preview(site, site.api.preview(names.tournament(site.api, options.tournament)))
    return OK


def _show_preview(site: Site, preview: Json) -> None:
    def interval(row: Json, key: str, digits: int) -> str | None:
        ends = [row[end][key] for end in ("narrowest", "widest")]
        return None if None in ends else " to ".join(f"±{end / 2:.{digits}f}" for end in ends)

    def time(row: Json) -> str | None:
        return (
            None if row["seconds"] is None else f"{row['seconds'] / 60:.1f} minutes, {row['workers']} workers"
        )

    counts = ("entrants", "rounds", "groups", "tables", "boards", "matches")
    columns = [
        *(Column(name, name) for name in counts),
        Column("deals", lambda row: round(row["deals"])),
        Column("time", time),
        Column("Elo", lambda row: interval(row, "elo", 0)),
        Column("points", lambda row: interval(row, "points", 3)),
    ]
    site.out.fields(preview, columns)


PREVIEW = at_server(
    add_tournament,
    _preview,
    """\
How much it plays with the entrants that it has, how long that takes, and how sure the result will be: the
95 % interval of the surest and of the least sure entrant, in Elo and in penalty points a deal.

examples:
  polignac tournament preview Tuesday
""",
)


# -- steering -------------------------------------------------------------------------------------------


def _steering(action: str, more: str = "") -> Command:
    """A verb that is an action of the API's: safe to repeat."""

    def run(site: Site, options: argparse.Namespace) -> int:
        answer = site.api.steer(names.tournament(site.api, options.tournament), action)
        site.out.document(answer)
        site.out.say(f"{answer['name']} is {answer['status']}")
        return OK

    text = f"Done twice it changes nothing.\n\nexamples:\n  polignac tournament {action} Tuesday\n{more}"
    return at_server(add_tournament, run, text)


OPEN = _steering("open")
START = _steering("start", "  polignac tournament start Tuesday && polignac tournament watch Tuesday\n")
PAUSE = _steering("pause")
RESUME = _steering("resume")
REPLAY = _steering("replay")
FINISH = _steering("finish")
CANCEL = _steering("cancel")


def _extend_arguments(parser: argparse.ArgumentParser) -> None:
    add_tournament(parser)
    parser.add_argument(
        "boards", type=whole_number, metavar="BOARDS", help="how many every group shall have played in all"
    )


def _extend(site: Site, options: argparse.Namespace) -> int:
    tournament = names.tournament(site.api, options.tournament)
    answer = site.api.steer(tournament, "extend", boards=options.boards)
    site.out.document(answer)
    site.out.say(f"{answer['name']} is {answer['status']}, and plays {answer['boards']} boards a group")
    return OK


EXTEND = at_server(_extend_arguments, _extend, "examples:\n  polignac tournament extend Tuesday 40\n")


# -- who takes part -------------------------------------------------------------------------------------


def _enter_arguments(parser: argparse.ArgumentParser) -> None:
    add_tournament(parser)
    parser.add_argument(
        "versions", nargs="+", metavar="VERSION", help="active ones of yours, by id, or as Name or Name#3"
    )


def _enter(site: Site, options: argparse.Namespace) -> int:
    tournament = names.tournament(site.api, options.tournament)
    versions = [names.version(site.api, version) for version in options.versions]
    entered: list[Any] = []
    for version in versions:
        entered.append(site.api.enter(tournament, version))
        site.out.say(f"{label(entered[-1])} is in")
    site.out.document(entered)
    return OK


ENTER = at_server(
    _enter_arguments,
    _enter,
    """\
examples:
  polignac tournament enter Tuesday Heron "Night Heron#2"
  polignac tournament enter 7 123
""",
)


def _entrants(site: Site, options: argparse.Namespace) -> int:
    columns = (
        Column("version", label),
        Column("id", "version_id", right=True),
        Column("owner", "owner"),
        Column("status", "status"),
        Column("entered", lambda row: when(row["entered_at"])),
    )
    found = list(site.api.entrants(names.tournament(site.api, options.tournament)))
    site.out.rows(found, columns, "nobody has entered yet")
    return OK


ENTRANTS = at_server(add_tournament, _entrants, "examples:\n  polignac tournament entrants Tuesday\n")


def _withdraw_arguments(parser: argparse.ArgumentParser) -> None:
    add_tournament(parser)
    parser.add_argument("version", metavar="VERSION", help="an entrant: its id, Name#3, or its bot's name")


def _withdraw(site: Site, options: argparse.Namespace) -> int:
    tournament = names.tournament(site.api, options.tournament)
    query = {"version": int(options.version)} if names.is_id(options.version) else {}
    found = [
        row
        for row in site.api.entrants(tournament, **query)
        if options.version in {str(row["version_id"]), label(row), row["bot"]}
    ]
    if len(found) != 1:
        raise Failed(
            f"{options.version!r} is {'more than one' if found else 'no'} entrant here;"
            f" polignac tournament entrants {options.tournament}"
        )
    site.api.withdraw(tournament, found[0]["id"])
    site.out.document(found[0])
    site.out.say(f"{label(found[0])} is out")
    return OK


WITHDRAW = at_server(
    _withdraw_arguments, _withdraw, "examples:\n  polignac tournament withdraw Tuesday Heron\n"
)
