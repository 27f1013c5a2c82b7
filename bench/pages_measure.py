"""How long the pages of `bench.pages` take, and what they weigh."""

import functools
import gzip
import statistics
import time
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rich import box
from rich.console import Console
from rich.table import Table as Grid

from bench.pages import LEFT_OUT, Case, cases, unnamed
from bench.weight import files_bytes
from league.accounts.models import User

WANTED_MS = 100.0
WANTED_KB = 200.0
KB = 1000
console = Console(highlight=False, soft_wrap=True, width=150)


def measure(rounds: int) -> dict[str, Any]:
    """Each page so many times: in ms from the request to the last byte, without a network, middleware and
    rendering included; the processor's time of it, that of the database's process included; its size in kB,
    with and without the files that it loads."""
    grid = Grid(box=box.SIMPLE_HEAD, title="Pages", title_justify="left")
    for heading in ("", "ms, median", "least", "first", "CPU ms", "queries", "HTML kB", "gzip", "page kB"):
        grid.add_column(heading, justify="left" if not heading else "right")
    report: dict[str, Any] = {}
    clients: dict[User | None, Client] = {}
    found = list(cases())
    missing = unnamed(found)
    assert not missing, f"bench/pages.py says nothing of {', '.join(sorted(missing))}"
    for case in found:
        if case.user not in clients:
            clients[case.user] = Client(raise_request_exception=True)
            if case.user:
                clients[case.user].force_login(case.user)
        row = _row(clients[case.user], case, rounds)
        report[str(case)] = row
        bad = row["median_ms"] > WANTED_MS or row["page_kb"] > WANTED_KB
        grid.add_row(str(case), *(f"{value:g}" for value in row.values()), style="bold" if bad else "")
    console.print(grid)
    slow = [name for name, row in report.items() if row["median_ms"] > WANTED_MS]
    heavy = [name for name, row in report.items() if row["page_kb"] > WANTED_KB]
    console.print(f"over {WANTED_MS:.0f} ms: {'; '.join(slow) or 'none'}")
    console.print(f"over {WANTED_KB:.0f} kB: {'; '.join(heavy) or 'none'}")
    for page, reason in LEFT_OUT.items():
        console.print(f"not measured: {page}: {reason}")
    return report


def _row(client: Client, case: Case, rounds: int) -> dict[str, float]:
    cache.clear()  # the first is told apart: whatever is kept for the next is made there
    walls, cpus, sizes, packed, files = [], [], [], [], []
    first = None
    for at in range(rounds + 1):
        address = case.addresses[at % len(case.addresses)]
        cpu, began = _processor_s(), time.perf_counter()
        answer = client.get(address)
        body = b"".join(answer) if answer.streaming else answer.content
        wall, cpu = time.perf_counter() - began, _processor_s() - cpu
        assert answer.status_code == 200, (address, answer.status_code, body[:300])
        if first is None:
            first = wall
            continue
        walls.append(1000 * wall)
        cpus.append(1000 * cpu)
        sizes.append(len(body))
        html = answer["Content-Type"].startswith("text/html")
        packed.append(len(gzip.compress(body, 6)) if html else len(body))
        files.append(files_bytes(body.decode()) if html else 0)
    with CaptureQueriesContext(connection) as queries:
        client.get(case.addresses[0])
    return {
        "median_ms": round(statistics.median(walls), 1),
        "least_ms": round(min(walls), 1),
        "first_ms": round(1000 * (first or 0), 1),
        "cpu_ms": round(statistics.median(cpus), 1),
        "queries": len(queries),
        "html_kb": round(max(sizes) / KB, 1),
        "gzip_kb": round(max(packed) / KB, 1),
        "page_kb": round(max(map(sum, zip(sizes, files, strict=True))) / KB, 1),
    }


def _processor_s() -> float:
    """The processor's time so far of this process and of the one that serves it in the database."""
    return time.process_time() + _database_s()


def _database_s() -> float:
    file = Path(f"/proc/{_backend()}/schedstat")
    return int(file.read_text().split()[0]) / 1e9 if file.exists() else 0.0


@functools.cache
def _backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        row: tuple[int] = cursor.fetchone()
    return row[0]
