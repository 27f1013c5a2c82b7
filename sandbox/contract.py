"""What every backend must show, each behaviour as one plain function: for tests, and for a play worker
that takes no tables until its own sandbox has passed.

    for result in examine(backend):
        print(result.name, result.problem or "ok")

A behaviour raises :class:`Broken` with what it saw. The bots here are the hostile ones of every day;
they are Python, and print what they managed to do as their reply.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.errors import PlatformFailure
from arena.protocol import MAX_LOG_BYTES, ClockLimits, Hello, PlayQuestion
from arena.seat import Answer, Failure, FaultKind, Reply
from sandbox.contract_bots import PRELUDE
from sandbox.languages import BASE_ENVIRONMENT
from sandbox.limits import Limits
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from sandbox.session import Backend

_START_MS = 10_000.0
_MOVE_MS = 400.0
#: How much later than its time a verdict may come on a busy machine; on an idle one it is a few.
_LATE_MS = 1_500.0
#: Faults that need no clock are seen at once, which on a busy machine is this at the most.
_AT_ONCE_MS = 4_000.0
_CANARY = "POLIGNAC_CANARY"


class Broken(AssertionError):
    """A backend does not show a behaviour; the text says what was seen instead."""


@dataclass(frozen=True, slots=True)
class Result:
    """One behaviour's outcome; ``problem`` is empty when it holds."""

    name: str
    problem: str


Behaviour = Callable[[Backend], None]
BEHAVIOURS: dict[str, Behaviour] = {}


def examine(backend: Backend) -> Iterator[Result]:
    """Try every behaviour, one after another."""
    for name, behaviour in BEHAVIOURS.items():
        try:
            behaviour(backend)
        except (Broken, PlatformFailure) as error:
            yield Result(name, str(error))
        else:
            yield Result(name, "")


def _behaviour(function: Behaviour) -> Behaviour:
    BEHAVIOURS[function.__name__] = function
    return function


# -- the means -------------------------------------------------------------------------------------


@contextmanager
def _seat(backend: Backend, source: str, limits: Limits | None = None) -> Iterator[ProcessSeat]:
    package = Package({"main.py": (PRELUDE + source).encode()}, "python", "main.py")
    seat = ProcessSeat(backend, package, limits, label="contract")
    try:
        yield seat
    finally:
        seat.stop()


def _hello(seat: ProcessSeat, budget_ms: float = _START_MS) -> Answer:
    hello = Hello(id=secrets.token_hex(8), rules={}, players=4, clock=ClockLimits())
    return seat.ask(hello, budget_ms)


def _ask(seat: ProcessSeat, budget_ms: float = _START_MS, ballast: int = 0) -> Answer:
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


def _found(backend: Backend, source: str, limits: Limits | None = None) -> Any:
    """What a bot reports as ``found`` in its reply to hello."""
    with _seat(backend, source, limits) as seat:
        answer = _hello(seat)
        if isinstance(answer, Failure):
            raise Broken(f"the probe gave no report: {answer.kind}: {answer.detail}; log: {seat.log[-500:]}")
        return answer.value["found"]


def _expect(answer: Answer, kind: FaultKind, says: str = "") -> None:
    if not isinstance(answer, Failure) or answer.kind is not kind or says not in answer.detail:
        raise Broken(f"expected {kind} {says!r}, got {answer}")


def _must(holds: bool, problem: str) -> None:
    if not holds:
        raise Broken(problem)


def _faults(backend: Backend, source: str, kind: FaultKind, says: str = "") -> None:
    """A bot that is ready, then commits this fault at its first decision, and is told in time."""
    with _seat(backend, "ready()\n" + source) as seat:
        answer = _hello(seat)
        _must(isinstance(answer, Reply), f"not ready: {answer}")
        late = kind is FaultKind.TIMEOUT
        fault = _ask(seat, _MOVE_MS if late else _START_MS)
        _expect(fault, kind, says)
        allowed_ms = _MOVE_MS + _LATE_MS if late else _AT_ONCE_MS
        _must(fault.charged_ms <= allowed_ms, f"seen after {fault.charged_ms:.0f} ms")
        _must(kind in (FaultKind.TIMEOUT, FaultKind.GARBAGE) or not seat.live, "it lives on")


# -- a bot that plays fair -------------------------------------------------------------------------


@_behaviour
def a_round_trip_gives_the_reply(backend: Backend) -> None:
    with _seat(backend, "ready()\nwhile True: answer(card='JS')") as seat:
        for answer in (_hello(seat), _ask(seat), _ask(seat)):
            _must(isinstance(answer, Reply), f"no reply: {answer}")
        _must(seat.live, "it is not live after a reply")


@_behaviour
def threads_asyncio_subprocess_and_sqlite_work(backend: Backend) -> None:
    found = _found(backend, "ready(found=honest_work())")
    wanted = ["threads", "asyncio", "subprocess", "sqlite", "random", "shell", "python3"]
    _must(found == wanted, f"only {found}")


@_behaviour
def its_log_is_kept(backend: Backend) -> None:
    with _seat(
        backend, "print('a line for its owner', file=sys.stderr, flush=True)\nready()\nwait()"
    ) as seat:
        _hello(seat)
        _must("a line for its owner" in seat.take_log(), "the log is lost")
        _must(not seat.take_log(), "the log was not taken")


@_behaviour
def a_flood_in_the_log_is_harmless(backend: Backend) -> None:
    source = "for _ in range(200): os.write(2, b'x' * 65536)\nready()\nflood(2)"
    with _seat(backend, source) as seat:
        _must(isinstance(_hello(seat), Reply), "its log held it up")
        _expect(_ask(seat, _MOVE_MS), FaultKind.TIMEOUT)
        _must(len(seat.log) < MAX_LOG_BYTES + 100, f"{len(seat.log)} characters were kept")


# -- how it ends -----------------------------------------------------------------------------------


@_behaviour
def an_end_before_hello_is_seen_at_once(backend: Backend) -> None:
    with _seat(backend, "sys.exit(0)") as seat:
        _expect(_hello(seat), FaultKind.CRASH, "exit code 0")


@_behaviour
def an_exit_code_is_seen(backend: Backend) -> None:
    _faults(backend, "sys.exit(7)", FaultKind.CRASH, "exit code 7")


@_behaviour
def a_signal_is_seen(backend: Backend) -> None:
    _faults(backend, "os.kill(os.getpid(), signal.SIGSEGV)", FaultKind.CRASH, "SIGSEGV")


@_behaviour
def a_closed_output_is_an_end(backend: Backend) -> None:
    _faults(backend, "os.close(1)\nwait()", FaultKind.CRASH, "closed its standard output")


@_behaviour
def a_closed_output_and_log_are_an_end(backend: Backend) -> None:
    _faults(backend, "os.close(1); os.close(2)\nwait()", FaultKind.CRASH, "closed")


@_behaviour
def a_memory_bomb_is_stopped(backend: Backend) -> None:
    _faults(backend, "hoard()", FaultKind.MEMORY)


@_behaviour
def a_memory_bomb_in_one_piece_is_stopped(backend: Backend) -> None:
    _faults(backend, "x = b'x' * (1280 << 20)\nwait()", FaultKind.MEMORY)


@_behaviour
def a_memory_bomb_of_many_processes_is_stopped(backend: Backend) -> None:
    source = "for _ in range(6):\n    if os.fork() == 0: hoard(60)\nhoard(60)"
    with _seat(backend, "ready()\n" + source) as seat:
        _hello(seat)
        answer = _ask(seat, 5_000)
        # Which process the kernel picks differs; what counts is that the whole did not grow.
        fair = {FaultKind.MEMORY, FaultKind.TIMEOUT, FaultKind.CRASH}
        _must(isinstance(answer, Failure) and answer.kind in fair, f"got {answer}")


@_behaviour
def memory_hidden_in_sockets_is_counted(backend: Backend) -> None:
    _faults(backend, "fill_sockets()\nwait()", FaultKind.MEMORY)


# -- its time and its output -----------------------------------------------------------------------


@_behaviour
def a_deadline_is_kept(backend: Backend) -> None:
    _faults(backend, "wait()", FaultKind.TIMEOUT)


@_behaviour
def a_half_line_is_no_reply(backend: Backend) -> None:
    _faults(
        backend, "q = question(); os.write(1, b'{\"id\": \"' + q['id'].encode())\nwait()", FaultKind.TIMEOUT
    )


@_behaviour
def a_bot_that_never_reads_holds_nobody_up(backend: Backend) -> None:
    with _seat(backend, "ready()\nwait()") as seat:
        _hello(seat)
        began = time.monotonic()
        _expect(_ask(seat, _MOVE_MS, ballast=1_000_000), FaultKind.TIMEOUT)
        took_ms = (time.monotonic() - began) * 1000.0
        _must(took_ms < _MOVE_MS + _LATE_MS, f"told after {took_ms:.0f} ms")


@_behaviour
def a_flood_of_lines_is_cut_off(backend: Backend) -> None:
    _faults(backend, "flood(1, b'{}\\n' * 1000)", FaultKind.OUTPUT)


@_behaviour
def a_flood_of_text_is_cut_off(backend: Backend) -> None:
    _faults(backend, "flood(1, b'text\\n' * 1000)", FaultKind.OUTPUT)


@_behaviour
def an_endless_line_is_cut_off(backend: Backend) -> None:
    _faults(backend, "flood(1)", FaultKind.OUTPUT, "line")


@_behaviour
def text_that_is_no_reply_is_garbage(backend: Backend) -> None:
    _faults(backend, "print('thinking')\nanswer(card='JS')\nwait()", FaultKind.GARBAGE)


@_behaviour
def a_bot_that_stops_itself_is_removed(backend: Backend) -> None:
    source = "for s in (signal.SIGTERM, signal.SIGINT): signal.signal(s, signal.SIG_IGN)\n"
    with _seat(backend, source + "ready()\nos.kill(os.getpid(), signal.SIGSTOP)") as seat:
        _hello(seat)
        _expect(_ask(seat, _MOVE_MS), FaultKind.TIMEOUT)
        began = time.monotonic()
        seat.stop()
        _must(time.monotonic() - began < _AT_ONCE_MS / 1000.0, "it took long to remove")


# -- what it can reach -----------------------------------------------------------------------------


@_behaviour
def a_fork_bomb_is_contained(backend: Backend) -> None:
    limits = Limits()
    forked = _found(backend, "ready(found=forks())", limits)
    _must(forked < limits.pids, f"{forked} processes")


@_behaviour
def a_thread_bomb_is_contained(backend: Backend) -> None:
    limits = Limits()
    started = _found(backend, "ready(found=threads())", limits)
    _must(started < limits.pids, f"{started} threads")


@_behaviour
def there_is_no_network(backend: Backend) -> None:
    found = _found(backend, "ready(found=networks())")
    _must(not found, f"it has {found}")


@_behaviour
def nothing_can_be_written(backend: Backend) -> None:
    found = _found(backend, "ready(found=writable_places())")
    _must(not found, f"it wrote {found}")


@_behaviour
def its_own_files_cannot_be_changed(backend: Backend) -> None:
    found = _found(backend, "ready(found=own_files_changed())")
    _must(not found, f"it changed {found}")


@_behaviour
def the_kernel_refuses_what_no_bot_needs(backend: Backend) -> None:
    found = _found(backend, "ready(found=calls_that_worked())")
    _must(not found, f"the kernel granted {found}")


@_behaviour
def it_has_no_privileges_and_can_gain_none(backend: Backend) -> None:
    found = _found(backend, "ready(found=privileges())")
    _must(found == {"CapEff": 0, "CapPrm": 0, "CapBnd": 0, "NoNewPrivs": 1, "Seccomp": 2}, f"it has {found}")


@_behaviour
def the_environment_does_not_leak(backend: Backend) -> None:
    os.environ[_CANARY] = "sings"
    try:
        found = _found(backend, "ready(found=environments())")
    finally:
        del os.environ[_CANARY]
    known = {*BASE_ENVIRONMENT, "HOSTNAME", "PWD", "SHLVL", "_"}
    extra = {name for name in found if name not in known and not name.startswith("PYTHON")}
    _must(not extra, f"it sees {extra}")


@_behaviour
def other_processes_are_invisible(backend: Backend) -> None:
    found = _found(backend, "ready(found=processes())")
    _must(len(found) <= 4, f"it sees {found}")


@_behaviour
def only_its_three_pipes_are_open(backend: Backend) -> None:
    found = _found(backend, "ready(found=descriptors())")
    _must(found == [0, 1, 2], f"it holds {found}")


@_behaviour
def secrets_of_the_machine_are_out_of_reach(backend: Backend) -> None:
    here = str(Path(__file__).resolve())
    found = _found(backend, f"ready(found=readable({here!r}))")
    _must(not found, f"it reads {found}")


# -- what stays ------------------------------------------------------------------------------------


@_behaviour
def nothing_is_left_after_it_ends(backend: Backend) -> None:
    mark = secrets.token_hex(16)
    with _seat(backend, f"daemon({mark!r})\nready()\nsys.exit(0)") as seat:
        _hello(seat)
        _expect(_ask(seat), FaultKind.CRASH, "exit code 0")
    _must(not _alive(mark), "its daemon lives on")


@_behaviour
def nothing_is_left_after_it_is_stopped(backend: Backend) -> None:
    mark = secrets.token_hex(16)
    with _seat(backend, f"daemon({mark!r})\nready()\nwait()") as seat:
        _hello(seat)
        _must(bool(_alive(mark)), "the daemon never lived, so this shows nothing")
        seat.stop()
        _must(not _alive(mark), "its daemon lives on")


@_behaviour
def goodbye_gives_a_second(backend: Backend) -> None:
    with _seat(
        backend, "ready()\nprint('over', file=sys.stderr) if not sys.stdin.readline() else None"
    ) as seat:
        _hello(seat)
        began = time.monotonic()
        seat.close()
        _must(time.monotonic() - began < _AT_ONCE_MS / 1000.0, "an honest end was not noticed")
        _must("over" in seat.log, "its last words are lost")
    with _seat(backend, "ready()\nwait()") as seat:
        _hello(seat)
        began = time.monotonic()
        seat.close()
        took_s = time.monotonic() - began
        _must(0.9 < took_s < 10.0, f"killed after {took_s:.1f} s")


def _alive(mark: str) -> list[str]:
    """Processes of this machine that have the mark among their arguments."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(path.parent.name)
    return found
