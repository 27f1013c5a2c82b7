"""Cores for tables: each to one table, free again when its process ends."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from sandbox.cores import own_core, running_first

CORES = sorted(os.sched_getaffinity(0))
HOLDER = """
import sys
from pathlib import Path
from sandbox.cores import own_core
with own_core(Path(sys.argv[1])) as core:
    print(core, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def hold(tmp_path):
    """Starts processes that take a core each and keep it."""
    holders = []

    def start():
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        holders.append(holder)
        return holder, holder.stdout.readline().strip().decode()

    yield start
    for holder in holders:
        holder.kill()
        holder.communicate()


def test_a_table_is_kept_on_its_core_and_let_go_at_its_end(tmp_path):
    with own_core(tmp_path) as core:
        assert os.sched_getaffinity(0) == {core}
    assert sorted(os.sched_getaffinity(0)) == CORES


def test_each_table_has_a_core_of_its_own_and_when_none_is_left_it_goes_without(hold, tmp_path):
    taken = [hold()[1] for _ in CORES]
    assert sorted(map(int, taken)) == CORES
    with own_core(tmp_path) as core:
        assert core is None
        assert sorted(os.sched_getaffinity(0)) == CORES


def test_the_core_of_a_killed_process_is_free(hold, tmp_path):
    for _ in CORES[:-1]:
        hold()
    holder, core = hold()
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    with own_core(tmp_path) as mine:
        assert mine == int(core)


def test_only_the_thread_runs_first_and_nothing_that_it_starts():
    usual = os.sched_getscheduler(0)
    with running_first() as permitted:
        if permitted:
            assert os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK == os.SCHED_RR
        seen = []
        helper = threading.Thread(target=lambda: seen.append(os.sched_getscheduler(0)))
        helper.start()
        helper.join()
        ask = "import os; print(os.sched_getscheduler(0))"
        seen.append(int(subprocess.check_output([sys.executable, "-c", ask])))
        assert seen == [os.SCHED_OTHER, os.SCHED_OTHER]
    assert os.sched_getscheduler(0) == usual
