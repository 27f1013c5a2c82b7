"""`polignac play`: the command line of :mod:`client.play`."""

import argparse
import contextlib
import functools
import secrets
import string
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from rich.console import Console

from arena.players import REFERENCE
from arena.protocol import ClockLimits
from arena.rules import Rules, RulesError
from client.arguments import (
    OK,
    Arguments,
    Command,
    Sandbox,
    UsageError,
    add_json,
    add_pairs,
    add_sandbox,
    whole_number,
)
from client.play import Contest, Played, Tally, count, play, write_logs
from client.progress import bar
from client.report import as_json, show
from client.seats import find_bots

_EXAMPLES = """\
examples:
  polignac play lowest random dodger counter
      one match among four of the reference players
  polignac play mybot.py dodger dodger counter --boards 20 --rotate
      your bot on 20 boards, each at all four seatings: every bot holds every hand, so luck cancels
  polignac play mybot/ random lowest --rules variant=knaves threshold=20 bids=
      another game, three players, nobody may announce
  polignac play mybot.zip dodger counter --records r.jsonl && polignac audit r.jsonl
      keep the records, and check them
"""
SANDBOXES = (
    "auto: your bots in the best sandbox there is, reference players in this process; bubblewrap or"
    " docker: all bots in it; none: your bots as plain processes, which nothing confines"
)


def _arguments(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(REFERENCE)
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help=f"a reference player ({names}), or the path of a source file, a folder or a zip; 3 to 6 of them,"
        " the same one more than once if you like",
    )
    add_pairs(
        parser,
        "--rules",
        "options by the names of docs/rules.md: lists with commas (bids=capot,general; bids= for none),"
        " points as card_points=JS:2,JD:1. The number of players is the number of BOTs",
    )
    parser.add_argument(
        "--boards", type=whole_number, default=1, metavar="N", help="boards, a match each (default 1)"
    )
    parser.add_argument(
        "--rotate", action="store_true", help="play each board at all seatings, each with fresh processes"
    )
    add_seed(parser)
    add_sandbox(parser, SANDBOXES)
    add_clock(parser)
    parser.add_argument(
        "--records", type=Path, metavar="FILE", help="write a record of each match, one a line (JSON Lines)"
    )
    parser.add_argument(
        "--logs",
        type=Path,
        metavar="FOLDER",
        help="write what each bot prints to its standard error to a file of its name in this folder",
    )
    add_json(parser, "print the results as JSON, not as a table")


def add_seed(parser: Arguments) -> None:
    """Add ``--seed``."""
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="HEX",
        help="32 bytes in hex that all cards follow from (default: drawn at random, and told)",
    )


def add_clock(parser: Arguments) -> None:
    """Add the options of a bot's time; `clock_of` reads them."""
    clock = ClockLimits()
    for option, default, text in (
        ("start", clock.start_ms, "from launch to ready"),
        ("move", clock.move_ms, "for each decision"),
        ("bank", clock.bank_ms, "a reserve for each match"),
    ):
        parser.add_argument(
            f"--{option}-ms",
            type=whole_number,
            default=default,
            metavar="MS",
            help=f"{text}, in milliseconds (default {default})",
        )


def clock_of(options: argparse.Namespace) -> ClockLimits:
    """What each bot's time is."""
    return ClockLimits(start_ms=options.start_ms, move_ms=options.move_ms, bank_ms=options.bank_ms)


def _run(options: argparse.Namespace) -> int:
    """Play bots against each other and report."""
    contest = Contest(
        rules=rules_for(options.rules, len(options.bots)),
        bots=find_bots(options.bots, Sandbox(options.sandbox)),
        clock=clock_of(options),
        seed=options.seed or secrets.token_bytes(32),
        boards=options.boards,
        rotate=options.rotate,
    )
    tallies = [Tally(bot.label) for bot in contest.bots]
    takers: list[Callable[[Played], None]] = [functools.partial(count, tallies)]
    with contextlib.ExitStack() as stack:
        if options.records is not None:
            takers.append(functools.partial(_write_record, stack.enter_context(_new_file(options.records))))
        if options.logs is not None:
            _make_folder(options.logs, [f"{tally.label}.log" for tally in tallies])
            takers.append(functools.partial(write_logs, options.logs, contest.bots))
        progress = stack.enter_context(bar("matches"))
        task = progress.add_task("playing", total=contest.matches)
        for played in stack.enter_context(contextlib.closing(play(contest))):
            for take in takers:
                take(played)
            progress.advance(task)
    if options.json:
        print(as_json(contest, tallies))
    else:
        show(Console(highlight=False), contest, tallies)
    return OK


def rules_for(texts: Sequence[str], bots: int) -> Rules:
    """The rules for as many players as there are bots. Raises UsageError."""
    for text in texts:
        key, _, value = text.partition("=")
        if key == "players" and value != str(bots):
            raise UsageError(f"{text}, but {bots} bots are named; leave players out, or name {value} bots")
    try:
        return Rules.from_texts([text for text in texts if not text.startswith("players=")], players=bots)
    except RulesError as error:
        if error.option != "players":
            raise UsageError(str(error)) from None
        raise UsageError(f"{bots} bots are named, and the game needs {error.allowed}") from None


def _new_file(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from None


def _write_record(file: BinaryIO, played: Played) -> None:
    file.write(played.record.to_bytes() + b"\n")
    file.flush()


def _make_folder(folder: Path, without: Sequence[str]) -> None:
    """Make a folder, or take the one that is there; files of these names in it are removed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in without:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror}") from None


def _seed(text: str) -> bytes:
    if len(text) != 64 or not set(text) <= set(string.hexdigits):
        raise argparse.ArgumentTypeError(f"{text!r} is not 64 hexadecimal digits")
    return bytes.fromhex(text)


PLAY = Command(_arguments, _run, _EXAMPLES)
