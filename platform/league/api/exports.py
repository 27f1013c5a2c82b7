"""Whole lists as CSV or JSON Lines, streamed: page after page, so that memory stays the same however long.

A cell that a spreadsheet would take for a formula is defused with an apostrophe.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from rest_framework.utils.encoders import JSONEncoder

from league.api.pagination import after, terms_of

Row: TypeAlias = Mapping[str, Any]
CHUNK = 1000
TOTAL = "X-Total-Count"
KINDS = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
#: What spreadsheets begin a formula with, some of them also in full width, or after a tab or a line end.
FORMULA = ("=", "+", "-", "−", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def walk(rows: QuerySet[Any], chunk: int | None = None) -> Iterator[Any]:
    """All rows in their order, read in pages: no cursor and no transaction is held open meanwhile."""
    chunk = chunk or CHUNK
    terms = terms_of(rows)
    rows = rows.order_by(*(term.order(False) for term in terms))
    page = list(rows[:chunk])
    while page:
        yield from page
        if len(page) < chunk:
            return
        last = [term.of_row(page[-1]) for term in terms]
        page = list(rows.filter(after(terms, last, backwards=False))[:chunk])


def stream(
    kind: str, name: str, columns: Iterable[str], rows: Iterable[Row], total: int
) -> StreamingHttpResponse:
    """The answer: a file of that kind. `columns`: of a CSV; JSON Lines have the rows as they are."""
    return file(kind, name, json_lines(rows) if kind == "jsonl" else csv_lines(list(columns), rows), total)


def file(kind: str, name: str, lines: Iterable[str] | Iterable[bytes], total: int) -> StreamingHttpResponse:
    """The answer that has these lines. `total`: how many things there were at the beginning, so that whoever
    reads knows of an end that came too early."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"', TOTAL: str(total)}
    return StreamingHttpResponse(lines, content_type=KINDS[kind], headers=headers)


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    """One JSON object a line."""
    for row in rows:
        yield json.dumps(row, cls=JSONEncoder, ensure_ascii=False, separators=(",", ":")) + "\n"


def csv_lines(columns: list[str], rows: Iterable[Row]) -> Iterator[str]:
    """A heading, then the rows (RFC 4180); what is null is empty, what is nested is left out."""
    writer = csv.writer(_Echo())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([cell(row[column]) for column in columns])


def cell(value: Any) -> Any:
    """A cell's text. Only text is defused: a number below 0 is no formula."""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value


class _Echo:
    """A file that gives back what is written."""

    def write(self, text: str) -> str:
        return text
