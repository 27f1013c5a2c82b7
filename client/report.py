"""What `polignac play` says at the end: a table for people, or JSON."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from client.inert import printable
from client.play import Contest, Tally
from client.seats import Bot

_FAULTS_SHOWN = 5
_LOG_LINES = 12
_HERE = "in-process"


def as_json(contest: Contest, tallies: Sequence[Tally]) -> str:
    """The results as one JSON object, indented."""
    report: dict[str, Any] = {
        "rules": contest.rules.to_json(),
        "seed": contest.seed.hex(),
        "boards": contest.boards,
        "seatings": len(contest.seatings),
        "matches": tallies[0].matches,
        "bots": [
            {
                "bot": tally.label,
                "sandbox": bot.confined_by,
                "points_a_deal": round(tally.points_a_deal, 4),
                "mean_rank": round(tally.mean_rank, 4),
                "wins": tally.wins,
                "matches": tally.matches,
                "deals": tally.deals,
                "clock": _clock_of(tally, bot),
                "faults": [{"match": f.match, **msgspec.to_builtins(f.fault)} for f in tally.faults],
            }
            for tally, bot in zip(tallies, contest.bots, strict=True)
        ],
    }
    return json.dumps(report, indent=2)


def _clock_of(tally: Tally, bot: Bot) -> dict[str, Any] | None:
    """What its decisions were charged; None for a bot in this process, which has no clock."""
    if bot.confined_by == _HERE or tally.longest is None or tally.mean_ms is None:
        return None
    match, row = tally.longest
    where = {"match": match, "deal": row.deal, "trick": row.trick, "seat": row.seat}
    return {"mean_ms": round(tally.mean_ms, 3), "longest_ms": row.charged_ms, "longest": where}


def show(console: Console, contest: Contest, tallies: Sequence[Tally]) -> None:
    """Print the table, the faults and how to repeat it."""
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column("bot")
    for heading in ("points a deal", "mean rank", "wins", "faults"):
        grid.add_column(heading, justify="right")
    for tally in sorted(tallies, key=lambda tally: (tally.mean_rank, tally.points_a_deal)):
        cells = (f"{tally.points_a_deal:.3f}", f"{tally.mean_rank:.2f}", str(tally.wins))
        style = "red" if tally.faults else ""
        grid.add_row(Text(tally.label), *cells, Text(str(len(tally.faults)), style))
    _line(console, _heading(contest, tallies[0]))
    console.print(grid)
    for tally, bot in zip(tallies, contest.bots, strict=True):
        _show_faults(console, tally)
        if clock := _clock_of(tally, bot):
            at = "match {match}, deal {deal}, trick {trick}, seat {seat}".format(**clock["longest"])
            times = f"{clock['mean_ms']:.2f} ms a decision, {clock['longest_ms']:.2f} ms the longest"
            _line(console, f"{tally.label}'s clock: {times} ({at})")
    where = {bot.label: bot.confined_by for bot in contest.bots if bot.confined_by != _HERE}
    if where:
        _line(console, "sandbox: " + ", ".join(f"{label} {name}" for label, name in where.items()))
    _line(console, f"the same boards again: --seed {contest.seed.hex()}")


def _heading(contest: Contest, tally: Tally) -> str:
    rules = contest.rules
    return (
        f"{rules.variant}, {_number(rules.players, 'player')}: {_number(contest.boards, 'board')}"
        f" at {_number(len(contest.seatings), 'seating')},"
        f" {_number(tally.matches, 'match')}, {_number(tally.deals, 'deal')}"
    )


def _number(count: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{count} {noun if count == 1 else plural}"


def _show_faults(console: Console, tally: Tally) -> None:
    for fault in tally.faults[:_FAULTS_SHOWN]:
        told = fault.fault
        action = "" if told.action is None else f"; the referee chose {told.action} instead"
        where = f"match {fault.match}, deal {told.deal}, trick {told.trick}, seat {told.seat}"
        _line(console, f"{tally.label}: {told.kind} in {where}: {told.detail}{action}")
    more = len(tally.faults) - _FAULTS_SHOWN
    if more > 0:
        _line(console, f"{tally.label}: {more} more; --json lists them all")
    logged = next((fault for fault in tally.faults if fault.log.strip()), None)
    if logged is not None:
        lines = logged.log.rstrip().splitlines()
        cut = " ends with" if len(lines) > _LOG_LINES else ""
        _line(console, f"{tally.label}'s standard error in match {logged.match}{cut}:")
        for line in lines[-_LOG_LINES:]:
            _line(console, f"    {line}")


def _line(console: Console, text: str) -> None:
    """Print plain text: no markup, no wrapping, and nothing in it that could steer the terminal."""
    console.print(Text(printable(text)), soft_wrap=True)
