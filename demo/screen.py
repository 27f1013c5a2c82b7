"""What the demo shows: lines, a bar on a terminal and plain lines elsewhere, and the Elo table."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

console = Console(highlight=False)
LINES = 10  # of progress, where there is no terminal


class Advance(Protocol):
    """Tells how much is done by now."""

    def __call__(self, done: int) -> None: ...


def say(text: str) -> None:
    """A line, or several, as they are."""
    console.print(text, soft_wrap=True, markup=False)


@contextmanager
def progress(title: str, total: int) -> Iterator[Advance]:
    """Show how far something is, until the context ends."""
    with _bar(title, total) if console.is_terminal else _lines(title, total) as advance:
        yield advance


@contextmanager
def _bar(title: str, total: int) -> Iterator[Advance]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def _lines(title: str, total: int) -> Iterator[Advance]:
    shown = 0

    def advance(done: int) -> None:
        nonlocal shown
        if done * LINES // total > shown:
            shown = done * LINES // total
            console.print(f"{title}: {done} of {total}")

    yield advance


def show_ratings(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """The Elo table: one row a bot, each figure with its 95 % interval."""
    table = Table(title=title, title_justify="left")
    table.add_column("Place", justify="right")
    table.add_column("Bot")
    for heading in ("Elo", "95 %", "Points", "95 %", "Matches"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            str(row["place"]),
            str(row["bot"]),
            f"{row['elo']:.0f}",
            f"{row['elo_low']:.0f} to {row['elo_high']:.0f}",
            f"{row['points_per_deal']:.2f}",
            _between(row["points_low"], row["points_high"]),
            str(row["matches"]),
        )
    console.print(table)


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"
