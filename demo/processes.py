"""Processes started together, watched, and none left behind, whatever happens to us."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from demo.signals import heed

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
GRACE_S = 8.0  # a worker finishes the tables in its hands first
TAIL_LINES = 25

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class ProcessEnded(Exception):
    """A process that should run has ended. `log` is the end of what it said."""

    def __init__(self, name: str, code: int, log: str) -> None:
        super().__init__(f"{name} ended with exit code {code}")
        self.log = log


@dataclass(frozen=True)
class Running:
    """A process of ours, and where its output goes."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def ended(self, code: int) -> ProcessEnded:
        """The error to raise when it has ended with that exit code."""
        return ProcessEnded(self.name, code, tail(self.log))


class Processes:
    """A context in which processes are started; leaving it ends every process below this one.

    Each leads a session of its own, so a Ctrl-C on the terminal reaches only us, and we end them in order.
    Their orphans are handed to us by the kernel, so that none can hide; and should we be killed outright,
    the kernel ends our children.
    """

    def __init__(self, logs: Path, environment: Mapping[str, str], user: str | None = None) -> None:
        """Output goes to files in `logs`; `user`, which only root may give, is the account to run as."""
        self._logs = logs
        self._environment = dict(environment)
        self._user = user
        self._running: list[Running] = []

    def __enter__(self) -> Self:
        if _libc:
            _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def start(self, name: str, command: Sequence[str | Path], pass_fds: Sequence[int] = ()) -> Running:
        """Start a process that should run until the end; its output goes to NAME.log."""
        log = self._logs / f"{name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                env=self._environment,
                user=self._user,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_end_with_parent,  # noqa: PLW1509  one system call: it takes no lock
                pass_fds=pass_fds,
            )
        running = Running(name, process, log)
        self._running.append(running)
        heed()
        return running

    def run(self, name: str, command: Sequence[str | Path]) -> None:
        """Run a process to its end. Raises ProcessEnded when that is a failure."""
        running = self.start(name, command)
        code = running.process.wait()
        self._running.remove(running)
        if code:
            raise running.ended(code)

    def check(self) -> None:
        """Raises ProcessEnded when one of them runs no longer, Interrupted when we were asked to end. Also
        buries orphans: call it often."""
        heed()
        for running in self._running:
            if (code := running.process.poll()) is not None:
                raise running.ended(code)
        ours = {running.process.pid for running in self._running}
        while (ended := _ended_child()) and ended not in ours:
            os.waitpid(ended, 0)

    def stop(self) -> None:
        """End all: the first one started (what the others talk to) after the others, and by force at last."""
        first, others = self._running[:1], self._running[1:]
        _terminate(others, GRACE_S)
        _terminate(first, GRACE_S)
        kill_descendants()
        self._running.clear()


def tail(log: Path) -> str:
    """The last lines of a log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-TAIL_LINES:])


def _ended_child() -> int | None:
    """A child that has ended and waits to be buried."""
    try:
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return found.si_pid if found else None


def _end_with_parent() -> None:
    if _libc:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _terminate(group: Sequence[Running], patience_s: float) -> None:
    for running in group:
        running.process.terminate()
    until = time.monotonic() + patience_s
    for running in group:
        try:
            running.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            continue


def kill_descendants() -> None:
    """Kill and reap until we have no child: what is orphaned meanwhile becomes ours and comes next."""
    while True:
        for pid in descendants(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        try:
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass
        except ChildProcessError:
            return


def descendants(pid: int) -> list[int]:
    """Every process below `pid` in the tree, as the kernel sees it now; empty where there is no /proc."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in parentheses, may hold anything: the fields proper come after the last one.
            parent = int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    found = [pid]
    for member in found:
        found += children.get(member, [])
    return found[1:]
