"""`make bench`: a table for people, and the same as JSON in var/bench.json."""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from contextlib import AbstractContextManager, ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table as Grid

from bench import cores, engine, league, ratings, tables
from bench.measure import Speed, race
from sandbox.cores import own_core
from sandbox.session import Backend

FLOOR_DEALS_A_SECOND = 20_000  # what the engine must reach on the machine of docs/performance.md

console = Console(highlight=False, soft_wrap=True)


def main() -> int:
    """Measure, print, write. Gives 0: speed is for reading, not a test."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=41, help="turns of each contender (default 41)")
    parser.add_argument("--round-s", type=float, default=0.1, help="seconds of a turn (default 0.1)")
    parser.add_argument("--without-openspiel", action="store_true", help="don't install and compare")
    parser.add_argument("--league-matches", type=int, default=1_000_000, help="how full the league is")
    parser.add_argument("--league-rounds", type=int, default=15, help="times that each of its pages is asked")
    parser.add_argument("--json", type=Path, default=engine.ROOT / "var" / "bench.json", metavar="FILE")
    options = parser.parse_args()
    report = {
        "machine": machine(),
        "engine": bench_engine(options),
        "referee": bench_referee(options),
        "sandboxes": bench_sandboxes(options),
        "ratings": ratings.bench(options.rounds, rivals=not options.without_openspiel),
        "league": league.bench(options.league_matches, options.league_rounds),
    }
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(report, indent=2) + "\n")
    console.print(f"As JSON: {options.json}")
    return 0


def machine() -> dict[str, Any]:
    """Where this was measured, and how busy it was with other things."""
    models = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    found = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": models[0] if models else platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "kernel": platform.release(),
    }
    console.print(", ".join(f"{key} {value}" for key, value in found.items()))
    return found


def bench_engine(options: argparse.Namespace) -> dict[str, Any]:
    """Our engine and OpenSpiel's, taking turns in this process."""
    games = [engine.polignac()]
    if not options.without_openspiel:
        pyspiel, reason = engine.find_openspiel()
        if pyspiel is None:
            console.print(f"OpenSpiel can't be had here, so there is nothing to compare with: {reason}")
        else:
            games += engine.openspiel_games(pyspiel)
    speeds = race({game.name: game.play for game in games}, options.rounds, options.round_s)
    ours = speeds[games[0].name]
    grid = table(
        "Whole deals, random legal play, one process", "deals/s", "best", "ns a card", "deals", "cards"
    )
    rows = {}
    for game in games:
        speed = speeds[game.name]
        deals = ours.faster_than(speed)
        cards = deals * games[0].cards / game.cards
        ns_a_card = speed.ns_each(game.cards)
        rows[game.name] = {
            "deals_a_second": round(speed.deals_a_second),
            "deals_a_second_best": round(speed.best),
            "cards": game.cards,
            "ns_a_card": round(ns_a_card),
            "we_play_deals": round(deals, 2),
            "we_play_cards": round(cards, 2),
        }
        grid.add_row(*cells(game.name, speed), f"{ns_a_card:,.0f}", f"{deals:.2f} ×", f"{cards:.2f} ×")
    console.print(grid)
    console.print("deals, cards: how many this engine plays while the other plays one.")
    reached = "reached" if ours.best >= FLOOR_DEALS_A_SECOND else "not reached in this run"
    console.print(f"The floor of {FLOOR_DEALS_A_SECOND:,} deals a second is {reached}.\n")
    return rows


def bench_referee(options: argparse.Namespace) -> dict[str, Any]:
    """What a decision costs beside the bots."""
    with tables.instant() as instant, tables.codec() as codec, tables.in_process("lowest") as lowest:
        contenders = {
            "referee, questions encoded, replies parsed": codec.play,
            "referee, seats that answer at once": instant.play,
            "referee, `lowest` in this process": lowest.play,
            "encode a question, parse a reply": tables.codec_work(),
        }
        speeds = race(contenders, options.rounds, options.round_s)
    grid = table("The referee, four players", "deals/s", "best", "µs a decision")
    rows = {}
    for name, speed in speeds.items():
        us = speed.ns_each(tables.DECISIONS) / 1000
        rows[name] = {"deals_a_second": round(speed.deals_a_second), "us_a_decision": round(us, 2)}
        grid.add_row(*cells(name, speed), f"{us:.2f}")
    console.print(grid)
    return rows


def bench_sandboxes(options: argparse.Namespace) -> dict[str, Any]:
    """Four trivial bots under each backend that works here; by the clock on the wall."""
    grid = table("Four trivial bots in sandboxes", "deals/s", "best", "µs a decision", "best", "of the floor")
    rows: dict[str, Any] = {}
    working: list[tuple[str, Backend]] = []
    for name, backend, reason in tables.backends():
        if backend is None:
            rows[name] = {"reason": reason}
            console.print(f"{name} does not work here: {reason}")
            continue
        speeds = race_sandboxes(name, backend, options)
        floor = speeds[f"{name}, no referee, one core"]
        for label, speed in speeds.items():
            us = speed.ns_each(tables.DECISIONS) / 1000
            best_us = 1e6 / speed.best / tables.DECISIONS
            times = floor.faster_than(speed)
            rows[label] = {
                "deals_a_second": round(speed.deals_a_second),
                "deals_a_second_best": round(speed.best),
                "us_a_decision": round(us, 1),
                "us_a_decision_best": round(best_us, 1),
                "times_the_floor": round(times, 2),
            }
            grid.add_row(*cells(label, speed), f"{us:.1f}", f"{best_us:.1f}", f"{times:.2f} ×")
        working.append((name, backend))
    console.print(grid)
    for name, backend in working:
        start = statistics.median(tables.start_ms(backend))
        rows[f"{name}, Python, one core"]["start_ms"] = round(start, 1)
        console.print(f"{name}: {start:.0f} ms from launch to ready")
        if len(os.sched_getaffinity(0)) > 1:
            ratio, one, both = cores.two_against_one(
                name, options.rounds, max(1, round(300 * options.round_s))
            )
            rows[f"{name}, tables in processes of their own"] = {
                "deals_a_second": round(one),
                "two_deals_a_second": round(both),
                "two_times_one": round(ratio, 2),
            }
            console.print(
                f"{name}: a table in a process of its own plays {one:,.0f} deals/s, "
                f"two on two cores {ratio:.2f} × as much: {both:,.0f} deals/s"
            )
    return rows


def race_sandboxes(name: str, backend: Backend, options: argparse.Namespace) -> dict[str, Speed]:
    """All contenders of one backend in one race."""
    python = tables.python_bot()
    cheap = tables.c_bot() or python
    with ExitStack() as stack:
        core = stack.enter_context(own_core())
        if core is None:
            console.print(f"{name}: other tables have all cores, so these figures are not those of one core")
        work: dict[str, AbstractContextManager[tables.Contender]] = {
            f"{name}, Python, one core": tables.sandboxed(backend, python, core),
            f"{name}, C, one core": tables.sandboxed(backend, cheap, core),
            f"{name}, no referee, one core": tables.Floor(backend, cheap, core),
        }
        entered = {label: stack.enter_context(contender).play for label, contender in work.items()}
        speeds = race(entered, options.rounds, options.round_s, time.perf_counter)
    return speeds


def table(title: str, *headings: str) -> Grid:
    """An empty table."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left")
    grid.add_column("")
    for heading in headings:
        grid.add_column(heading, justify="right")
    return grid


def cells(name: str, speed: Speed) -> tuple[str, str, str]:
    """A row's first cells: median and best."""
    return name, f"{speed.deals_a_second:,.0f}", f"{speed.best:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
