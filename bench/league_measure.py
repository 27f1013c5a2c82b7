"""What `bench.league` does once Django knows the database."""

import resource
import statistics
import time
from collections.abc import Iterator
from typing import Any

from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.test import Client
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from arena.rules import Rules
from arena.schedule.plan import Format
from bench import league_played
from bench.league_data import BOARDS, fill
from league.matches import recent
from league.matches.models import Match
from league.ratings.models import Pool, Rating, Snapshot
from league.ratings.selectors import lines
from league.ratings.services import recompute
from league.tournaments.models import Board, Group, Tournament

WANTED_MS = 100.0
#: How many snapshots the pool had before the current one.
SNAPSHOTS = 60
LEADERS = 5
LATEST_OF = (
    "match.id IN (SELECT match_id FROM matches_matchseat WHERE version_id = %s ORDER BY 1 DESC LIMIT %s)"
)
console = Console(highlight=False, soft_wrap=True)


def prepare(matches: int, bots: int) -> None:
    """An empty database becomes a league that is rated."""
    call_command("migrate", verbosity=0)
    began = time.monotonic()
    fill(matches, bots, console.print)
    console.print(f"filled in {time.monotonic() - began:.0f} s")
    scopes: list[Pool | Tournament] = [Pool.objects.get(), newest()]
    scopes += Tournament.objects.filter(format__in=(Format.SWISS, Format.DUEL))
    for scope in scopes:
        began = time.monotonic()
        snapshot = recompute(scope)
        most_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        assert snapshot is not None
        console.print(
            f"{scope}: {snapshot.matches:,} matches, {snapshot.versions} bots added up in "
            f"{time.monotonic() - began:.1f} s; this process had {most_mib:.0f} MiB at the most"
        )
    began = time.monotonic()
    _furnish()
    console.print(f"furnished for the pages in {time.monotonic() - began:.0f} s")


def _furnish() -> None:
    """What pages show beside rows that were drawn. Records: in the tournament that is looked at, and the
    latest of bots that are."""
    league_played.older_snapshots(SNAPSHOTS)
    rules = Rules.from_json(Pool.objects.get().rules)
    matches = league_played.play(rules, BOARDS)
    league_played.count_faults()
    leaders = leading()
    league_played.furnish(rules, matches[1, 0].record, leaders[0].version.bot.owner)
    league_played.give_records(matches, "match.tournament_id = %s", newest().pk)
    for row in leaders:
        league_played.give_records(matches, LATEST_OF, row.version_id, recent.LATEST)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def leading() -> list[Rating]:
    """Some of the ladder's best, best first, and the two of the duel."""
    snapshot = Snapshot.objects.get(current_of__pool__isnull=False)
    duel = Tournament.objects.get(format=Format.DUEL).options
    those = lines(snapshot).filter(version__in=(duel["first"], duel["second"]))
    return [*lines(snapshot)[:LEADERS], *those]


def measure(rounds: int) -> dict[str, Any]:
    """The median of each address, in ms, from the request to the last byte, without a network."""
    client = Client(raise_request_exception=True)
    grid = Grid(box=box.SIMPLE_HEAD, title=f"{Match.objects.count():,} matches", title_justify="left")
    for heading in ("", "ms, median", "longest"):
        grid.add_column(heading, justify="left" if not heading else "right")
    report: dict[str, Any] = {}
    for name, address in addresses(client):
        taken = [_ask(client, address) for _ in range(rounds)]
        median = statistics.median(taken)
        report[name] = {"median_ms": round(median, 1), "longest_ms": round(max(taken), 1)}
        grid.add_row(name, f"{median:.1f}", f"{max(taken):.1f}", style="" if median <= WANTED_MS else "bold")
    console.print(grid)
    slow = [name for name, row in report.items() if row["median_ms"] > WANTED_MS]
    console.print(f"over {WANTED_MS:.0f} ms: {', '.join(slow) or 'none'}")
    return report


def newest() -> Tournament:
    """The tournament that is looked at."""
    return Tournament.objects.filter(status="finished").order_by("-pk")[0]


def addresses(client: Client) -> Iterator[tuple[str, str]]:
    """What is asked: a name and an address."""
    pool, tournament = Pool.objects.get(), newest()
    snapshot = Snapshot.objects.get(current_of__pool=pool)
    rows = list(lines(snapshot)[:2])
    version, other = (row.version_id for row in rows)
    other_bot = rows[1].version.bot_id
    bot, owner = rows[0].version.bot_id, rows[0].version.bot.owner.username
    match = Match.objects.order_by("pk")[Match.objects.count() // 2].pk
    group = Group.objects.filter(tournament=tournament).order_by("number")[5].pk
    board = Board.objects.filter(group=group).order_by("number")[3].pk
    lists = (
        "bots/", "tournaments/", "pools/", "ratings/", f"ratings/?pool={pool.pk}", "ratings/?ordering=-elo",
        f"ratings/?owner={owner}", f"ratings/?bot={bot}", "matches/", "matches/?ordering=-id",
        "matches/?ordering=-played_at", f"matches/?tournament={tournament.pk}", f"matches/?bot={bot}",
        f"matches/?version={version}&ordering=-id", f"matches/?version={version}&bot={other_bot}",
        f"matches/?tournament={tournament.pk}&version={version}", f"matches/?board={board}",
        f"matches/?group={group}&ordering=-id", "matches/?page_size=200",
        f"pools/{pool.pk}/snapshots/", f"pools/{pool.pk}/snapshots/{snapshot.results_hash}/ratings/",
        *(f"tournaments/{tournament.pk}/{what}/" for what in
          ("standings", "crosstable", "entrants", "groups", "tables", "boards")),
        f"tournaments/{tournament.pk}/crosstable/?version={version}",
        f"pools/{pool.pk}/crosstable/?version={version}",
        "bots/?search=1", f"ratings/?pool={pool.pk}&search=1",
    )  # fmt: skip
    for path in lists:
        yield path, f"/api/v1/{path}"
        following = client.get(f"/api/v1/{path}").json()["next"]
        if following:
            yield f"{path}, second page", following
    for path in (
        f"tournaments/{tournament.pk}/", f"tournaments/{tournament.pk}/progress/", f"pools/{pool.pk}/",
        f"pools/{pool.pk}/history/{version}/", f"pools/{pool.pk}/head-to-head/{version}/{other}/",
        f"pools/{pool.pk}/snapshots/{snapshot.results_hash}/", f"matches/{match}/", f"boards/{board}/",
        f"versions/{version}/recent/",
    ):  # fmt: skip
        yield path, f"/api/v1/{path}"
    for path in ("matches.csv", f"matches.csv?bot={bot}", f"tournaments/{tournament.pk}/records.jsonl"):
        yield f"{path}, until it begins", f"/api/v1/{path}"  # all are counted before that (X-Total-Count)


def _ask(client: Client, address: str) -> float:
    cache.clear()  # nobody asks so often, and would be told to wait
    began = time.perf_counter()
    answer = client.get(address)
    taken = (time.perf_counter() - began) * 1000
    assert answer.status_code == 200, (address, answer.content[:300])
    return taken
