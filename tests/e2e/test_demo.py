"""However the demo ends, no process of it is left. (.ci/run runs it to its end.)"""

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from demo.processes import descendants

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.bubblewrap, pytest.mark.redis, pytest.mark.slow]

# The kernel hands every orphan of the demo to this one. When the demo has ended none is left: "at once", or
# "soon", when they have noticed that it was killed.
KEEPER = """
import ctypes, os, subprocess, sys

ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
demo = subprocess.Popen([sys.executable, "-m", "demo", "--folder", sys.argv[1]], start_new_session=True)
print("demo", demo.pid, flush=True)
code = demo.wait()
try:
    while True:
        pid, _ = os.waitpid(-1, os.WNOHANG if sys.argv[2] == "at once" else 0)
        if pid == 0:
            print("left behind", flush=True)
            break
except ChildProcessError:
    print("nothing left", flush=True)
sys.exit(code % 256)
"""


class Demo:
    """A demo that runs, and what it says."""

    def __init__(self, keeper):
        self._keeper = keeper
        self.pid = int(self.await_line(r"demo (\d+)")[1])

    def await_line(self, pattern):
        said = []
        for line in self._keeper.stdout:
            if found := re.search(pattern, line):
                return found
            said.append(line)
        pytest.fail(f"it ended without saying {pattern!r}:\n{''.join(said)}")

    def worker(self):
        """The pid of its Celery worker."""
        return next(
            pid
            for pid in descendants(self.pid)
            if b"--queues=play" in Path(f"/proc/{pid}/cmdline").read_bytes()
        )

    def rest(self):
        """(what it said from now on, its exit code)"""
        said = self._keeper.stdout.read()
        return said, self._keeper.wait()


@contextmanager
def demo(folder, left="at once"):
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "REDIS_URL": "", "DEMO_EXIT": ""}
    command = [sys.executable, "-c", KEEPER, str(folder), left]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as keeper:
        try:
            yield Demo(keeper)
        finally:
            if keeper.poll() is None:
                for pid in (*descendants(keeper.pid), keeper.pid):
                    os.kill(pid, signal.SIGKILL)


MOMENTS = {
    "before anything is started": (r"^Starting Redis", signal.SIGINT),
    "while the database is made": (r"^Making the database", signal.SIGTERM),
    "while the league starts": (r"^Starting a worker", signal.SIGHUP),
    "while tables are played": (r"^Playing", signal.SIGINT),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_interrupted_at_any_moment_even_twice_it_leaves_nothing_behind(moment, tmp_path):
    pattern, signum = MOMENTS[moment]
    with demo(tmp_path) as running:
        running.await_line(pattern)
        # As a terminal does: the whole group gets it.
        os.killpg(running.pid, signum)
        os.killpg(running.pid, signum)
        said, code = running.rest()
    assert "nothing left" in said
    assert "Traceback" not in said
    assert code == 128 + signum


LOST = """
import os, signal
from demo.processes import Processes
from demo.signals import Interrupted, interruptible

class Finalised:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):  # where the handler is called, and what it raises is dropped
            pass

interruptible()
Finalised()
print("goes on", flush=True)
with Processes(None, {}) as processes:
    try:
        processes.check()
    except Interrupted as told:
        print("heeded", told.exit_code)
"""


def test_an_interruption_that_gets_lost_is_heeded_at_the_next_look():
    done = subprocess.run([sys.executable, "-c", LOST], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.split("\n") == ["goes on", f"heeded {128 + signal.SIGTERM}", ""], done.stderr


def test_killed_outright_its_processes_end_by_themselves(tmp_path):
    with demo(tmp_path, left="soon") as running:
        running.await_line(r"signed up")
        os.kill(running.pid, signal.SIGKILL)
        said, _ = running.rest()
    assert "nothing left" in said


def test_when_one_of_its_processes_ends_it_shows_that_ones_log_and_fails(tmp_path):
    with demo(tmp_path) as running:
        running.await_line(r"signed up")
        os.kill(running.worker(), signal.SIGKILL)
        said, code = running.rest()
    assert "worker ended with exit code -9" in said
    assert "league.check_version" in said
    assert "nothing left" in said
    assert code == 1


def test_two_at_once_do_not_get_in_each_others_way(tmp_path):
    with demo(tmp_path) as one, demo(tmp_path) as other:
        for running in (one, other):
            running.await_line(r"signed up")
        for running in (one, other):
            os.kill(running.pid, signal.SIGINT)
            said, _ = running.rest()
            assert "nothing left" in said
