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
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from arena.errors import PlatformFailure
from sandbox.channel import Channel
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.pipes import pipe, standard_pipes
from sandbox.session import Evidence
from sandbox.slots import Slot
from sandbox.staging import Staged
from sandbox.watchdog import WATCHDOG, Watch, descendants

_START_S = 10.0
_END_S = 5.0
_NOTE_CHARS = 400
_KILLED = 128 + signal.SIGKILL


@dataclass(frozen=True, slots=True)
class Program:
    """What runs in the sandbox: a shell that sets the limits there, then becomes the bot.

    There the count of processes is the sandbox's own; and bwrap's processes, which keep their own
    standard descriptors, never hold the bot's: when the bot closes its output, that is seen.

    Attributes:
        bash: its path.
        ulimits: a shell command.
        bot: the bot's command.
    """

    bash: str
    ulimits: str
    bot: list[str]

    def command(self, standard: tuple[int, int, int]) -> list[str]:
        """The whole command, for pipes with these numbers."""
        stdin, stdout, stderr = standard
        pipes = f"<&{stdin} >&{stdout} 2>&{stderr} {stdin}<&- {stdout}>&- {stderr}>&-"
        return [self.bash, "--norc", "-c", f'{self.ulimits} && exec "$@" {pipes}', "bot", *self.bot]


class BwrapSession:
    """A running bwrap and the bot in it.

    Args:
        options: bwrap itself and its options, its descriptors left out.
        program: bash, which sets the limits from the inside and becomes the bot.
        seccomp: the compiled filter.
        staged: the bot's files; removed at the end.
        slot: the bot's user where we are root; released at the end.

    Raises:
        PlatformFailure: it did not start; ``staged`` and ``slot`` are still the caller's.
    """

    def __init__(
        self,
        options: list[str],
        program: Program,
        seccomp: bytes,
        limits: Limits,
        log: BotLog,
        *,
        staged: Staged,
        slot: Slot | None,
    ) -> None:
        self._evidence: Evidence | None = None
        self._lock = threading.Lock()
        with ExitStack() as theirs, ExitStack() as ours:
            (into, out, err), standard = standard_pipes(ours, theirs)
            news, status = pipe(ours, theirs)
            # We keep the end that bwrap reads, too: what is left in it tells how far bwrap got.
            self._gate, gate_key = pipe(ours, ours)
            rules = _prefilled_pipe(seccomp, theirs)
            complaints, stderr = pipe(ours, theirs)
            self._process = _spawn(
                [
                    *options,
                    "--seccomp",
                    str(rules),
                    "--block-fd",
                    str(self._gate),
                    "--json-status-fd",
                    str(status),
                ],
                program.command(standard),
                (rules, self._gate, status, *standard),
                slot,
                stderr,
            )
            ours.callback(self._process.wait)
            ours.callback(_kill_all, self._process)
            theirs.close()
            self._first = _first_process(news, complaints)
            self.first_process: int | None = self._first
            self._pidfd = self._open_first(complaints)
            ours.callback(os.close, self._pidfd)
            self._prepare(limits)
            os.write(gate_key, b"!")
            ours.pop_all()
        # The channel closes its own; of the rest we only keep what finish() needs.
        self._kept = (news, complaints, self._gate, gate_key, self._pidfd)
        self._complaints = complaints
        self.channel = Channel(into, out, err, log)
        self._staged = staged
        self._slot = slot
        self._watch = Watch(self._first, limits.memory_mib, self._kill)
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
            # bwrap leaves its first process to whoever inherits it: in a container that may be us.
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._first, os.WNOHANG)
            self.channel.close()
            self._evidence = self._look_back(code, killed)
            self._clean_up()
        return self._evidence

    def _open_first(self, complaints: int) -> int:
        try:
            return os.pidfd_open(self._first)
        except ProcessLookupError:
            self._process.wait(_END_S)
            raise PlatformFailure("sandbox_start", _read_note(complaints) or "bwrap ended at once") from None

    def _prepare(self, limits: Limits) -> None:
        """What is set from outside, before the bot's first instruction."""
        if limits.core is not None:
            try:
                os.sched_setaffinity(self._first, {limits.core})
            except OSError as error:
                raise PlatformFailure("sandbox_start", f"core {limits.core}: {error}") from error
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
            return Evidence(started=False, note=_read_note(self._complaints) or f"bwrap ended with {code}")
        if self._watch.over_memory:
            return Evidence(out_of_memory=True)
        if killed and code == _KILLED:
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
    options: list[str], command: list[str], descriptors: tuple[int, ...], slot: Slot | None, stderr: int
) -> "subprocess.Popen[bytes]":
    """Start bwrap; its own standard input and output are nothing, its complaints are its own."""
    user: dict[str, Any] = {}
    if slot is not None:
        user = {"user": slot.uid, "group": slot.uid, "extra_groups": []}
    try:
        return subprocess.Popen(  # noqa: S603
            [*options, "--", *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            pass_fds=descriptors,
            env={},
            cwd="/",
            **user,
        )
    except OSError as error:
        raise PlatformFailure("sandbox_start", f"{options[0]}: {error}") from error


def _kill_all(bwrap: "subprocess.Popen[bytes]") -> None:
    """End bwrap and what it started: killed alone in its first moment, it leaves a child that waits."""
    for pid in [*descendants(bwrap.pid)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _first_process(news: int, complaints: int) -> int:
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
            raise PlatformFailure("sandbox_start", _read_note(complaints) or "bwrap did not start")
        told += chunk
    return int(json.loads(told.splitlines()[0])["child-pid"])


def _read_note(complaints: int) -> str:
    """What bwrap has to say about its own failure."""
    os.set_blocking(complaints, False)
    try:
        told = os.read(complaints, 4096)
    except BlockingIOError:
        return ""
    return told.decode("utf-8", "replace").strip()[-_NOTE_CHARS:]


def _bytes_left(pipe: int) -> int:
    count = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]
