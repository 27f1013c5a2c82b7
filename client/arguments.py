"""The command line of `polignac`: what may be written, and the help that says so."""

import argparse
import string
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import NoReturn

from arena.players import REFERENCE
from arena.protocol import ClockLimits
from client.seats import Sandbox

PROG = "polignac"

COMMANDS = {
    "new": "write a first bot, in any of the languages, into a folder of its own",
    "check": "check a bot as the league checks an upload",
    "play": "play bots against each other on this machine",
    "replay": "play a recorded match again, and see where another bot would differ",
    "audit": "check match records without trusting whoever played them",
}

_PLAY_EXAMPLES = """\
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

_AUDIT_EXAMPLES = """\
exit code: 0 when every record is sound, 1 when one is not, 2 when a file can't be read or holds none.

examples:
  polignac audit r.jsonl
  curl -s https://league.example/…/record | polignac audit -
"""


class UsageError(Exception):
    """The command line can't be acted on; the text says what would be right."""


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing its whole usage at every slip."""

    def __init__(self, command: str, examples: str) -> None:
        super().__init__(
            prog=f"{PROG} {command}",
            description=COMMANDS[command][0].upper() + COMMANDS[command][1:] + ".",
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def add_sandbox(parser: argparse.ArgumentParser, text: str) -> None:
    """Add ``--sandbox``, with a help text."""
    choices = [choice.value for choice in Sandbox]
    parser.add_argument("--sandbox", choices=choices, default=Sandbox.AUTO.value, help=text)


def overview() -> str:
    """What `polignac` alone prints."""
    commands = "\n".join(f"  {name:<7} {text}" for name, text in COMMANDS.items())
    return dedent("""\
        usage: {prog} COMMAND …

        Polignac for programs: the same engine, referee and sandbox as the league, at home.

        commands:
        {commands}

        {prog} COMMAND --help says more, with examples.""").format(prog=PROG, commands=commands)


def parse_play(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of `play`.

    Raises:
        UsageError: they make no sense.
    """
    parser = Parser("play", _PLAY_EXAMPLES)
    names = ", ".join(REFERENCE)
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help=f"a reference player ({names}), or the path of a source file, a folder or a zip; 3 to 6 of them,"
        " the same one more than once if you like",
    )
    parser.add_argument(
        "--rules",
        action="append",
        default=[],
        metavar="key=value …",
        help="options by the names of docs/rules.md: lists with commas (bids=capot,general; bids= for none),"
        " points as card_points=JS:2,JD:1. The number of players is the number of BOTs",
    )
    parser.add_argument(
        "--boards",
        type=whole_number,
        default=1,
        metavar="N",
        help="boards, a match each (default 1)",
    )
    parser.add_argument(
        "--rotate", action="store_true", help="play each board at all seatings, each with fresh processes"
    )
    parser.add_argument(
        "--seed",
        type=_seed,
        metavar="HEX",
        help="32 bytes in hex that all cards follow from (default: drawn at random, and told)",
    )
    add_sandbox(
        parser,
        "auto: your bots in the best sandbox there is, reference players in this process; bubblewrap or"
        " docker: all bots in it; none: your bots as plain processes, which nothing confines",
    )
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
    parser.add_argument(
        "--records", type=Path, metavar="FILE", help="write a record of each match, one a line (JSON Lines)"
    )
    parser.add_argument(
        "--logs",
        type=Path,
        metavar="FOLDER",
        help="write what each bot prints to its standard error to a file of its name in this folder",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON, not as a table")
    return parser.parse_intermixed_args(_spread_rules(arguments))


def parse_audit(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of `audit`.

    Raises:
        UsageError: they make no sense.
    """
    parser = Parser("audit", _AUDIT_EXAMPLES)
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="match records, one a line (JSON Lines); - is standard input"
    )
    return parser.parse_intermixed_args(list(arguments))


def _spread_rules(arguments: Sequence[str]) -> list[str]:
    """`--rules a=1 b=2 BOT` as `--rules=a=1 --rules=b=2 BOT`: the values end where there is no `=`."""
    spread = []
    in_rules = False
    for argument in arguments:
        if argument == "--rules":
            in_rules = True
        elif in_rules and "=" in argument and not argument.startswith("-"):
            spread.append(f"--rules={argument}")
        else:
            in_rules = False
            spread.append(argument)
    return spread


def whole_number(text: str) -> int:
    """A whole number from 1 to a million; for argparse."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1_000_000):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 1000000")
    return int(text)


def _seed(text: str) -> bytes:
    if len(text) != 64 or not set(text) <= set(string.hexdigits):
        raise argparse.ArgumentTypeError(f"{text!r} is not 64 hexadecimal digits")
    return bytes.fromhex(text)
