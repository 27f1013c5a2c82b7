"""What the behaviours are written with: a bot from a few lines, questions to it, and what is expected."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from arena.protocol import ClockLimits, Hello, PlayQuestion
from arena.seat import Answer, Failure, FaultKind, Reply
from sandbox.contract.bots import PRELUDE
from sandbox.limits import Limits
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from sandbox.session import Backend

START_MS: Final = 10_000.0
MOVE_MS: Final = 400.0
#: How much later than its time a verdict may come on a busy machine; on an idle one it is a few.
LATE_MS: Final = 1_500.0
#: Faults that need no clock are seen at once, which on a busy machine is this at the most.
AT_ONCE_MS: Final = 4_000.0

Behaviour = Callable[[Backend], None]
BEHAVIOURS: dict[str, Behaviour] = {}


class Broken(AssertionError):
    """A backend does not show a behaviour; the text says what was seen instead."""


def behaviour(function: Behaviour) -> Behaviour:
    """Put a behaviour into the table, under its own name."""
    BEHAVIOURS[function.__name__] = function
    return function


@contextmanager
def seated(backend: Backend, source: str, limits: Limits | None = None) -> Iterator[ProcessSeat]:
    """A seat for the bot of these lines, which may use all of ``PRELUDE``; stopped at the end."""
    package = Package({"main.py": (PRELUDE + source).encode()}, "python", "main.py")
    seat = ProcessSeat(backend, package, limits, label="contract")
    try:
        yield seat
    finally:
        seat.stop()


def hello(seat: ProcessSeat, budget_ms: float = START_MS) -> Answer:
    """Start the bot."""
    question = Hello(id=secrets.token_hex(8), rules={}, players=4, clock=ClockLimits())
    return seat.ask(question, budget_ms)


def ask(seat: ProcessSeat, budget_ms: float = START_MS, ballast: int = 0) -> Answer:
    """A question, with so many bytes of ballast."""
    question = PlayQuestion(
        id=secrets.token_hex(8),
        legal=["JS"],
        hand=["x" * ballast] if ballast else ["JS"],
        trick=[],
        leader=0,
        events=[],
        bank_ms=0,
    )
    return seat.ask(question, budget_ms)


def report_of(backend: Backend, source: str, limits: Limits | None = None) -> Any:
    """What a bot reports as ``found`` in its reply to hello."""
    with seated(backend, source, limits) as seat:
        answer = hello(seat)
        if isinstance(answer, Failure):
            raise Broken(f"the probe gave no report: {answer.kind}: {answer.detail}; log: {seat.log[-500:]}")
        return answer.value["found"]


def expect(answer: Answer, kind: FaultKind, says: str = "") -> None:
    """Raise what was answered, unless it is this fault with these words in its detail."""
    if not isinstance(answer, Failure) or answer.kind is not kind or says not in answer.detail:
        raise Broken(f"expected {kind} {says!r}, got {answer}")


def must(holds: bool, problem: str) -> None:
    """Raise the problem unless it holds."""
    if not holds:
        raise Broken(problem)


def faults(backend: Backend, source: str, kind: FaultKind, says: str = "") -> None:
    """A bot that is ready, then commits this fault at its first decision, and is told in time."""
    with seated(backend, "ready()\n" + source) as seat:
        answer = hello(seat)
        must(isinstance(answer, Reply), f"not ready: {answer}")
        late = kind is FaultKind.TIMEOUT
        fault = ask(seat, MOVE_MS if late else START_MS)
        expect(fault, kind, says)
        allowed_ms = MOVE_MS + LATE_MS if late else AT_ONCE_MS
        must(fault.charged_ms <= allowed_ms, f"seen after {fault.charged_ms:.0f} ms")
        must(kind in (FaultKind.TIMEOUT, FaultKind.GARBAGE) or not seat.live, "it lives on")
