"""`polignac duel`: is the new version better than the old one? At home, or as a tournament of its own."""

import argparse
import secrets
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from client.api import ApiError, Json
from client.arguments import (
    FAILED,
    OK,
    Command,
    Sandbox,
    UsageError,
    add_json,
    add_sandbox,
    whole_number,
)
from client.play_command import SANDBOXES, add_clock, add_seed, clock_of
from client.progress import bar
from client.server import names
from client.server.connection import Site, add_server, api_of, at_server, refusals_told
from client.server.output import Column, Output, label
from client.server.tournaments import add_draft_options, add_tournament, draft_of
from client.server.watching import add_timeout, watch

if TYPE_CHECKING:
    from client.play import Contest

_COMPANY = ("counter", "dodger", "lowest", "random")
_GROUPS = 6
_LEAST = 10  # arena.ratings.duel looks after so many boards for the first time
_SHOWN = 10
_EXAMPLES = """\
The two play the same boards in the same seats with the same others, then change seats: only their play
differs. A sequential test looks after every board from the tenth on, and stops as soon as it is sure
(docs/ratings.md).

exit code: 0 NEW is better, or the tournament is made; 1 NEW is not shown to be better, or refused; 2 and 3 as
ever.

examples:
  polignac duel old.py new.py --local
  polignac duel old/ new/ --local --with dodger --with mybot.py --boards 500 --rules variant=knaves
  polignac duel Heron#2 Heron#3 --with Dodger --with Lowest --watch
      at a server: all four are yours, and it is unrated
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    where = "with --local a reference player or a path, else a version: its id, Name, or Name#3"
    parser.add_argument("old", metavar="OLD", help=f"the one that NEW may be better than: {where}")
    parser.add_argument("new", metavar="NEW", help="the one that may be better")
    parser.add_argument("--local", action="store_true", help="play at home")
    parser.add_argument(
        "--with",
        dest="company",
        action="append",
        default=[],
        metavar="BOT",
        help=f"who sits at the table, too; again for each (default with --local: of {', '.join(_COMPANY)})",
    )
    parser.add_argument(
        "--boards", type=whole_number, default=200, metavar="N", help="play at most so many (default 200)"
    )
    add_draft_options(parser)
    add_json(parser, "print verdict and trace as JSON")
    home = parser.add_argument_group("at home")
    add_seed(home)
    add_sandbox(home, SANDBOXES)
    add_clock(home)
    server = parser.add_argument_group("at a server")
    server.add_argument("--name", help="what the tournament is called (default: made up)")
    server.add_argument("--watch", action="store_true", help="wait for the verdict")
    add_timeout(server)
    add_server(server)


def _run(options: argparse.Namespace) -> int:
    if options.boards < _LEAST:
        raise UsageError(f"--boards {options.boards}: a duel needs at least {_LEAST}")
    if options.local:
        return _at_home(options)
    with refusals_told(as_json=options.json), api_of(options) as api:
        return _at_a_server(Site(api, Output(options.json)), options)


# -- at home --------------------------------------------------------------------------------------------


def _at_home(options: argparse.Namespace) -> int:
    from client.duel import differences, judged

    contest = _contest(options)
    values: list[float] = []
    faults: Counter[str] = Counter()
    with bar("boards") as progress:
        task = progress.add_task("", total=contest.boards)
        for value, block in differences(contest):
            values.append(value)
            for played in block:
                faults.update(
                    contest.bots[played.seating[fault.seat]].label for fault in played.record.faults
                )
            found = judged(values, contest.boards)
            progress.update(task, advance=1, description=f"{found.mean:+.3f} points a deal")
            if found.verdict != "open":
                break
    first, second = (bot.label for bot in contest.bots[:2])
    report = {"first": first, "second": second, **asdict(found), "seed": contest.seed.hex(), "faults": faults}
    out = Output(options.json)
    out.document(report)
    _tell(out, report, first, second)
    for bot, count in faults.items():
        out.say(f"{bot}: {count} faults; polignac play shows them")
    out.say(f"the same boards again: --seed {contest.seed.hex()}")
    return OK if found.verdict == "first" else FAILED


def _contest(options: argparse.Namespace) -> "Contest":
    from arena.rules import Rules, RulesError
    from client.play import Contest
    from client.seats import find_bots

    try:
        rules = Rules.from_texts(options.rules)
    except RulesError as error:
        raise UsageError(str(error)) from None
    others = options.company or [_COMPANY[number % len(_COMPANY)] for number in range(rules.players - 2)]
    if len(others) != rules.players - 2:
        raise UsageError(f"{rules.players} play, so name {rules.players - 2} others, not {len(others)}")
    return Contest(
        rules=rules,
        bots=find_bots([options.new, options.old, *others], Sandbox(options.sandbox)),
        clock=clock_of(options),
        seed=options.seed or secrets.token_bytes(32),
        boards=options.boards,
        rotate=False,
    )


# -- at a server ----------------------------------------------------------------------------------------


def _at_a_server(site: Site, options: argparse.Namespace) -> int:
    new, old = (names.version(site.api, text) for text in (options.new, options.old))
    versions = [new, old, *(names.version(site.api, text) for text in options.company)]
    mine = [version for version in versions if _is_mine(site, version)]
    draft = draft_of(options)
    draft |= {
        "format": "duel",
        "options": {"first": new, "second": old, "groups": _GROUPS},
        "boards": -(-options.boards // _GROUPS),
        "rated": draft["rated"] and not {new, old} <= set(mine),
    }
    name = options.name or f"Duel of {new} and {old}, {datetime.now(UTC):%Y-%m-%d %H.%M.%S}"
    made = site.api.create_tournament(name, **draft)
    site.api.open_tournament(made["id"])
    for version in mine:
        site.api.enter(made["id"], version)
    missing = [version for version in versions if version not in mine]
    few = made["players"] - len(versions)
    if missing or few > 0:
        return _wait_for_others(site, made["id"], missing, few)
    started = site.api.start_tournament(made["id"])
    site.out.say(f"{started['name']} is {started['status']}: tournament {made['id']}")
    if not options.watch:
        site.out.document(started)
        site.out.say(f"  polignac tournament duel {made['id']}")
        return OK
    watch(site, made["id"], options.timeout)
    return show_verdict(site, made["id"])


def _is_mine(site: Site, version: int) -> bool:
    try:
        owner = site.api.bot(site.api.version(version)["bot_id"])["owner"]
    except ApiError as error:
        if error.status not in {403, 404}:
            raise
        return False
    return bool(owner == site.api.me()["username"])


def _wait_for_others(site: Site, tournament: int, missing: list[int], few: int) -> int:
    """Say what is still wanted, and leave it open."""
    site.out.document(site.api.tournament(tournament))
    if missing:
        site.out.say(f"Only their owners can enter the versions {', '.join(map(str, missing))}.")
    if few > 0:
        site.out.say(f"{few} more must enter for a table: yours with --with, or others.")
    site.out.say(f"Tournament {tournament} is open. Then: polignac tournament start {tournament}")
    return OK


def show_verdict(site: Site, tournament: int) -> int:
    """Tell how a duel at a server stands; gives the exit code."""
    found = site.api.duel(tournament)
    site.out.document(found)
    _tell(site.out, found, label(found["first"]), label(found["second"]))
    return OK if found["verdict"] == "first" else FAILED


# -- the verdict ----------------------------------------------------------------------------------------


def _tell(out: Output, found: Json, first: str, second: str) -> None:
    verdicts = {
        "first": f"{first} is better than {second}",
        "second": f"{first} is worse than {second}",
        "neither": f"no difference was found between {first} and {second}",
        "open": f"it is open yet whether {first} is better than {second}",
    }
    counts = f"after {found['boards']} of {found['planned']} boards"
    out.say(f"{verdicts[found['verdict']]}: {found['mean']:+.3f} points a deal, {counts} (lower is better)")
    if found["verdict"] == "neither":
        out.say(f"{found['planned']} boards show a difference of {found['detectable']:.3f} 9 times in 10")
    trace = found["trace"]
    every = max(1, -(-len(trace) // _SHOWN))
    columns = [
        Column("boards", "boards", right=True),
        Column("points a deal", lambda step: f"{step['mean']:+.3f}", right=True),
        Column("sure beyond", lambda step: f"±{step['outer']:.3f}", right=True),
        Column("given up within", lambda step: f"±{step['inner']:.3f}" if step["inner"] else "", right=True),
    ]
    shown = [step for number, step in enumerate(reversed(trace)) if number % every == 0][::-1]
    out.table(shown, columns, "too few boards to look")


def _verdict_run(site: Site, options: argparse.Namespace) -> int:
    return show_verdict(site, names.tournament(site.api, options.tournament))


VERDICT = at_server(
    add_tournament,
    _verdict_run,
    """\
Code 0: the first is better; 1: it is not, or not yet.

examples:
  polignac tournament duel 12
""",
)
DUEL = Command(_arguments, _run, _EXAMPLES)
