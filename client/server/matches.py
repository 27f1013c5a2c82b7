"""`polignac match` and `pull`: what was played, to look at and to take home."""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from client.arguments import OK, UsageError
from client.progress import bar
from client.server import names
from client.server.connection import Site, at_server
from client.server.output import Column, label, when

_SEAT = (
    Column("seat", "seat", right=True),
    Column("version", label),
    Column("owner", "owner"),
    Column("rank", "rank", right=True),
    Column("points", "total", right=True),
    Column("faults", "faults", right=True),
    Column("", lambda row: "vacated" if row["vacated"] else ""),
)


def _match_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", type=int, metavar="ID", help="a match's id")


def _match(site: Site, options: argparse.Namespace) -> int:
    match = site.api.match(options.match)
    site.out.document(match)
    site.out.say(
        f"match {match['id']} of tournament {match['tournament']}: group {match['group']}, board"
        f" {match['board']}, seating {match['seating']}; {match['deals']} deals, {when(match['played_at'])}"
    )
    site.out.table(match["seats"], _SEAT, "")
    return OK


MATCH = at_server(_match_arguments, _match, "examples:\n  polignac match 345\n")


def _pull_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("matches", nargs="*", type=int, metavar="ID", help="matches' ids")
    parser.add_argument("--tournament", metavar="TOURNAMENT", help="all matches of this one, by id or name")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="where to (default: the standard output)"
    )


def _pull(site: Site, options: argparse.Namespace) -> int:
    if bool(options.matches) == bool(options.tournament):
        raise UsageError("name matches by their ids, or a tournament with --tournament")
    wanted: list[int] = options.matches
    if options.tournament:
        wanted = [row["id"] for row in site.api.matches(names.tournament(site.api, options.tournament))]
    first = site.api.record(wanted[0]) if wanted else b""  # before a file is made that would be empty
    with _file(options.output) as file, bar("records") as progress:
        for match in progress.track(wanted, description="pulling"):
            record = first if match == wanted[0] else site.api.record(match)
            file.write(record + b"\n")
        file.flush()
    if options.output:
        site.out.document({"records": len(wanted), "file": str(options.output)})
        site.out.say(f"{len(wanted)} {'record' if len(wanted) == 1 else 'records'} in {options.output}")
    return OK


@contextlib.contextmanager
def _file(path: Path | None) -> Iterator[BinaryIO]:
    if path is None:
        yield sys.stdout.buffer
        return
    try:
        file = path.open("wb")
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from None
    with file:
        yield file


PULL = at_server(
    _pull_arguments,
    _pull,
    """\
Records are public when their tournament is over: one a line, byte for byte as they were stored.

examples:
  polignac pull 345 | polignac audit -
  polignac pull 345 -o m.json && polignac replay m.json --seat 0 --bot mybot.py
  polignac pull --tournament Tuesday -o tuesday.jsonl && polignac audit tuesday.jsonl
""",
)
