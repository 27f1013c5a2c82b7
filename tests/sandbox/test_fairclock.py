"""The fair clock's sums, and what it learns of real processes."""

import secrets
import time

import pytest

from arena.protocol import ClockLimits, Hello, PlayQuestion
from arena.seat import Failure, FaultKind, Reply
from sandbox.fairclock import BACKSTOP, IDLE_MS, QUICK_MS, FairClock
from sandbox.limits import Limits
from sandbox.seat import ProcessSeat
from sandbox.usage import Reading
from tests.sandbox.bots import THINKER, python

_MS = 1_000_000


class Statistics:
    """A meter whose processes spend so much of all real time computing, and so much of it waiting."""

    def __init__(self, used=0.0, waited=0.0, wants_to_run=False):
        self.began = time.monotonic_ns()
        self.used, self.waited = used, waited
        self.wants = wants_to_run
        self.readings = 0

    def read(self):
        self.readings += 1
        passed = (now := time.monotonic_ns()) - self.began
        return Reading(now, int(passed * self.used), int(passed * self.waited), 0)

    def wants_to_run(self):
        return self.wants


def seconds_until_up(watch):
    began = time.monotonic()
    while (left_ms := watch.left_ms()) > 0:
        time.sleep(left_ms / 1000)
    return time.monotonic() - began


def pause(milliseconds):
    time.sleep(milliseconds / 1000)


def test_a_quick_answer_costs_no_reading_and_is_charged_its_real_time():
    meter = Statistics(used=1.0)
    clock = FairClock(meter)
    for _ in range(100):
        clock.off_turn_ms()
        watch = clock.start(1000)
        watch.left_ms()
        assert watch.charged_ms() >= 0
    passed_ms = (time.monotonic_ns() - meter.began) / _MS
    assert meter.readings <= 1 + passed_ms / QUICK_MS


@pytest.mark.parametrize("waited", [0.0, 0.5, 0.75])
def test_time_is_up_when_so_much_has_passed_that_was_no_waiting(waited):
    clock = FairClock(Statistics(waited=waited))
    taken_s = seconds_until_up(clock.start(40))
    assert taken_s >= (40 - QUICK_MS) / 1000 / (1 - waited)


def test_real_time_ends_a_question_whatever_the_statistics_say():
    clock = FairClock(Statistics(waited=1.0, wants_to_run=True))
    watch = clock.start(20)
    assert seconds_until_up(watch) >= 20 * BACKSTOP / 1000


def test_threads_that_wait_for_each_other_are_charged_what_they_used():
    clock = FairClock(Statistics(used=1.0, waited=23.0))
    watch = clock.start(1000)
    pause(60)
    watch.left_ms()
    pause(60)
    assert watch.charged_ms() >= 60 - QUICK_MS


def test_a_thread_that_may_be_waiting_right_now_is_given_the_doubt():
    """Neither used nor waited: it is in no statistics yet, but it wants to run."""
    sleeping, doubtful = Statistics(), Statistics(wants_to_run=True)
    watch = FairClock(sleeping).start(30)
    pause(40)
    assert watch.left_ms() <= 0
    watch = FairClock(doubtful).start(30)
    pause(40)
    assert watch.left_ms() > 0


def test_what_is_used_off_turn_is_told_once():
    clock = FairClock(Statistics(used=1.0))
    pause(IDLE_MS)
    used_ms = clock.off_turn_ms()
    assert IDLE_MS <= used_ms <= (time.monotonic_ns() - clock.meter.began) / _MS
    assert clock.off_turn_ms() == 0


def test_what_is_used_on_turn_is_not_off_turn_use():
    clock = FairClock(Statistics(used=1.0))
    for _ in range(3):
        watch = clock.start(1000)
        pause(30)
        watch.left_ms()
        pause(30)
        watch.charged_ms()
    # Between the questions some microseconds passed, or more where the machine was busy.
    assert clock.off_turn_ms() <= (time.monotonic_ns() - clock.meter.began) / _MS - 180 + QUICK_MS


def started(backend, source, **limits):
    seat = ProcessSeat(backend, python(source), Limits(**limits), label="test")
    answer = seat.ask(Hello(id="h", rules={}, players=4, clock=ClockLimits()), 30_000)
    assert isinstance(answer, Reply), answer
    return seat


def ask(seat, kind, milliseconds, budget_ms=30_000):
    """Ask the thinker to spin or sleep so long before it answers, or after."""
    seat.off_turn = seat.off_turn_ms()
    identity = secrets.token_hex(8)
    question = PlayQuestion(
        id=identity, legal=["JS"], hand=[kind], trick=[], leader=0, events=[], bank_ms=milliseconds
    )
    return seat.ask(question, budget_ms)


def test_a_bot_that_computes_or_sleeps_is_charged_for_it(backend):
    seat = started(backend, THINKER)
    assert seat._session.first_process is not None
    for kind in ("spin", "sleep"):
        answer = ask(seat, kind, 60)
        assert answer.charged_ms >= 60 - QUICK_MS
    late = ask(seat, "sleep", 200, budget_ms=50)
    assert isinstance(late, Failure)
    assert late.kind is FaultKind.TIMEOUT
    seat.stop()


@pytest.mark.parametrize("kind", ["spin_after", "child_after", "thread_after"])
def test_what_a_bot_its_threads_or_its_children_use_off_turn_is_seen(backend, kind):
    seat = started(backend, THINKER)
    assert isinstance(ask(seat, kind, 100), Reply)
    seen_ms = 0.0
    deadline = time.monotonic() + 20
    while seen_ms < 90 and time.monotonic() < deadline:
        pause(20)
        seen_ms += seat.off_turn_ms()
    assert seen_ms >= 90
    seat.stop()


def test_a_child_that_ended_is_counted(backend):
    """It lived and ended between two readings: its parent waited for it."""
    seat = started(backend, THINKER)
    before = seat._clock.meter.read()
    assert isinstance(ask(seat, "child", 100), Reply)
    used_ms = (seat._clock.meter.read().used_ns - before.used_ns) / _MS
    assert used_ms >= 80  # it is told in ticks of 10 ms
    seat.stop()
