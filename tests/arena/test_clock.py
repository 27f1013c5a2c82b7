"""What a seat may still use: sums over a match (protocol.md, The clock)."""

import pytest

from arena.clock import MatchClock
from arena.protocol import ClockLimits, PlayQuestion
from tests.support.seats import Spy, four, play, table_of

LIMITS = ClockLimits(move_ms=100, bank_ms=250)


@pytest.mark.parametrize(
    ("charges", "bank_ms"),
    [
        ([], 250),
        ([100], 250),
        ([130], 220),
        ([130, 40], 220),
        ([130, 180], 140),
        ([350], 0),
        ([1000, 1000], 0),
    ],
)
def test_the_bank_pays_for_what_a_decision_takes_over_its_own_time(charges, bank_ms):
    clock = MatchClock(LIMITS, 4)
    for used_ms in charges:
        clock.charge(1, used_ms)
    assert clock.bank_ms(1) == bank_ms
    assert clock.budget_ms(1) == 100 + bank_ms
    assert clock.bank_ms(0) == 250


def test_time_used_off_turn_is_the_banks_from_the_first_millisecond():
    clock = MatchClock(LIMITS, 4)
    clock.charge_off_turn(2, 30)
    clock.charge_off_turn(2, 0.5)
    assert [clock.bank_ms(seat) for seat in range(4)] == [250, 250, 219.5, 250]
    clock.charge_off_turn(2, 500)
    assert clock.bank_ms(2) == 0
    assert clock.budget_ms(2) == 100, "the decision's own time is always there"


def test_a_bot_is_told_its_bank_and_given_its_budget_after_what_it_used_off_turn():
    class Busy(Spy):
        def off_turn_ms(self):
            return 40.0

    busy, *others = four(Busy())
    play(table_of(busy, *others, clock=LIMITS, bids=[], tiebreak="shared"))
    asked = [question.bank_ms for question in busy.questions(PlayQuestion)]
    assert asked == [210, 170, 130, 90, 50, 10, 0, 0]
    assert busy.budgets == [100 + bank_ms for bank_ms in asked]
    assert all(question.bank_ms == 250 for question in others[0].questions(PlayQuestion))
