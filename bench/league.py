"""`python -m bench.league`: how long the API's lists, standings and ratings, and all pages take when there is
much.

A PostgreSQL of its own is filled with matches, rated, asked, and thrown away; with `--database` one that is
there already and empty is used, and kept.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts import postgres

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Fill, rate, measure, print. Gives 0; 1 where there is no PostgreSQL."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1_000_000)
    parser.add_argument("--bots", type=int, help="by default one for a thousand matches, and 40 at the least")
    parser.add_argument("--rounds", type=int, default=21, help="times that each address is asked")
    parser.add_argument("--database", help="a DATABASE_URL")
    parser.add_argument("--filled", action="store_true", help="the database is full already")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--only", choices=("api", "pages"), help="measure one of the two")
    options = parser.parse_args()
    programs = postgres.find_programs()
    if programs is None and options.database is None:
        print("no PostgreSQL here, so the league is not measured")
        return 1
    with _database(options.database, programs) as url:
        set_up(url)
        from bench import league_measure, pages_measure  # when Django knows the database

        if not options.filled:
            league_measure.prepare(options.matches, options.bots or max(40, options.matches // 1000))
        parts = {"api": league_measure.measure, "pages": pages_measure.measure}
        report = {name: part(options.rounds) for name, part in parts.items() if options.only in (None, name)}
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n")
    return 0


def bench(matches: int, rounds: int) -> dict[str, Any]:
    """Fill, rate, measure, in a process of its own. Gives the medians, or why there are none."""
    if postgres.find_programs() is None:
        print("No PostgreSQL here, so the league is not measured.")
        return {"reason": "no PostgreSQL"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "league.json"
        given = ("--matches", str(matches), "--rounds", str(rounds), "--json", str(file))
        subprocess.run((sys.executable, "-m", "bench.league", *given), cwd=ROOT, check=True)
        report: dict[str, Any] = json.loads(file.read_text())
    return report


@contextmanager
def _database(url: str | None, programs: Path | None) -> Iterator[str]:
    if url is not None or programs is None:
        yield url or ""
        return
    with postgres.cluster(programs) as own:
        yield own


def set_up(url: str) -> None:
    """Django, on this database."""
    os.environ.update(DATABASE_URL=url, DJANGO_SETTINGS_MODULE="league.settings.test")
    # Nobody asks so often, and would be told to wait.
    os.environ |= dict.fromkeys(("ANONYMOUS_RATE", "READ_RATE", "ORGANISE_RATE"), "1000000/min")
    sys.path.append(str(ROOT / "platform"))
    import django

    django.setup()
    logging.getLogger("league.access").setLevel(logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())
