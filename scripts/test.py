"""`make test`: every test that this machine can run, then one line for each kind that it could not.

Everything runs on SQLite. Where PostgreSQL's server programs are found, those of the league and its API run
on a server of their own, too, at the same time: what waits in one round leaves the cores to the other. Those
of faults, which take long, run only there, on the database that leagues use; and of the roles in which the
API is asked whatever its document allows (tests/api), all do there, and on SQLite those that may most.
POLIGNAC_REQUIRE_ALL=1 makes a missing kind, and any skipped test, a failure.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from scripts import postgres
from scripts.needs import NEEDS, REQUIRE_ALL

ROOT = Path(__file__).resolve().parent.parent
LEAGUE, API, FAULTS = "tests/league", "tests/api", "tests/faults"
FUZZ = f"{API}/test_schema_holds.py::test_every_answer_is_as_the_schema_tells"
# Roles whose requests reach the database in no way that those of the organiser and the staff do not.
ONCE = ("nobody", "author", "other author")
TEMPLATE = "template_league"
# What a developer's shell says of a site is not for the tests; and each of the hundreds of processes they
# start would compile all of our code anew if none could keep it.
SETTINGS = {"DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL", "DATA_DIR", "SANDBOX"}
NOT_FOR_TESTS = SETTINGS | {"PYTHONDONTWRITEBYTECODE"}
PYTEST = (
    "-m",
    "pytest",
    "--numprocesses=auto",
    "--dist=loadscope",
    "--max-worker-restart=0",
    "--durations=25",
)
#: Seconds in which some test must have ended: more than tests/conftest.py gives to any.
SILENCE_S = 600
#: Seconds for a round to end when it is told to.
GRACE_S = 20


def environment(**chosen: str) -> dict[str, str]:
    """What a process of ours is told."""
    return {name: value for name, value in os.environ.items() if name not in NOT_FOR_TESTS} | chosen


def migrate(url: str) -> None:
    """Make the tables, once for all the databases of a round's processes, which are copies of this one."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "platform")))
    told = environment(DATABASE_URL=url, DJANGO_SETTINGS_MODULE="league.settings.test", PYTHONPATH=path)
    command = (sys.executable, "-m", "django", "migrate", "--verbosity=0")
    subprocess.run(command, cwd=ROOT, env=told, check=True, timeout=SILENCE_S)


class Round:
    """pytest on every core, on one database. Its words go to a file: nobody waits for a pipe that a forgotten
    process holds."""

    def __init__(self, title: str, folder: Path, *options: str, **chosen: str) -> None:
        self.title, self.heard, self.size, self.spoke = title, 0, 0, time.monotonic()
        self.log = folder / f"{title}.log"
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                (sys.executable, *PYTEST, *options),
                cwd=ROOT,
                env=environment(**chosen),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def listen(self) -> bool:
        """Pass on the lines that are new. Whether it goes on."""
        goes_on = self.process.poll() is None
        with self.log.open("rb") as log:
            log.seek(self.heard)
            new = log.read()
        # The last line may be half.
        ready = new[: new.rfind(b"\n") + 1] if goes_on else new
        for line in ready.decode(errors="replace").splitlines():
            print(f"{self.title:>10} | {line}", flush=True)
        # A test that ends is a dot, and a line has dozens.
        if self.heard + len(new) != self.size:
            self.size, self.spoke = self.heard + len(new), time.monotonic()
        self.heard += len(ready)
        if goes_on and time.monotonic() - self.spoke > SILENCE_S:
            self.give_up()
        return goes_on

    def give_up(self) -> None:
        """End it; each of its processes tells first where it is."""
        print(f"{self.title:>10} | silent for {SILENCE_S} s: it hangs, and is ended", flush=True)
        self.spoke = time.monotonic()
        self.end(signal.SIGABRT)

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """End it, and whatever is left of it. Harmless when it has ended."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE_S)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(GRACE_S)


@contextmanager
def rounds(folder: Path, options: list[str]) -> Iterator[list[Round]]:
    """All of them, on their way."""
    programs = postgres.find_programs()
    template = str(folder / "template.sqlite3")
    migrate(f"sqlite:///{template}")
    elsewhere = (f"--ignore={FAULTS}", *(f"--deselect={FUZZ}[{role}]" for role in ONCE)) if programs else ()
    everything = ("-m", "not postgres", *elsewhere, *options)
    under_way = [Round("SQLite", folder, *everything, TEST_TEMPLATE=template)]
    try:
        if programs:
            with postgres.cluster(programs) as url:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute(f"CREATE DATABASE {TEMPLATE}")
                migrate(f"{url.rpartition('/')[0]}/{TEMPLATE}")
                again = (LEAGUE, API, FAULTS, *options)
                under_way.append(
                    Round("PostgreSQL", folder, *again, DATABASE_URL=url, TEST_TEMPLATE=TEMPLATE)
                )
                yield under_way
        else:
            yield under_way
    finally:
        for one in under_way:
            one.end()


def main(options: list[str]) -> int:
    """Run the rounds with further `options` for pytest. Give the exit code."""
    # A polite end (SIGTERM) takes the rounds and the database server along.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with (
        tempfile.TemporaryDirectory(prefix="polignac-rounds-") as folder,
        rounds(Path(folder), options) as all_,
    ):
        while [one for one in all_ if one.listen()]:
            time.sleep(0.2)
        passed = all(one.process.returncode == 0 for one in all_)
    absent = {need: reason for need in NEEDS if (reason := need.missing())}
    print()
    for need, reason in absent.items():
        print(f"Not run for want of {need.name}{' (optional)' * need.optional}: {reason}")
    if not absent:
        print("Every kind of test could run here.")
    required = [need for need in absent if not need.optional]
    return 0 if passed and not (required and REQUIRE_ALL) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
