"""Whose fault was it? A pure function from evidence to a fault, or to a failure of the platform.

In doubt the bot is not blamed. The details are one line each and may be shown to anybody: they hold
nothing that the bot wrote.
"""

import signal
from dataclasses import dataclass

from arena.errors import PlatformFailure
from arena.protocol import MAX_LINE_BYTES, MAX_UNANSWERED_BYTES
from arena.seat import FaultKind
from sandbox.channel import Halt
from sandbox.session import Evidence


@dataclass(frozen=True, slots=True)
class Blame:
    """A bot's fault."""

    kind: FaultKind
    detail: str


def blame(halt: Halt, evidence: Evidence | None, *, starting: bool, memory_mib: int, ran_out: bool) -> Blame:
    """The fault behind a question without an answer.

    Args:
        halt: what the channel saw.
        evidence: how the process ended; ``None`` while it lives (only with ``TIME``).
        starting: the question was ``hello``.
        memory_mib: the limit, for the detail.
        ran_out: the bot's own last words say that it found no more memory (its language's marks).

    Raises:
        PlatformFailure: it was not the bot.
    """
    if evidence is not None:
        _absolve(evidence)
    if halt is Halt.LONG_LINE:
        return Blame(FaultKind.OUTPUT, f"a line longer than {MAX_LINE_BYTES // 1024} KiB")
    if halt is Halt.FLOOD:
        return Blame(FaultKind.OUTPUT, f"more than {MAX_UNANSWERED_BYTES // 1024} KiB without a valid reply")
    if evidence is not None and _memory(evidence, ran_out):
        return Blame(FaultKind.MEMORY, f"used more than {memory_mib} MiB of memory")
    if halt is Halt.TIME:
        return _too_slow(starting)
    assert evidence is not None, "a closed output without evidence"
    return Blame(FaultKind.CRASH, _how(evidence) + (", before it was ready" if starting else ""))


def _absolve(evidence: Evidence) -> None:
    if not evidence.started:
        raise PlatformFailure("sandbox_start", evidence.note or "the sandbox did not start")
    if evidence.vanished:
        raise PlatformFailure("sandbox_lost", evidence.note or "the sandbox was ended from outside")


def _memory(evidence: Evidence, ran_out: bool) -> bool:
    # An out-of-memory mark alone is a hint: it is also there when only a child was stopped and the
    # bot went on to end well.
    ended_badly = evidence.killed or evidence.signal is not None or evidence.exit_code not in (None, 0)
    if evidence.out_of_memory:
        return evidence.signal == signal.SIGKILL or evidence.killed or evidence.exit_code is None
    return ran_out and ended_badly and not evidence.killed


def _too_slow(starting: bool) -> Blame:
    if starting:
        return Blame(FaultKind.START, "not ready in time")
    return Blame(FaultKind.TIMEOUT, "no reply in time")


def _how(evidence: Evidence) -> str:
    if evidence.signal is not None:
        try:
            name = signal.Signals(evidence.signal).name
        except ValueError:
            name = "unnamed"
        return f"ended by signal {evidence.signal} ({name})"
    if evidence.exit_code is not None:
        return f"ended with exit code {evidence.exit_code}"
    return "closed its standard output"
