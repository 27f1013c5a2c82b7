"""One bot under bubblewrap: started, watched, ended, and how it ended."""

import array
import contextlib
import fcntl
import json
import os
import select
import signal
import subprocess
import termios
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from arena.errors import PlatformFailure
from sandbox.channel import Channel
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.pipes import pipe, standard_pipes
from sandbox.session import Evidence
from sandbox.slots import Slot
from sandbox.staging import Staged
from sandbox.watchdog import WATCHDOG, Watch

_START_S = 10.0
_END_S = 5.0
_NOTE_CHARS = 400


class BwrapSession:
    """A running bwrap and the bot in it.

    Args:
        command: bwrap with its options and the bot's command, its descriptors left out.
        seccomp: the compiled filter.
        staged: the bot's files; removed at the end.
        slot: the bot's user where we are root; released at the end.

    Raises:
        PlatformFailure: it did not start; ``staged`` and ``slot`` are still the caller's.
    """

    def __init__(
        self,
        command: list[str],
        seccomp: bytes,
        limits: Limits,
        log: BotLog,
        *,
        staged: Staged,
        slot: Slot | None,
    ) -> None:
        self._evidence: Evidence | None = None
        self._lock = threading.Lock()
        self._log = log
        with ExitStack() as theirs, ExitStack() as ours:
            (into, out, err), (stdin, stdout, stderr) = standard_pipes(ours, theirs)
            news, status = pipe(ours, theirs)
            # We keep the end that bwrap reads, too: what is left in it tells how far bwrap got.
            self._gate, gate_key = pipe(ours, ours)
            rules = _prefilled_pipe(seccomp, theirs)
            self._process = _spawn(
                command,
                {"--seccomp": rules, "--block-fd": self._gate, "--json-status-fd": status},
                slot,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
            )
            ours.callback(self._process.wait)
            ours.callback(self._process.kill)
            theirs.close()
            self._first = _first_process(news, err)
            self._pidfd = os.pidfd_open(self._first)
            ours.callback(os.close, self._pidfd)
            self._prepare(limits)
            os.write(gate_key, b"!")
            ours.pop_all()
        # The channel closes its own; of the rest we only keep what finish() needs.
        self._kept = (news, self._gate, gate_key, self._pidfd)
        self.channel = Channel(into, out, err, log)
        self._staged = staged
        self._slot = slot
        self._watch = Watch(self._first, limits.memory_mib, limits.pids, self._kill)
        WATCHDOG.add(self._watch)

    def finish(self, grace_s: float = 0.0) -> Evidence:
        """See :class:`sandbox.session.Session`."""
        if self._evidence is None:
            killed = not self._gone_within(grace_s)
            self._kill()
            if not self._gone_within(_END_S):
                raise PlatformFailure("sandbox_stuck", f"process {self._first} does not end")
            WATCHDOG.remove(self._watch)
            code = self._process.wait(_END_S)
            self.channel.close()
            self._evidence = self._look_back(code, killed)
            self._clean_up()
        return self._evidence

    def _prepare(self, limits: Limits) -> None:
        """What is set from outside, before the bot's first instruction."""
        if limits.core is not None:
            os.sched_setaffinity(self._first, {limits.core})
        with contextlib.suppress(OSError), open(f"/proc/{self._first}/oom_score_adj", "w") as file:
            file.write("1000")

    def _gone_within(self, seconds: float) -> bool:
        """Whether the first process has ended: then the kernel has ended all others before it."""
        poll = select.poll()
        poll.register(self._pidfd, select.POLLIN)
        return bool(poll.poll(seconds * 1000.0))

    def _kill(self) -> None:
        with self._lock, contextlib.suppress(ProcessLookupError):
            if self._evidence is None:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _look_back(self, code: int, killed: bool) -> Evidence:
        if _bytes_left(self._gate):
            note = self._log.text()[-_NOTE_CHARS:].strip() or f"bwrap ended with {code}"
            return Evidence(started=False, note=note)
        if self._watch.over_memory:
            return Evidence(out_of_memory=True)
        if killed:
            return Evidence(killed=True)
        if code < 0:
            return Evidence(vanished=True, note=f"bwrap was ended by signal {-code}")
        # bwrap gives a signal as a shell does.
        return Evidence(signal=code - 128) if code > 128 else Evidence(exit_code=code)

    def _clean_up(self) -> None:
        with self._lock:
            for descriptor in self._kept:
                os.close(descriptor)
        self._staged.remove()
        if self._slot is not None:
            self._slot.release()


def _prefilled_pipe(data: bytes, reader: ExitStack) -> int:
    """The read end of a pipe that holds ``data`` and then ends; it must fit the pipe."""
    read, write = os.pipe()
    reader.callback(os.close, read)
    with os.fdopen(write, "wb") as file:
        file.write(data)
    return read


def _spawn(
    command: list[str], descriptors: Mapping[str, int], slot: Slot | None, **standard: Any
) -> "subprocess.Popen[bytes]":
    bwrap, *sandbox = command
    options = [part for option, number in descriptors.items() for part in (option, str(number))]
    user: dict[str, Any] = {}
    if slot is not None:
        user = {"user": slot.uid, "group": slot.uid, "extra_groups": []}
    try:
        return subprocess.Popen(  # noqa: S603
            [bwrap, *options, *sandbox],
            pass_fds=tuple(descriptors.values()),
            env={},
            cwd="/",
            **user,
            **standard,
        )
    except OSError as error:
        raise PlatformFailure("sandbox_start", f"{bwrap}: {error}") from error


def _first_process(news: int, err: int) -> int:
    """The number of the sandbox's first process, as bwrap tells it.

    Raises:
        PlatformFailure: bwrap ended or hung before.
    """
    poll = select.poll()
    poll.register(news, select.POLLIN)
    told = b""
    while not told.endswith(b"\n"):
        chunk = os.read(news, 4096) if poll.poll(_START_S * 1000.0) else b""
        if not chunk:
            os.set_blocking(err, False)
            with contextlib.suppress(BlockingIOError):
                told = os.read(err, 4096)
            reason = told.decode("utf-8", "replace").strip()[-_NOTE_CHARS:]
            raise PlatformFailure("sandbox_start", reason or "bwrap did not start")
        told += chunk
    return int(json.loads(told.splitlines()[0])["child-pid"])


def _bytes_left(pipe: int) -> int:
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]
