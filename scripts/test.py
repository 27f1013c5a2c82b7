"""`make test`: every test that this machine can run, then one line for each kind that it could not.

Everything runs on SQLite; where PostgreSQL's server programs are found, those of the league and its API run
again on a server of their own, and those of faults, which take long, only there. POLIGNAC_REQUIRE_ALL=1
makes a missing kind, and any skipped test, a failure.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

from scripts import postgres
from scripts.needs import NEEDS, REQUIRE_ALL

ROOT = Path(__file__).resolve().parent.parent
LEAGUE, API, FAULTS = "tests/league", "tests/api", "tests/faults"
# What a developer's shell says of a site is not for the tests.
SETTINGS = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "SANDBOX"}


def pytest(title: str, *options: str, **environment: str) -> bool:
    """Run pytest on every core. Give whether all passed."""
    print(f"\n# {title}", flush=True)
    command = (
        sys.executable,
        "-m",
        "pytest",
        "--numprocesses=auto",
        "--dist=loadgroup",
        "--durations=25",
        *options,
    )
    chosen = {name: value for name, value in os.environ.items() if name not in SETTINGS} | environment
    return subprocess.run(command, cwd=ROOT, env=chosen, check=False).returncode == 0


def main(options: list[str]) -> int:
    """Run the rounds with further `options` for pytest. Give the exit code."""
    # A polite end (SIGTERM) takes the database server along.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    programs = postgres.find_programs()
    later = (f"--ignore={FAULTS}",) if programs else ()
    passed = pytest("All tests, on SQLite", "-m", "not postgres", *later, *options)
    if programs:
        with postgres.cluster(programs) as url:
            again = (LEAGUE, API, FAULTS, *options)
            passed &= pytest("The league again, and its faults, on PostgreSQL", *again, DATABASE_URL=url)
    absent = {need.name: reason for need in NEEDS if (reason := need.missing())}
    print()
    for name, reason in absent.items():
        print(f"Not run for want of {name}: {reason}")
    if not absent:
        print("Every kind of test could run here.")
    return 0 if passed and not (absent and REQUIRE_ALL) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
