"""The check of an upload, stage by stage; it stops at the first that fails.

For the league before a version may play, and for an author at home. A fault of the platform's is
raised and says nothing about the upload.
"""

import hashlib
import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.players import REFERENCE
from arena.protocol import ClockLimits, Hello
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Failure, FaultKind, InProcessSeat, Seat
from sandbox.limits import Limits
from sandbox.package import Package, UploadError, UploadLimits, read_upload
from sandbox.seat import ProcessSeat
from sandbox.session import Backend

PLAYERS = (3, 4, 5, 6)
_OPPONENTS = ("dodger", "lowest", "random", "highest", "counter")


class Stage(StrEnum):
    """What is looked at, in this order."""

    ARCHIVE = "archive"
    START = "start"
    HANDSHAKE = "handshake"
    TABLE = "table"


class Status(StrEnum):
    """How a stage ended."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StageResult:
    """One stage's outcome, for the bot's owner.

    Attributes:
        code: stable: ``ok``, a code of :class:`~sandbox.package.UploadError`, or a kind of fault.
        message: a sentence.
        log: what the bot wrote to its standard error.
    """

    stage: Stage
    status: Status
    code: str
    message: str
    log: str
    duration_ms: float

    @property
    def passed(self) -> bool:
        """Whether the next stage may follow."""
        return self.status is Status.PASSED


#: Which stage a fault before ``ready`` belongs to; it never got as far as speaking in the first two.
_START_FAULTS = (FaultKind.CRASH, FaultKind.MEMORY)
_SENTENCES = {
    FaultKind.START: "It did not answer hello with ready in time: {detail}.",
    FaultKind.TIMEOUT: "It took too long over a decision: {detail}.",
    FaultKind.CRASH: "The program ended: {detail}. Its log may say why.",
    FaultKind.MEMORY: "It was stopped for its memory: {detail}.",
    FaultKind.OUTPUT: "It printed too much: {detail}.",
    FaultKind.GARBAGE: "It printed a line that is no reply: {detail}. Debug text belongs on standard error.",
    FaultKind.INVALID: "It answered with no possible action: {detail}.",
    FaultKind.REVOKE: "It revoked twice in one decision: {detail}.",
}


def check_upload(
    data: bytes,
    filename: str,
    backend: Backend,
    players: Sequence[int] = PLAYERS,
    *,
    limits: Limits | None = None,
    upload_limits: UploadLimits | None = None,
    clock: ClockLimits | None = None,
) -> Iterator[StageResult]:
    """Check an upload from its bytes on.

    Args:
        players: the sizes of table to try it at.

    Yields:
        A result as each stage ends; the last is the one that failed, or ``table``.

    Raises:
        PlatformFailure: the platform's fault; nothing is said about the upload.
    """
    watch = _Lap()
    try:
        package = read_upload(data, filename, upload_limits)
    except UploadError as error:
        yield StageResult(Stage.ARCHIVE, Status.FAILED, error.code, f"{error}.", "", watch.ms())
        return
    message = f"{len(package.files)} files; {package.entry} is run as {package.language}."
    yield StageResult(Stage.ARCHIVE, Status.PASSED, "ok", message, "", watch.ms())
    yield from check_package(package, backend, players, limits=limits, clock=clock)


def check_package(
    package: Package,
    backend: Backend,
    players: Sequence[int] = PLAYERS,
    *,
    limits: Limits | None = None,
    clock: ClockLimits | None = None,
) -> Iterator[StageResult]:
    """The stages after the archive's; see :func:`check_upload`."""
    clock = clock or ClockLimits()
    for result in _handshake(package, backend, limits, clock, players[0]):
        yield result
        if not result.passed:
            return
    yield _table(package, backend, limits, clock, players)


def _handshake(
    package: Package, backend: Backend, limits: Limits | None, clock: ClockLimits, players: int
) -> Iterator[StageResult]:
    watch = _Lap()
    rules = Rules.make(players=players)
    seat = ProcessSeat(backend, package, limits, label="check")
    try:
        hello = Hello(id=secrets.token_hex(8), rules=rules.to_json(), players=players, clock=clock)
        answer = seat.ask(hello, clock.start_ms)
        if isinstance(answer, Failure):
            failure: Failure | None = answer
        elif answer.value.get("ready") is not True:
            failure = Failure(FaultKind.START, 'its reply has no "ready": true')
        else:
            failure = None
        seat.close()
        duration_ms, log = watch.ms(), seat.log
    finally:
        seat.stop()
    if failure is not None and failure.kind in _START_FAULTS:
        yield _failed(Stage.START, failure.kind, failure.detail, log, duration_ms)
        return
    yield StageResult(Stage.START, Status.PASSED, "ok", "The program runs.", log, duration_ms)
    if failure is not None:
        yield _failed(Stage.HANDSHAKE, failure.kind, failure.detail, log, duration_ms)
        return
    ready = f"It was ready after {answer.charged_ms:.0f} of {clock.start_ms} ms."
    yield StageResult(Stage.HANDSHAKE, Status.PASSED, "ok", ready, log, duration_ms)


def _table(
    package: Package, backend: Backend, limits: Limits | None, clock: ClockLimits, players: Sequence[int]
) -> StageResult:
    """A match at each size of table, the bot in another seat each time."""
    watch = _Lap()
    logs = []
    for place, count in enumerate(players):
        rules = Rules.make(players=count, deals=count)
        bot = ProcessSeat(backend, package, limits, label=f"check-{count}")
        own = place % count
        seats: list[Seat] = [InProcessSeat(REFERENCE[name]) for name in _OPPONENTS[: count - 1]]
        seats.insert(own, bot)
        table = Table(rules, seats, new_id=lambda: secrets.token_hex(8), clock=clock)
        # The same bot always gets the same cards, so that a verdict can be repeated.
        seed = hashlib.sha256(f"polignac/check/{package.digest}/{count}".encode()).digest()
        try:
            record = table.play(
                Board(seed), match="check", bots=["bot" if s is bot else "reference" for s in seats]
            )
            table.close()
        finally:
            bot.stop()
        log = bot.take_log()
        for fault in record.faults:
            if fault.seat == own:
                where = f"{fault.detail} (with {count} players, deal {fault.deal}, trick {fault.trick})"
                return _failed(Stage.TABLE, FaultKind(fault.kind), where, log, watch.ms())
        logs.append(log)
    sizes = ", ".join(map(str, players))
    message = f"It played a match without a fault at each table of {sizes}."
    return StageResult(Stage.TABLE, Status.PASSED, "ok", message, "".join(logs), watch.ms())


def _failed(stage: Stage, kind: FaultKind, detail: str, log: str, duration_ms: float) -> StageResult:
    message = _SENTENCES[kind].format(detail=detail)
    return StageResult(stage, Status.FAILED, str(kind), message, log, duration_ms)


class _Lap:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def ms(self) -> float:
        return (time.monotonic() - self._began) * 1000.0
