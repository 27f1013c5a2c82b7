"""What the server's verbs print: a table or sentences for people, or one JSON document."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from client.api import Json
from client.inert import printable

_WIDE = 10_000


class Column(NamedTuple):
    """A column of a table: its heading, and a row's cell, or the key of it."""

    heading: str
    cell: str | Callable[[Json], Any]
    right: bool = False

    def text(self, row: Json) -> Text:
        """The cell of a row; nothing in it can steer the terminal."""
        value = row[self.cell] if isinstance(self.cell, str) else self.cell(row)
        return Text("–" if value is None else printable(str(value)))


class Output:
    """Standard output. Under ``--json`` sentences and tables are left out, and `document` is all."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        console = Console(highlight=False)
        # A pipe has no edge: lines are cut or folded only where somebody looks at them.
        self.console = console if console.is_terminal else Console(highlight=False, width=_WIDE)

    def document(self, data: Any) -> None:
        """The answer, for programs."""
        if self.as_json:
            print(json.dumps(data, indent=2))

    def say(self, text: str) -> None:
        """A sentence, for people."""
        if not self.as_json:
            self.console.print(Text(printable(text)), soft_wrap=True)

    def rows(self, rows: Sequence[Json], columns: Sequence[Column], empty: str) -> None:
        """A list: as a table, or a sentence where it is empty."""
        self.document(list(rows))
        self.table(rows, columns, empty)

    def table(self, rows: Sequence[Json], columns: Sequence[Column], empty: str) -> None:
        """A table for people, or a sentence where it would be empty."""
        if self.as_json:
            return
        if not rows:
            self.say(empty)
            return
        grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in columns:
            heading = Text(printable(column.heading))
            grid.add_column(heading, justify="right" if column.right else "left", no_wrap=True)
        for row in rows:
            grid.add_row(*(column.text(row) for column in columns))
        self.console.print(grid)

    def fields(self, data: Json, columns: Sequence[Column]) -> None:
        """One thing: a line a field."""
        self.document(data)
        width = max(len(column.heading) for column in columns)
        for column in columns:
            self.say(f"{column.heading:<{width}}  {column.text(data).plain}")


def label(row: Json) -> str:
    """A version as records name it, `Dodger#3`: of a row that has the five keys of one."""
    return f"{row['bot']}#{row['version']}"


def span(row: Json, key: str, low: str, high: str, digits: int = 0) -> str:
    """A number and its interval: `1510 (1440–1580)`."""
    if row[key] is None:
        return "–"
    text = f"{row[key]:.{digits}f}"
    if row[low] is None or row[high] is None:
        return text
    return f"{text} ({row[low]:.{digits}f}–{row[high]:.{digits}f})"


def when(text: str | None) -> str | None:
    """A time of the API's, to the second and in UTC: `2026-11-30 19:33:07Z`."""
    return None if text is None else f"{text[:19].replace('T', ' ')}Z"
