"""`polignac tournament standings`, `ranking`, `crosstable`, `ladder` and `head-to-head`."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from time import sleep

from client.api import Api, Json
from client.arguments import OK, Failed
from client.server import names
from client.server.connection import Site, at_server
from client.server.live import states
from client.server.output import Column, label, span
from client.server.tournaments import add_tournament

_POLL_S = 5.0
_MATRIX = 12
_POINTS = Column("points a deal", lambda row: span(row, "points_per_deal", "points_low", "points_high", 3))
_COUNTS = (
    Column("matches", "matches", right=True),
    Column("wins", "wins", right=True),
    Column("faults", "faults", right=True),
)
_STANDING = (
    Column("", "place", right=True),
    Column("version", label),
    Column("owner", "owner"),
    Column("score", lambda row: span(row, "score", "score_low", "score_high", 3)),
    _POINTS,
    *_COUNTS,
)
_RATING = (
    Column("", "place", right=True),
    Column("version", label),
    Column("owner", "owner"),
    Column("Elo", lambda row: span(row, "elo", "elo_low", "elo_high")),
    Column("", lambda row: "provisional" if row["provisional"] else ""),
    _POINTS,
    *_COUNTS,
)
_RANK = (
    Column("", "rank", right=True),
    Column("version", label),
    Column("owner", "owner"),
    Column("rounds", "rounds", right=True),
    Column("score", lambda row: f"{row['score']:.3f}", right=True),
    Column(
        "points a deal", lambda row: None if row["points"] is None else f"{row['points']:.3f}", right=True
    ),
)


# -- a tournament's -------------------------------------------------------------------------------------


def _standings_arguments(parser: argparse.ArgumentParser) -> None:
    add_tournament(parser)
    parser.add_argument("--csv", action="store_true", help="print them as CSV, every column")


def _standings(site: Site, options: argparse.Namespace) -> int:
    tournament = names.tournament(site.api, options.tournament)
    if options.csv:
        for piece in site.api.export(f"tournaments/{tournament}/standings.csv"):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
        return OK
    site.out.rows(list(site.api.standings(tournament)), _STANDING, "no block is complete yet")
    return OK


STANDINGS = at_server(
    _standings_arguments,
    _standings,
    """\
Score is the share of opponents left behind; in brackets the 95 % intervals.

examples:
  polignac tournament standings Tuesday
  polignac tournament standings Tuesday --csv > tuesday.csv
""",
)


def _ranking(site: Site, options: argparse.Namespace) -> int:
    ranking = site.api.ranking(names.tournament(site.api, options.tournament))
    site.out.rows(ranking, _RANK, "nobody has entered yet")
    return OK


RANKING = at_server(
    add_tournament,
    _ranking,
    "The order that a swiss or a knockout has of its own.\n\nexamples:\n  polignac tournament ranking Cup\n",
)


def _crosstable(site: Site, options: argparse.Namespace) -> int:
    pairs = list(site.api.cross_table(names.tournament(site.api, options.tournament)))
    site.out.document(pairs)
    order = {row[side]["version_id"]: label(row[side]) for row in pairs for side in ("one", "other")}
    if len(order) > _MATRIX:
        site.out.table(pairs, _PAIR, "")
        return OK
    score = {}
    for row in pairs:
        one, other = row["one"]["version_id"], row["other"]["version_id"]
        if row["score"] is not None:
            score[one, other], score[other, one] = row["score"], 1 - row["score"]

    def cell(other: int) -> Column:
        def text(row: Json) -> str:
            share = score.get((row["id"], other))
            return "" if share is None else f"{100 * share:.0f} %"

        return Column(str(1 + list(order).index(other)), text, right=True)

    rows = [{"id": each, "place": place, "version": order[each]} for place, each in enumerate(order, 1)]
    columns = [Column("", "place", right=True), Column("version", "version"), *map(cell, order)]
    site.out.table(rows, columns, "nobody has met anybody yet")
    return OK


_PAIR = (
    Column("one", lambda row: label(row["one"])),
    Column("other", lambda row: label(row["other"])),
    *(Column(name, name, right=True) for name in ("matches", "won", "drawn", "lost")),
)

CROSSTABLE = at_server(
    add_tournament,
    _crosstable,
    """\
The share that the one of the row won against that of the column, drawn ones half; for more than twelve
versions a list of pairs.

examples:
  polignac tournament crosstable Tuesday
""",
)


# -- a pool's -------------------------------------------------------------------------------------------


def _ladder_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pool", metavar="POOL", help="one list: its id, or polignac/4 (default: all)")
    parser.add_argument("--watch", action="store_true", help="show it anew whenever it changes")


def _ladder(site: Site, options: argparse.Namespace) -> int:
    pool = None if options.pool is None else names.pool(site.api, options.pool)
    shown = None
    for _ in _changes(site.api, pool) if options.watch else (None,):
        ratings = list(site.api.ratings(pool))
        if ratings != shown:
            shown = ratings
            if options.watch and site.out.console.is_terminal:
                site.out.console.clear()
            _show_ladder(site, ratings)
    return OK


def _changes(api: Api, pool: int | None) -> Iterator[object]:
    """Something now, and whenever a list may have changed; all together are asked for again and again."""
    if pool is not None:
        yield from states(api, f"pools/{pool}", partial(api.pool, pool), _nap)
    while True:
        yield None
        _nap()


def _nap() -> None:
    sleep(_POLL_S)


def _show_ladder(site: Site, ratings: Sequence[Json]) -> None:
    site.out.document(list(ratings))
    if not ratings:
        site.out.say("nothing is rated yet")
    pools = {} if site.out.as_json else {pool["id"]: pool for pool in site.api.pools()}
    for number, lines in groupby(ratings, key=lambda row: row["pool"]):
        pool = pools.get(number)
        if pool is not None:
            site.out.say(f"pool {number}: {pool['variant']}, {pool['players']} players")
        site.out.table(list(lines), _RATING, "")


LADDER = at_server(
    _ladder_arguments,
    _ladder,
    """\
In brackets the 95 % intervals; don't decide anything by a provisional number.

examples:
  polignac ladder
  polignac ladder --pool polignac/4 --watch
""",
)


def _head_to_head_arguments(parser: argparse.ArgumentParser) -> None:
    for name in ("A", "B"):
        parser.add_argument(name.lower(), metavar=name, help="a version: its id, Name, or Name#3")
    parser.add_argument(
        "--pool", metavar="POOL", help="which list: its id, or polignac/4 (default: the one that has both)"
    )


def _head_to_head(site: Site, options: argparse.Namespace) -> int:
    one, other = (names.version(site.api, text) for text in (options.a, options.b))
    pool = _common_pool(site.api, one, other) if options.pool is None else names.pool(site.api, options.pool)
    found = site.api.head_to_head(pool, one, other)
    site.out.document(found)
    for line in _compared(found):
        site.out.say(line)
    return OK


def _common_pool(api: Api, one: int, other: int) -> int:
    mine, theirs = ({row["pool"] for row in api.ratings(version=each)} for each in (one, other))
    both = sorted(mine & theirs)
    if len(both) == 1:
        return int(both[0])
    if not both:
        raise Failed("no pool has a rating of both")
    raise Failed(f"both are rated in the pools {', '.join(map(str, both))}: choose one with --pool")


def _compared(found: Json) -> Iterator[str]:
    meeting, comparison = found["meeting"], found["comparison"]
    one, other = label(meeting["one"]), label(meeting["other"])
    counts = f"{meeting['won']} won, {meeting['drawn']} drawn, {meeting['lost']} lost"
    yield f"{one} against {other}: {meeting['matches']} matches, {counts}"
    if comparison is None:
        yield "No chain of matches links the two: they can't be compared."
        return
    chance = comparison["chance"]
    likely = (
        "more than 99.9 %" if chance > 0.999 else "less than 0.1 %" if chance < 0.001 else f"{chance:.1%}"
    )
    lead = _signed(comparison, "lead", 0)
    yield f"By their ratings {one} leads by {lead} Elo, and is the better one with a probability of {likely}."
    if comparison["boards"]:
        yield f"About {comparison['boards']} boards more of each, and that is likely to be sure."
    common = found.get("common")
    if common and common["points"] is not None:
        points = _signed(common, "points", 3)
        yield f"On {common['boards']} common boards it took {points} points a deal more (fewer is better)."


def _signed(row: Json, key: str, digits: int) -> str:
    """A difference and its interval: `-0.25 (-0.31 to -0.19)`."""
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    ends = "" if low is None or high is None else f" ({low:+.{digits}f} to {high:+.{digits}f})"
    return f"{row[key]:+.{digits}f}{ends}"


HEAD_TO_HEAD = at_server(
    _head_to_head_arguments,
    _head_to_head,
    "examples:\n  polignac head-to-head Heron Dodger\n  polignac head-to-head Heron#2 Heron#3 --pool 1\n",
)
