"""The clock is fair while every processor is busy with other work: with figures, against real processes.

What a verdict may be off by is TOLERANCE_MS; docs/sandbox.md, The clock, says what it is made of. The referee
may run first while it waits (sandbox/cores.py).
"""

import contextlib
import json
import os
import secrets
import statistics
import subprocess
import sys
import time

import pytest

from arena.players import REFERENCE
from arena.protocol import ClockLimits, Hello
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Failure, FaultKind, InProcessSeat, Reply
from sandbox.bubblewrap import BubblewrapBackend
from sandbox.cores import own_core, running_first
from sandbox.fairclock import QUICK_MS
from sandbox.limits import Limits
from sandbox.seat import ProcessSeat
from tests.sandbox.bots import THINKER, python
from tests.sandbox.test_fairclock import ask

pytestmark = [pytest.mark.bubblewrap, pytest.mark.slow]

MATCHES = 500
VERDICTS = 200
TOLERANCE_MS = 20
START_MS = 30_000

#: Thinks for so many milliseconds of processor time before each card, then perhaps spins until it is asked
#: again; says on leaving what it was told of its bank, and what it used off turn.
PLAYER = """
import json, os, select, sys, time
think_ms, spins = {think_ms}, {spins}
banks, off_turn, unread = [], 0.0, b""
def lines():
    global off_turn, unread
    while True:
        began = time.process_time()
        while spins and banks and not select.select([0], [], [], 0)[0]:
            pass
        off_turn += time.process_time() - began
        data = os.read(0, 65536)
        if not data:
            return
        *whole, unread = (unread + data).split(b"\\n")
        yield from map(json.loads, whole)
for message in lines():
    if message["type"] == "play":
        banks.append(message["bank_ms"])
        end = time.process_time() + think_ms / 1000
        while time.process_time() < end:
            pass
    if "id" in message:
        reply = {{"id": message["id"], "ready": True, "card": message.get("legal", [""])[0]}}
        os.write(1, json.dumps(reply).encode() + b"\\n")
    elif message["type"] == "bye":
        break
os.write(2, json.dumps({{"banks": banks, "off_turn_ms": off_turn * 1000}}).encode())
"""


@contextlib.contextmanager
def every_core_busy(each=2):
    """So many endless loops on each processor."""
    loops = [
        subprocess.Popen(
            [sys.executable, "-c", f"import os\nos.sched_setaffinity(0, [{core}])\nwhile True: pass"],
            stdin=subprocess.DEVNULL,
        )
        for core in os.sched_getaffinity(0)
        for _ in range(each)
    ]
    try:
        with running_first() as permitted:
            assert permitted, "tests that keep every core busy are marked `realtime`"
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


class Watched(ProcessSeat):
    """Keeps what each decision was charged; may hold the referee up before each."""

    def __init__(self, *arguments, held_up_s=0.0, **options):
        super().__init__(BubblewrapBackend(), *arguments, **options)
        self.charged = []
        self.held_up_s = held_up_s

    def ask(self, question, budget_ms):
        if not isinstance(question, Hello):
            time.sleep(self.held_up_s)
        answer = super().ask(question, budget_ms)
        if not isinstance(question, Hello):
            self.charged.append(answer.charged_ms)
        return answer


def player(think_ms, spins=False, **options):
    return Watched(python(PLAYER.format(think_ms=think_ms, spins=spins)), **options)


def play(seats, clock, matches=1, deals=1):
    """The faults of so many matches; other seats are honest players of ours."""
    rules = Rules.make(players=6, deals=deals, bids=[], tiebreak="shared")
    everyone = [*seats, *(InProcessSeat(REFERENCE["lowest"]) for _ in range(6 - len(seats)))]
    table = Table(rules, everyone, new_id=lambda: secrets.token_hex(8), clock=clock)
    try:
        boards = [Board(number.to_bytes(32)) for number in range(matches)]
        return [fault for board in boards for fault in table.play(board, match="m", bots=["b"] * 6).faults]
    finally:
        table.close()


def thinker():
    seat = ProcessSeat(BubblewrapBackend(), python(THINKER))
    question = Hello(id="h", rules={}, players=4, clock=ClockLimits())
    assert isinstance(seat.ask(question, START_MS), Reply)
    return seat


@pytest.mark.realtime
def test_500_matches_by_a_bot_that_needs_70_percent_of_its_time_have_no_timeout_on_a_busy_machine():
    # A bank of ten decisions, as by default: for what the statistics don't know of, such as the time that a
    # virtual machine's processor is taken from it.
    clock = ClockLimits(start_ms=START_MS, move_ms=20, bank_ms=200)
    bot = player(think_ms=14)
    with every_core_busy():
        assert play([bot], clock, MATCHES) == []
    assert len(bot.charged) == 5 * MATCHES
    assert min(bot.charged) >= 14 - QUICK_MS
    assert sum(charged_ms > 20 for charged_ms in bot.charged) <= len(bot.charged) / 100


@pytest.mark.realtime
def test_a_bot_that_sleeps_past_its_time_is_caught_on_a_busy_machine():
    with every_core_busy():
        seat = thinker()
        for number in range(100):
            answer = ask(seat, "sleep", 60, budget_ms=30)
            assert isinstance(answer, Failure)
            assert answer.kind is FaultKind.TIMEOUT
            assert answer.charged_ms < 30 + TOLERANCE_MS, number
            ask(seat, "", 0)  # waits until it is awake again
        seat.stop()


@pytest.mark.realtime
@pytest.mark.parametrize("kind", ["spin", "sleep"])
def test_answers_just_before_and_just_after_the_limit_are_told_apart_on_a_busy_machine(kind):
    limit_ms = 35
    wrong = []
    with every_core_busy():
        seat = thinker()
        for number in range(2 * VERDICTS):
            took_ms = limit_ms + (TOLERANCE_MS if number % 2 else -TOLERANCE_MS)
            answer = ask(seat, kind, took_ms, budget_ms=limit_ms)
            if isinstance(answer, Failure) != (took_ms > limit_ms):
                wrong.append((took_ms, answer))
            ask(seat, "", 0)
        seat.stop()
    assert wrong == []


@pytest.mark.realtime
def test_a_slow_referee_moves_nobodys_clock():
    clock = ClockLimits(start_ms=START_MS, move_ms=20, bank_ms=1000)
    bot = player(think_ms=5, held_up_s=0.5)
    with every_core_busy():
        assert play([bot], clock) == []
    told = told_by(bot)
    assert told["banks"] == [1000] * 5
    assert max(bot.charged) < 20


def test_a_bot_that_spins_in_the_others_time_pays_and_they_are_charged_as_if_alone(tmp_path):
    clock = ClockLimits(start_ms=START_MS, move_ms=100, bank_ms=5000)
    with own_core(tmp_path) as core:
        on_it = {"limits": Limits(core=core)}
        alone = player(think_ms=40, **on_it)
        beside, spinner = player(think_ms=40, **on_it), player(think_ms=0, spins=True, **on_it)
        assert play([alone], clock, deals=6) == []
        assert play([beside, spinner], clock, deals=6) == []
    charged_ms, charged_alone_ms = statistics.median(beside.charged), statistics.median(alone.charged)
    assert charged_ms == pytest.approx(charged_alone_ms, rel=0.05)
    told = told_by(spinner)
    lost_ms = 5000 - told["banks"][-1]
    assert lost_ms >= 0.6 * told["off_turn_ms"] > 300
    assert lost_ms <= told["off_turn_ms"] + 20


def told_by(bot):
    """What a player said on leaving."""
    return json.loads(bot.log)
