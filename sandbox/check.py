"""The check of an upload, stage by stage; it stops at the first that fails.

For the league before a version may play, and for an author at home. A fault of the platform's is
raised and says nothing about the upload.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from arena.protocol import ClockLimits, Hello
from arena.rules import Rules
from arena.seat import Failure, FaultKind
from sandbox.build import BuildFailed, build
from sandbox.languages import languages
from sandbox.limits import Limits
from sandbox.package import Package, UploadError, UploadLimits, read_folder, read_upload
from sandbox.qualify import EVERY_OPTION, Trial, qualify, rules_text
from sandbox.seat import ProcessSeat
from sandbox.session import Backend
from sandbox.stages import Stage, StageResult, Status, cut, failed

__all__ = [
    "PLAYERS",
    "Stage",
    "StageResult",
    "Status",
    "check_folder",
    "check_package",
    "check_upload",
    "describe",
]

PLAYERS = (3, 4, 5, 6)
#: What is wrong with the program's description, not with how it was packed.
_MANIFEST_CODES = ("bad_manifest", "bad_flag", "unknown_language", "no_entry")


#: Which stage a fault before ``ready`` belongs to; it never got as far as speaking in the first two.
_START_FAULTS = (FaultKind.CRASH, FaultKind.MEMORY)


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
    read = partial(read_upload, data, filename, upload_limits)
    yield from _check(read, backend, players, limits=limits, clock=clock)


def check_folder(
    folder: Path,
    backend: Backend,
    players: Sequence[int] = PLAYERS,
    *,
    limits: Limits | None = None,
    upload_limits: UploadLimits | None = None,
    clock: ClockLimits | None = None,
) -> Iterator[StageResult]:
    """Check a folder of the author's as if it had been zipped and sent; see :func:`check_upload`."""
    yield from _check(
        partial(read_folder, folder, upload_limits), backend, players, limits=limits, clock=clock
    )


def _check(
    read: Callable[[], Package],
    backend: Backend,
    players: Sequence[int],
    *,
    limits: Limits | None,
    clock: ClockLimits | None,
) -> Iterator[StageResult]:
    watch = _Lap()
    try:
        package = read()
    except UploadError as error:
        stage = Stage.MANIFEST if error.code in _MANIFEST_CODES else Stage.ARCHIVE
        if stage is Stage.MANIFEST:
            yield StageResult(Stage.ARCHIVE, Status.PASSED, "ok", "It can be unpacked.", "", watch.ms())
        yield StageResult(stage, Status.FAILED, error.code, f"{error}.", "", watch.ms())
        return
    yield from describe(package, watch.ms())
    yield from check_package(package, backend, players, limits=limits, clock=clock)


def describe(package: Package, duration_ms: float = 0.0) -> Iterator[StageResult]:
    """The stages of an archive that has been read: what was found in it."""
    count = len(package.files)
    found = f"{count} file{'' if count == 1 else 's'}, {sum(map(len, package.files.values()))} bytes."
    yield StageResult(Stage.ARCHIVE, Status.PASSED, "ok", found, "", duration_ms)
    language = languages()[package.language]
    what = f"{package.entry} is a program in {language.title} ({language.about})."
    yield StageResult(Stage.MANIFEST, Status.PASSED, "ok", what, "", 0.0)


def check_package(
    package: Package,
    backend: Backend,
    players: Sequence[int] = PLAYERS,
    *,
    limits: Limits | None = None,
    clock: ClockLimits | None = None,
) -> Iterator[StageResult]:
    """The stages from ``build`` on; see :func:`check_upload`."""
    clock = clock or ClockLimits()
    made = _build(package, backend)
    yield made
    if not made.passed:
        return
    package = made.artefact or package
    for result in _handshake(package, backend, limits, clock, players[0]):
        yield result
        if not result.passed:
            return
    every = [rules for rules in map(_rules, EVERY_OPTION) if rules.players in players]
    trial = Trial(package, backend, limits, clock)
    known = _play(Stage.RULES, trial, every)
    yield known
    if known.passed:
        yield _play(Stage.TABLE, trial, [Rules.make(players=count, deals=count) for count in players])


def _rules(options: Mapping[str, Any]) -> Rules:
    return Rules.make(**options)


def _build(package: Package, backend: Backend) -> StageResult:
    watch = _Lap()
    title = languages()[package.language].title
    if package.runnable:
        done = f"{title} needs no build."
        return StageResult(Stage.BUILD, Status.PASSED, "ok", done, "", watch.ms())
    try:
        built = build(package, backend)
    except BuildFailed as error:
        return StageResult(Stage.BUILD, Status.FAILED, error.code, str(error), error.log, watch.ms())
    size = sum(map(len, built.artefact.files.values()))
    flags = " ".join(package.flags) or "no flags"
    done = f"Built by {built.compiler} with {flags}: {size // 1024 + 1} KiB."
    return StageResult(Stage.BUILD, Status.PASSED, "ok", done, built.log, watch.ms(), built.artefact)


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
        yield failed(Stage.START, failure.kind, failure.detail, log, duration_ms)
        return
    yield StageResult(Stage.START, Status.PASSED, "ok", "The program runs.", log, duration_ms)
    if failure is not None:
        yield failed(Stage.HANDSHAKE, failure.kind, failure.detail, log, duration_ms)
        return
    ready = f"It was ready after {answer.charged_ms:.0f} of {clock.start_ms} ms."
    yield StageResult(Stage.HANDSHAKE, Status.PASSED, "ok", ready, log, duration_ms)


def _play(stage: Stage, trial: Trial, matches: Sequence[Rules]) -> StageResult:
    """Matches by several rules, the bot in another seat each time."""
    watch = _Lap()
    logs = ""
    decisions = 0
    for index, rules in enumerate(matches):
        place = index % rules.players
        doubting = stage is Stage.RULES
        played = qualify(trial, rules, place, doubting=doubting)
        logs += played.log
        decisions += played.decisions
        if (fault := played.fault) is not None:
            game = f", {rules_text(rules)}" if stage is Stage.RULES else ""
            where = f"with {rules.players} players, deal {fault.deal}, trick {fault.trick}{game}"
            detail = f"{fault.detail} ({where})"
            return failed(stage, FaultKind(fault.kind), detail, played.log, watch.ms())
    if stage is Stage.RULES:
        options = "every option" if len(matches) == len(EVERY_OPTION) else "the options at these tables"
        done = f"It took {decisions} decisions by {len(matches)} sets of rules, with {options}."
    else:
        sizes = ", ".join(str(rules.players) for rules in matches)
        done = f"It played a match without a fault at each table of {sizes}."
    return StageResult(stage, Status.PASSED, "ok", done, cut(logs), watch.ms())


class _Lap:
    """Milliseconds since it was made."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def ms(self) -> float:
        return (time.monotonic() - self._began) * 1000.0
