"""Whole tables: what the referee costs, players in this process, and bots in sandboxes."""

import os
import secrets
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

from arena.players import REFERENCE
from arena.protocol import ClockLimits, Hello, Message, PlayQuestion, Question, encode, parse_reply
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Answer, InProcessSeat, Reply, Seat
from sandbox.backends import SandboxUnavailable, choose
from sandbox.ids import unguessable
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from sandbox.session import Backend

TRIVIAL_BOT = b"""\
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "play":
        print(json.dumps({"id": message["id"], "card": message["legal"][0]}), flush=True)
    elif message["type"] == "hello":
        print(json.dumps({"id": message["id"], "ready": True}), flush=True)
"""
DECISIONS = 32  # in a deal of four players without bids
TAPED_DEALS = 50


class Contender(Protocol):
    """Something that plays."""

    def play(self, deals: int) -> None:
        """Play so many deals."""


class InstantSeat:
    """Plays the first legal card and takes no time over it: what is left is the referee's own work."""

    def __init__(self) -> None:
        self.live = False

    def tell(self, message: Message) -> None:
        """Forget it."""

    def ask(self, question: Question, budget_ms: float) -> Answer:
        """The first answer that is right."""
        self.live = True
        if isinstance(question, PlayQuestion):
            return Reply({"id": question.id, "card": question.legal[0]})
        return Reply({"id": question.id, "ready": True})

    def off_turn_ms(self) -> float:
        """None."""
        return 0.0

    def stop(self) -> None:
        """Nothing runs."""
        self.live = False

    close = stop


class Tables:
    """A table of four that stays, and plays one-deal matches; use it in a `with` block."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        rules = Rules.make(players=4, bids=[], deals=1, tiebreak="shared")
        self._table = Table(rules, seats, new_id=unguessable())
        self._faults = 0

    def __enter__(self) -> "Tables":
        return self

    def __exit__(self, *_: object) -> None:
        self._table.close()

    def play(self, deals: int) -> None:
        """Play so many matches of one deal. Raises RuntimeError at a fault: then the figures mean nothing."""
        for _ in range(deals):
            record = self._table.play(Board(secrets.token_bytes(32)), match="bench", bots=["bot"] * 4)
            if record.faults:
                raise RuntimeError(f"a bot of the bench failed: {record.faults[0]}")


def instant() -> Tables:
    """Four seats that answer at once."""
    return Tables([InstantSeat() for _ in range(4)])


def codec() -> Tables:
    """Four seats that answer at once, over a wire that takes no time."""
    return Tables([CodecSeat() for _ in range(4)])


def in_process(name: str) -> Tables:
    """Four reference players in this process."""
    return Tables([InProcessSeat(REFERENCE[name]) for _ in range(4)])


def sandboxed(backend: Backend, package: Package, core: int | None = None) -> Tables:
    """Four trivial bots, each in a sandbox; all on one core, or wherever the kernel puts them."""
    return Tables([ProcessSeat(backend, package, Limits(core=core), label="bench") for _ in range(4)])


def python_bot() -> Package:
    """The trivial bot in Python."""
    return Package({"main.py": TRIVIAL_BOT}, "python", "main.py")


@cache
def c_bot() -> Package | None:
    """The trivial bot in C, which costs next to nothing; `None` where there is no compiler."""
    compiler = next((found for name in ("musl-gcc", "gcc") if (found := shutil.which(name))), None)
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "bot"
        source = Path(__file__).with_name("trivial.c")
        subprocess.run([compiler, "-static", "-O2", "-s", "-o", target, source], check=True)
        return Package({"bot": target.read_bytes()}, "c", "bot", built=True)


class CodecSeat(InstantSeat):
    """Plays the first legal card, over a wire that takes no time: questions are encoded and replies
    parsed, so this is all of the referee's own work but for its system calls.

    Attributes:
        tape: what was written, each time with the question in it last.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tape: list[bytes] = []
        self._queued: list[Message] = []

    def tell(self, message: Message) -> None:
        """Send it with the next question."""
        self._queued.append(message)

    def ask(self, question: Question, budget_ms: float) -> Answer:
        """The first answer that is right, as it would come over the wire."""
        self.live = True
        self.tape.append(encode([*self._queued, question]))
        self._queued.clear()
        if isinstance(question, PlayQuestion):
            return Reply(parse_reply(f'{{"id":"{question.id}","card":"{question.legal[0]}"}}'.encode()))
        return Reply({"id": question.id, "ready": True})


class Taped(CodecSeat):
    """Keeps what all seats of a table wrote on one tape, in order, for `Floor`."""

    def __init__(self, number: int, tape: list[tuple[int, bytes]]) -> None:
        super().__init__()
        self._number, self._all = number, tape

    def ask(self, question: Question, budget_ms: float) -> Answer:
        """As `CodecSeat`."""
        answer = super().ask(question, budget_ms)
        self._all.append((self._number, self.tape.pop()))
        return answer


class Floor:
    """The same bytes to the same bots over the same pipes in the same order, with no referee: nobody can
    be faster. Use it in a `with` block."""

    def __init__(self, backend: Backend, package: Package, core: int | None) -> None:
        tape: list[tuple[int, bytes]] = []
        Tables([Taped(number, tape) for number in range(4)]).play(1 + TAPED_DEALS)
        self._tape = tape[4 + DECISIONS :]  # without hello
        log = BotLog()
        self._sessions = [backend.launch(package, Limits(core=core), log, "bench") for _ in range(4)]
        # The channel's own pipes, and waiting in the read itself: one system call less than any referee.
        channels = [session.channel for session in self._sessions]
        self._into = [each._into for each in channels if each._into is not None]
        self._out = [each._out for each in channels if each._out is not None]
        for out in self._out:
            os.set_blocking(out, True)

    def __enter__(self) -> "Floor":
        return self

    def __exit__(self, *_: object) -> None:
        for session in self._sessions:
            session.finish()

    def play(self, deals: int) -> None:
        """Pass so many deals' questions and answers."""
        write, read = os.write, os.read
        into, out = self._into, self._out
        first = 0
        for _ in range(deals):
            for number, data in self._tape[first : first + DECISIONS]:
                write(into[number], data)
                read(out[number], 65536)
            first = (first + DECISIONS) % len(self._tape)


def backends() -> Iterator[tuple[str, Backend | None, str]]:
    """Each sandbox: its name, and itself or the reason why it does not work here."""
    for name in ("bubblewrap", "docker"):
        try:
            yield name, choose(name), ""
        except SandboxUnavailable as error:
            yield name, None, error.reasons[name]


def start_ms(backend: Backend, times: int = 7) -> list[float]:
    """How long one bot takes from launch to ready, in milliseconds, several times over."""
    taken = []
    for number in range(times):
        seat = ProcessSeat(backend, python_bot(), label="bench")
        hello = Hello(id=str(number), rules=Rules.make().to_json(), players=4, clock=ClockLimits())
        start = time.perf_counter()
        answer = seat.ask(hello, 10_000)
        taken.append((time.perf_counter() - start) * 1000)
        seat.stop()
        if not isinstance(answer, Reply):
            raise RuntimeError(f"a bot of the bench did not start: {answer}")
    return taken


def codec_work() -> Callable[[int], None]:
    """What one deal's questions and replies cost to encode and parse."""
    texts = ["KS", "QS", "JS", "TH", "9D", "8C"]
    events = [("card", 1, "7S"), ("card", 2, "AH"), ("trick", 1), ("card", 1, "QD")]
    question = PlayQuestion(
        id="0000002a", legal=texts, hand=texts, trick=["QD"], leader=1, events=events, bank_ms=10_000
    )
    line = b'{"id":"0000002a","card":"JS"}'

    def work(deals: int) -> None:
        for _ in range(deals * DECISIONS):
            encode([question])
            parse_reply(line)

    return work
