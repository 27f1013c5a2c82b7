"""`polignac match` and `pull`: what was played, to look at and to take home."""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from client.arguments import LATER, OK, Failed, UsageError
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
    total, pieces = _of_tournament(site, options) if options.tournament else _of_matches(site, options)
    first = next(pieces, b"")  # before a file is made that would be empty
    with _file(options.output) as file, bar("records") as progress:
        task = progress.add_task("pulling", total=total)
        pulled = 0
        for piece in chain([first], pieces):
            file.write(piece)
            records = piece.count(b"\n")
            pulled += records
            progress.advance(task, records)
        file.flush()
    if pulled < total:
        raise Failed(f"only {pulled} of {total} records came: pull them again", LATER)
    if options.output:
        site.out.document({"records": pulled, "file": str(options.output)})
        site.out.say(f"{pulled} {'record' if pulled == 1 else 'records'} in {options.output}")
    return OK


def _of_matches(site: Site, options: argparse.Namespace) -> tuple[int, Iterator[bytes]]:
    """How many records there will be, and these."""
    return len(options.matches), (site.api.record(match) + b"\n" for match in options.matches)


def _of_tournament(site: Site, options: argparse.Namespace) -> tuple[int, Iterator[bytes]]:
    tournament = names.tournament(site.api, options.tournament)
    planned = site.api.progress(tournament)["matches"]
    return planned, site.api.export(f"tournaments/{tournament}/records.jsonl")


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
