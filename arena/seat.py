"""The Seat port: how the referee speaks with whoever holds a seat."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

import msgspec

from arena.protocol import Hello, Message, Question


class FaultKind(StrEnum):
    """What a bot can do wrong (protocol.md, Faults)."""

    START = "start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    MEMORY = "memory"
    OUTPUT = "output"
    GARBAGE = "garbage"
    INVALID = "invalid"
    REVOKE = "revoke"


class Reply(msgspec.Struct, frozen=True, gc=False):
    """The object that a bot sent with the question's id.

    Attributes:
        charged_ms: milliseconds that its clock is charged.
    """

    value: Mapping[str, Any]
    charged_ms: float = 0.0


class Failure(msgspec.Struct, frozen=True, gc=False):
    """A seat that did not answer, by its own fault.

    Attributes:
        detail: one line for the bot's owner.
        charged_ms: milliseconds that its clock is charged.
    """

    kind: FaultKind
    detail: str
    charged_ms: float = 0.0


Answer: TypeAlias = Reply | Failure


class Seat(Protocol):
    """One seat of a table.

    What is the platform's fault (a sandbox that can't be made, say) is raised as
    :class:`arena.errors.PlatformFailure`, never answered as a :class:`Failure`.
    """

    @property
    def live(self) -> bool:
        """Whether a process has answered ``hello`` and has not ended or been stopped since."""
        ...

    def tell(self, message: Message) -> None:
        """Queue a message that wants no reply; it goes out with the next question."""
        ...

    def ask(self, question: Question, budget_ms: float) -> Answer:
        """Put a question and wait for its reply, ``budget_ms`` of charged time at the most.

        A :class:`~arena.protocol.Hello` starts the process first. Lines with another id or none are
        dropped here, and count as output.
        """
        ...

    def off_turn_ms(self) -> float:
        """Processor time that the process has used while it was not asked, since this was last called,
        in milliseconds. Called before each question."""
        ...

    def stop(self) -> None:
        """Kill the process at once. Harmless when repeated; a later ``hello`` starts a fresh one."""
        ...

    def close(self) -> None:
        """End the session: send what is queued, give the process a second, kill it. Harmless twice."""
        ...


class InProcessSeat:
    """A seat held by a Python object of our own: no process, no clock, nothing to confine.

    Args:
        new_player: makes a player whose ``handle`` takes a message as plain data and gives a reply, or
            ``None`` where none is wanted. Called anew for every session.
    """

    def __init__(self, new_player: Callable[[], "MessageHandler"]) -> None:
        self._new_player = new_player
        self._player: MessageHandler | None = None

    @property
    def live(self) -> bool:
        return self._player is not None

    def tell(self, message: Message) -> None:
        if self._player is not None:
            self._player.handle(msgspec.to_builtins(message))

    def ask(self, question: Question, budget_ms: float) -> Answer:
        if isinstance(question, Hello):
            self._player = self._new_player()
        assert self._player is not None, "asked before hello"
        reply = self._player.handle(msgspec.to_builtins(question))
        return Reply(reply or {})

    def off_turn_ms(self) -> float:
        return 0.0

    def stop(self) -> None:
        self._player = None

    def close(self) -> None:
        self._player = None


class MessageHandler(Protocol):
    """A bot as a function from messages to replies."""

    def handle(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Take one message; answer it where it wants a reply."""
        ...


class ScriptedSeat:
    """A seat that gives prepared answers to ``bid`` and ``play``, for tests; always ready.

    Attributes:
        heard: every message sent to it, in order.
    """

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = iter(answers)
        self.live = False
        self.heard: list[Message] = []

    def tell(self, message: Message) -> None:
        self.heard.append(message)

    def ask(self, question: Question, budget_ms: float) -> Answer:
        self.heard.append(question)
        if isinstance(question, Hello):
            self.live = True
            return Reply({"id": question.id, "ready": True})
        return next(self._answers)

    def off_turn_ms(self) -> float:
        return 0.0

    def stop(self) -> None:
        self.live = False

    def close(self) -> None:
        self.live = False
