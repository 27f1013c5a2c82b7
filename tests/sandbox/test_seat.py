"""A session as the referee's seat: what is sent when, which lines are answers, and what ends it."""

import json
import os
import threading
import time

import pytest

from arena.protocol import Bye, ClockLimits, Hello, MatchStart, PlayQuestion
from arena.seat import FaultKind, Reply
from sandbox.cores import running_first
from sandbox.fairclock import QUICK_MS, FairClock
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from sandbox.session import FakeBackend
from tests.sandbox.test_fairclock import Statistics

PACKAGE = Package({"main.py": b""}, "python", "main.py")


def seat_of(bot):
    return ProcessSeat(FakeBackend(bot), PACKAGE)


def hello(identity="h"):
    return Hello(id=identity, rules={}, players=4, clock=ClockLimits())


def play(identity):
    return PlayQuestion(id=identity, legal=["JS"], hand=["JS"], trick=[], leader=0, events=[], bank_ms=0)


def replies(message, **extra):
    return json.dumps({"id": message["id"], **extra}).encode() + b"\n"


def honest(lines):
    for line in lines:
        message = json.loads(line)
        if "id" in message:
            yield replies(message, ready=True, card="JS")


def test_a_seat_is_live_from_its_ready_to_its_stop():
    seat = seat_of(honest)
    assert not seat.live
    assert isinstance(seat.ask(hello(), 1000), Reply)
    assert seat.live
    seat.stop()
    assert not seat.live
    seat.stop()
    assert seat.ask(hello(), 1000).value["ready"] is True
    seat.close()
    assert not seat.live
    seat.close()


def test_messages_travel_with_the_next_question_in_order():
    heard = []

    def listener(lines):
        for line in lines:
            heard.append(json.loads(line)["type"])
            if heard[-1] in ("hello", "play"):
                yield replies(json.loads(line), ready=True)

    seat = seat_of(listener)
    seat.ask(hello(), 1000)
    seat.tell(MatchStart(match="m", seat=2))
    seat.tell(MatchStart(match="n", seat=2))
    assert heard == ["hello"]
    seat.ask(play("a"), 1000)
    assert heard == ["hello", "match", "match", "play"]
    seat.tell(Bye())
    seat.close()
    assert heard[-1] == "bye"


def test_lines_with_another_id_or_none_are_no_answers():
    def chatter(lines):
        for line in lines:
            message = json.loads(line)
            yield b'{"id": "another"}\n{}\n{"id": null}\n{"id": ["h"]}\n' + replies(message, ready=True)

    seat = seat_of(chatter)
    assert seat.ask(hello(), 1000).value == {"id": "h", "ready": True}
    seat.stop()


def test_an_answer_that_comes_late_or_twice_is_nobodys():
    def confused(lines):
        for number, line in enumerate(lines):
            message = json.loads(line)
            if number == 2:
                yield replies({"id": "late"}, card="7S")
            if message["id"] != "late":
                yield replies(message, card="JS") + replies(message, card="QS")

    seat = seat_of(confused)
    seat.ask(hello(), 1000)
    assert seat.ask(play("late"), 60).kind is FaultKind.TIMEOUT
    assert seat.ask(play("c"), 1000).value["card"] == "JS"
    assert seat.ask(play("d"), 1000).value["card"] == "JS"
    seat.stop()


def fails_with(bot, budget_ms=1000):
    """The fault of a bot that is ready and is then asked once."""

    def prepared(lines):
        lines = iter(lines)
        yield replies(json.loads(next(lines)), ready=True)
        yield from bot(lines)

    seat = seat_of(prepared)
    assert isinstance(seat.ask(hello(), 1000), Reply)
    return seat.ask(play("q"), budget_ms), seat


@pytest.mark.parametrize(
    "line",
    [
        b"thinking...\n",
        b"\xff\xfe\n",
        b"\xef\xbb\xbf{}\n",
        '{"id": "q"}\n'.encode("utf-16"),
        b'{"id": "q", "card": NaN}\n',
        b'{"id": "q", "card": 1e400}\n',
        b'{"id": "q", "id": "q"}\n',
        b"[" * 100_00 + b"\n",
        b"[]\n",
        b"\n",
    ],
    ids=["text", "bytes", "bom", "utf-16", "nan", "huge", "twice", "nested", "list", "empty"],
)
def test_a_line_that_is_no_reply_is_garbage_and_the_bot_lives(line):
    def bot(lines):
        next(lines)
        yield line
        yield from honest(lines)

    fault, seat = fails_with(bot)
    assert fault.kind is FaultKind.GARBAGE
    assert "\n" not in fault.detail
    assert seat.live
    seat.stop()


def test_a_valid_reply_after_garbage_does_not_heal_it():
    def bot(lines):
        message = json.loads(next(lines))
        yield b"thinking\n" + replies(message, card="JS")
        yield from honest(lines)

    fault, seat = fails_with(bot)
    assert fault.kind is FaultKind.GARBAGE
    assert seat.ask(play("r"), 1000).value["card"] == "JS"
    seat.stop()


def test_a_bot_that_ends_has_crashed_and_what_it_said_before_counts():
    def bot(lines):
        yield replies(json.loads(next(lines)), card="JS")

    answer, seat = fails_with(bot)
    assert answer.value["card"] == "JS"
    fault = seat.ask(play("r"), 1000)
    assert fault.kind is FaultKind.CRASH
    assert not seat.live


def test_a_late_bot_is_charged_about_its_time_and_lives():
    def bot(lines):
        for _ in lines:
            yield b""

    fault, seat = fails_with(bot, budget_ms=70)
    assert fault.kind is FaultKind.TIMEOUT
    assert 70 <= fault.charged_ms < 2000
    assert seat.live
    seat.stop()


def test_a_bot_that_is_never_ready_has_not_started():
    seat = seat_of(lambda lines: (b"" for _ in lines))
    fault = seat.ask(hello(), 60)
    assert fault.kind is FaultKind.START
    assert not seat.live


def test_a_seat_that_was_stopped_forgets_what_it_was_to_tell():
    seat = seat_of(honest)
    seat.ask(hello(), 1000)
    seat.tell(MatchStart(match="m", seat=2))
    seat.stop()
    assert isinstance(seat.ask(hello(), 1000), Reply)
    seat.stop()


def test_a_question_to_a_seat_without_a_process_is_a_mistake_of_ours():
    with pytest.raises(RuntimeError, match="not running"):
        seat_of(honest).ask(play("q"), 1000)


def test_quick_answers_cost_no_look_at_the_statistics_and_slow_ones_do():
    meter = Statistics()

    def bot(lines):
        for line in lines:
            message = json.loads(line)
            time.sleep(message.get("bank_ms", 0) / 1000)
            yield replies(message, ready=True)

    seat = ProcessSeat(FakeBackend(bot), PACKAGE, new_clock=lambda session, core: FairClock(meter))
    seat.ask(hello(), 1000)

    def readings(count, think_ms):
        before, began = meter.readings, time.monotonic()
        for number in range(count):
            seat.off_turn_ms()
            question = PlayQuestion(
                id=str(number), legal=[], hand=[], trick=[], leader=0, events=[], bank_ms=think_ms
            )
            assert isinstance(seat.ask(question, 1000), Reply)
        return meter.readings - before, (time.monotonic() - began) * 1000

    looks, passed_ms = readings(300, think_ms=0)
    # Where the machine is busy some take longer: what is not quick may cost three.
    assert looks <= 3 * (1 + passed_ms / QUICK_MS)
    looks, _ = readings(5, think_ms=2 * int(QUICK_MS))
    assert looks >= 5
    seat.stop()


def test_the_referee_runs_first_only_while_it_waits_for_a_slow_answer():
    with running_first() as permitted:
        waiting = os.sched_getscheduler(0)
    usual, referee = os.sched_getscheduler(0), threading.get_native_id()
    assert permitted == (waiting != usual)
    seen = []

    def bot(lines):
        for line in lines:
            deadline = time.monotonic() + 5
            time.sleep(QUICK_MS / 1000)
            while os.sched_getscheduler(referee) != waiting and time.monotonic() < deadline:
                time.sleep(0.001)
            seen.append(os.sched_getscheduler(referee))
            yield replies(json.loads(line), ready=True)

    seat = seat_of(bot)
    seat.ask(hello(), 30_000)
    seat.ask(play("a"), 30_000)
    assert seen == [waiting] * 2
    assert os.sched_getscheduler(0) == usual
    seat.stop()
