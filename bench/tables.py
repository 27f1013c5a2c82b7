"""Whole tables: what the referee costs, players in this process, and bots in sandboxes."""

import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

from arena.players import REFERENCE
from arena.protocol import ClockLimits, Hello, Message, PlayQuestion, Question, encode, parse_reply
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Answer, InProcessSeat, Reply, Seat
from sandbox.backends import SandboxUnavailable, choose
from sandbox.limits import Limits
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
        ids = count()
        rules = Rules.make(players=4, bids=[], deals=1, tiebreak="shared")
        self._table = Table(rules, seats, new_id=lambda: f"{next(ids):08x}")
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


def in_process(name: str) -> Tables:
    """Four reference players in this process."""
    return Tables([InProcessSeat(REFERENCE[name]) for _ in range(4)])


def sandboxed(backend: Backend, core: int | None = None) -> Tables:
    """Four trivial bots, each in a sandbox; all on one core, or wherever the kernel puts them."""
    return Tables([ProcessSeat(backend, _trivial(), Limits(core=core), label="bench") for _ in range(4)])


def _trivial() -> Package:
    return Package({"main.py": TRIVIAL_BOT}, "python", "main.py")


def backends() -> Iterator[tuple[str, Backend | None, str]]:
    """Each sandbox: its name, and itself or the reason why it does not work here."""
    for name in ("bubblewrap", "docker"):
        try:
            yield name, choose(name), ""
        except SandboxUnavailable as error:
            yield name, None, error.reasons[name]


@contextmanager
def on_core(core: int) -> Iterator[None]:
    """Keep this process on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def start_ms(backend: Backend, times: int = 7) -> list[float]:
    """How long one bot takes from launch to ready, in milliseconds, several times over."""
    taken = []
    for number in range(times):
        seat = ProcessSeat(backend, _trivial(), label="bench")
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
