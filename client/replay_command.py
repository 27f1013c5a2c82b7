"""`polignac replay`: the command line of :mod:`client.replay`, and what it says."""

import argparse
import contextlib
import json
import sys
from dataclasses import asdict
from pathlib import Path

from arena.audit import Unsound, audit_bytes
from arena.record import Record
from client.arguments import FAILED, OK, Command, Sandbox, UsageError, add_json, add_sandbox, whole_number
from client.inert import printable
from client.replay import Compared, Difference, Recorded, play_again
from client.seats import find_bots

_EXAMPLES = """\
Your bot is asked everything that the seat's holder was asked, over the same cards. Its answers change
nothing: the match goes on as it was recorded, so every decision can be compared.

exit code: 0 when it was played again, 1 when the record is unsound or your bot failed, 2 when it can't be
read.

examples:
  polignac play mybot.py dodger counter --records r.jsonl && polignac replay r.jsonl --seat 0 --bot mybot.py
  polignac replay r.jsonl --line 7 --seat 2 --bot mybot/ --json
  polignac replay MATCH.json
      no bot: what was played, deal by deal
"""


def _run(options: argparse.Namespace) -> int:
    """Play a recorded match again, with a bot beside one of its seats; 1 when the bot failed."""
    if (options.seat is None) != (options.bot is None):
        raise UsageError("give --seat and --bot together: the bot is compared with that seat's holder")
    try:
        record = audit_bytes(_read(options.file, options.line))
    except Unsound as error:
        print(printable(f"{options.file}:{options.line}: {error}"), file=sys.stderr)
        return FAILED
    if options.bot is None:
        _tell(record)
        return OK
    if options.seat >= len(record.bots):
        raise UsageError(f"the match has seats 0 to {len(record.bots) - 1}, and no {options.seat}")
    if record.seed is None:
        raise UsageError("the record has no seed, so its cards can't be dealt again")
    (bot,) = find_bots([options.bot], Sandbox(options.sandbox))
    seats = [Recorded(record, seat) for seat in range(len(record.bots))]
    compared = seats[options.seat] = Compared(record, options.seat, bot.new_seat())
    if play_again(record, seats).to_bytes() != record.to_bytes():
        print("the record does not follow from its decisions: other rules for faults?", file=sys.stderr)
        return FAILED
    if options.json:
        differences = [asdict(difference) for difference in compared.differences]
        report = {"match": record.match, "seat": options.seat, "asked": compared.asked}
        print(json.dumps({**report, "differences": differences}, indent=2))
    else:
        _compare(record, options.seat, compared)
    return FAILED if any(difference.failed for difference in compared.differences) else OK


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="MATCH.json", help="a record, or several, one a line; - is stdin")
    parser.add_argument("--line", type=whole_number, default=1, metavar="N", help="which line (default 1)")
    parser.add_argument("--seat", type=_seat, metavar="N", help="the seat to put your bot beside, from 0")
    parser.add_argument("--bot", metavar="BOT", help="a reference player, a source file, a folder or a zip")
    add_sandbox(parser, "where your bot runs, as for play")
    add_json(parser, "print the differences as JSON")


def _seat(text: str) -> int:
    if text not in {"0", "1", "2", "3", "4", "5"}:
        raise argparse.ArgumentTypeError(f"{text!r} is no seat from 0 to 5")
    return int(text)


def _read(name: str, line: int) -> bytes:
    """One record; a file that is one record over several lines is taken whole."""
    with contextlib.ExitStack() as stack:
        try:
            file = sys.stdin.buffer if name == "-" else stack.enter_context(Path(name).open("rb"))
            data = file.read()
        except OSError as error:
            raise UsageError(f"{name}: {error.strerror}") from None
    if data.lstrip()[:2] in (b"{\n", b"{\r", b"{ "):
        return data
    lines = [each for each in data.splitlines() if each.strip()]
    if line > len(lines):
        raise UsageError(f"{name} has {len(lines)} records, and no line {line}")
    return lines[line - 1]


def _tell(record: Record) -> None:
    print(printable(f"match {record.match}: {', '.join(record.bots)}"))
    for deal in record.deals:
        kind = "play-off" if deal.playoff else "deal"
        bids = "".join(f", seat {seat} bids {bid}" for seat, bid in deal.bids if bid != "pass")
        points = ", ".join(f"{seat}: {points}" for seat, points in zip(deal.seats, deal.points, strict=True))
        print(f"{kind} {deal.number}{bids}; points by seat {points}")
    print(f"totals {list(record.totals)}, ranks {list(record.ranks)}, {len(record.faults)} faults")


def _compare(record: Record, seat: int, compared: Compared) -> None:
    for difference in compared.differences:
        print(printable(_line(difference)))
    same = compared.asked - sum(difference.deal > 0 for difference in compared.differences)
    label = record.bots[seat]
    print(printable(f"{same} of {compared.asked} decisions as {label} took them in match {record.match}"))


def _line(difference: Difference) -> str:
    if not difference.deal:
        return f"before the first deal: {difference.found}"
    where = f"deal {difference.deal}, " + (f"trick {difference.trick}" if difference.trick else "bidding")
    table = f"; on the table {' '.join(difference.table)}" if difference.table else ""
    choice = " ".join(difference.choice)
    return f"{where}: recorded {difference.recorded}, now {difference.found} (of {choice}{table})"


REPLAY = Command(_arguments, _run, _EXAMPLES)
