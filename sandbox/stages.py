"""The stages of a check: what is looked at, in which order, and what is said of each."""

from dataclasses import dataclass
from enum import StrEnum

from arena.seat import FaultKind
from sandbox.package import Package

#: As much as a bot may log in one match; a stage of many matches keeps no more.
_LOG_CHARS = 64 * 1024


class Stage(StrEnum):
    """What is looked at, in this order."""

    ARCHIVE = "archive"
    MANIFEST = "manifest"
    BUILD = "build"
    START = "start"
    HANDSHAKE = "handshake"
    RULES = "rules"
    TABLE = "table"


class Status(StrEnum):
    """How a stage ended."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StageResult:
    """One stage's outcome, for the bot's owner.

    Attributes:
        code: stable: ``ok``, a code of :class:`~sandbox.package.UploadError` or
            :class:`~sandbox.build.BuildFailed`, or a kind of fault.
        message: a sentence that says what to change.
        log: what the compiler said, or what the bot wrote to its standard error; cut at 64 KiB, and marked.
        artefact: what ``build`` made, where there was something to build: this is what runs from here on.
    """

    stage: Stage
    status: Status
    code: str
    message: str
    log: str
    duration_ms: float
    artefact: Package | None = None

    @property
    def passed(self) -> bool:
        """Whether the next stage may follow."""
        return self.status is Status.PASSED


_SENTENCES = {
    FaultKind.START: "It did not answer hello with ready in time: {detail}.",
    FaultKind.TIMEOUT: "It took too long over a decision: {detail}.",
    FaultKind.CRASH: "The program ended: {detail}. Its log may say why.",
    FaultKind.MEMORY: "It was stopped for its memory: {detail}.",
    FaultKind.OUTPUT: "It printed too much: {detail}.",
    FaultKind.GARBAGE: "It printed a line that is no reply: {detail}.",
    FaultKind.INVALID: "It answered with no possible action: {detail}.",
    FaultKind.REVOKE: "It revoked twice in one decision: {detail}.",
}


def failed(stage: Stage, kind: FaultKind, detail: str, log: str, duration_ms: float) -> StageResult:
    """A stage that failed by a fault of the bot's, in a sentence for its owner."""
    message = _SENTENCES[kind].format(detail=detail)
    return StageResult(stage, Status.FAILED, str(kind), message, log, duration_ms)


def cut(log: str) -> str:
    """A log as it may be stored, with a last line that tells of a cut."""
    cut = len(log) - _LOG_CHARS
    return f"{log[:_LOG_CHARS]}\n[{cut} more characters were not kept]\n" if cut > 0 else log
