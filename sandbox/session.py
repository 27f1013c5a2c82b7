"""The port between a seat and whatever confines a process: one launch, two pipes and a log, one end."""

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from sandbox.channel import Channel
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of an end; :mod:`sandbox.attribution` says whose fault it was.

    Attributes:
        started: the bot's own program was reached; otherwise the sandbox failed before.
        exit_code: of the bot, when it ended by itself.
        signal: the signal that ended it, when it was not we who sent it.
        killed: it was still alive when the session was finished.
        out_of_memory: the backend's watchdog or the kernel stopped it for its memory.
        vanished: the sandbox itself was ended from outside.
        note: what the sandbox has to say about a failure of its own, for operators.
    """

    started: bool = True
    exit_code: int | None = None
    signal: int | None = None
    killed: bool = False
    out_of_memory: bool = False
    vanished: bool = False
    note: str = ""


class Session(Protocol):
    """One running process.

    Attributes:
        first_process: the number, as seen from here, of the process that all others of the sandbox
            descend from; ``None`` where it can't be seen.
    """

    first_process: int | None

    @property
    def channel(self) -> Channel:
        """The way to speak with it."""
        ...

    def finish(self, grace_s: float = 0.0) -> Evidence:
        """Let it end by itself for ``grace_s`` seconds at the most, then kill all of it.

        When this returns nothing of it is left: no process, no container, no file. Harmless when
        repeated: the first evidence is given again.
        """
        ...


class Backend(Protocol):
    """Something that can confine a bot.

    Attributes:
        name: stored with each match: ``bubblewrap``, ``docker`` or ``none``.
    """

    name: str

    def available(self) -> str | None:
        """``None`` when a program really can be run here, otherwise why not and what to do."""
        ...

    def launch(self, package: Package, limits: Limits, log: BotLog, label: str = "") -> Session:
        """Start a package's program in a fresh sandbox.

        Use the session in the thread that started it.

        Args:
            label: which table and seat this is, for operators.

        Raises:
            PlatformFailure: the sandbox could not be made.
        """
        ...

    def build(self, package: Package, script: str, limits: Limits, log: BotLog, label: str = "") -> Session:
        """Run a shell script in a sandbox that has the package's compiler, instead of its program.

        It begins in the package's folder, and may write ``limits.scratch_mib`` under
        ``sandbox.languages.SCRATCH_DIR``: nothing of that is left but what it prints.

        Raises:
            PlatformFailure: the sandbox could not be made, or there is no compiler.
        """
        ...

    def tidy(self) -> list[str]:
        """Remove what workers that were killed left behind; what was removed, for operators.

        Raises:
            PlatformFailure: it can't be looked for.
        """
        ...


class FakeSession:
    """A session whose bot is a function in a thread, over real pipes; for tests."""

    def __init__(self, bot: Callable[[Iterable[bytes]], Iterable[bytes]], log: BotLog) -> None:
        bot_in, into = os.pipe()
        out, bot_out = os.pipe()
        self.channel = Channel(into, out, None, log)
        self.first_process: int | None = None
        self._evidence: Evidence | None = None
        self._thread = threading.Thread(target=self._run, args=(bot, bot_in, bot_out), daemon=True)
        self._thread.start()

    @staticmethod
    def _run(bot: Callable[[Iterable[bytes]], Iterable[bytes]], bot_in: int, bot_out: int) -> None:
        with os.fdopen(bot_in, "rb") as lines, os.fdopen(bot_out, "wb", buffering=0) as out:
            try:
                for chunk in bot(lines):
                    out.write(chunk)
            except BrokenPipeError:
                pass

    def finish(self, grace_s: float = 0.0) -> Evidence:
        if self._evidence is None:
            self.channel.hang_up()
            self._thread.join(grace_s)
            alive = self._thread.is_alive()
            self._evidence = Evidence(killed=alive, exit_code=None if alive else 0)
            self.channel.close()
        return self._evidence


class FakeBackend:
    """Launches fake sessions, whatever the package; for tests.

    Args:
        bot: takes the lines it is sent, yields the bytes that it prints.
    """

    name = "fake"

    def __init__(self, bot: Callable[[Iterable[bytes]], Iterable[bytes]]) -> None:
        self._bot = bot

    def available(self) -> str | None:
        return None

    def launch(self, package: Package, limits: Limits, log: BotLog, label: str = "") -> Session:
        return FakeSession(self._bot, log)

    def build(self, package: Package, script: str, limits: Limits, log: BotLog, label: str = "") -> Session:
        return FakeSession(self._bot, log)

    def tidy(self) -> list[str]:
        return []
