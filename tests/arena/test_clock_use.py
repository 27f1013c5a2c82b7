"""What each decision was charged, beside the record: whose it was, when, what it left in the bank."""

import random

import pytest
from hypothesis import given, settings

from arena.clock_use import ClockUse, by_seat, timed
from arena.protocol import ClockLimits
from arena.referee import Board, Table
from arena.seat import Failure, FaultKind, Reply
from tests.support.games import SEEDS, rules
from tests.support.seats import Spy, four, play, table_of

LIMITS = ClockLimits(move_ms=100, bank_ms=250)


class Slow(Spy):
    """Takes so many milliseconds over each decision in turn."""

    def __init__(self, *times, off_turn_ms=0.0):
        super().__init__()
        self.times = iter(times)
        self._off_turn_ms = off_turn_ms

    def ask(self, question, budget_ms):
        reply = super().ask(question, budget_ms)
        return Reply(reply.value, next(self.times, 1.0)) if "ready" not in reply.value else reply

    def off_turn_ms(self):
        return self._off_turn_ms


def told(table):
    record = play(table)
    use = table.clock_use()
    return record, use, timed(record, use)


def test_each_bid_and_card_of_the_record_has_its_seat_and_its_time():
    slow = Slow(12.346, 0.004, 40)
    record, use, rows = told(table_of(slow, *four()[1:], clock=LIMITS, tiebreak="shared"))
    bids = [(row.deal, row.trick, row.place, row.seat) for row in rows if row.trick == 0]
    assert bids == [(1, 0, place, seat) for place, (seat, _) in enumerate(record.deals[0].bids, start=1)]
    for number, trick in enumerate(record.deals[0].tricks, start=1):
        there = [row for row in rows if row.trick == number]
        assert [row.place for row in there] == [1, 2, 3, 4]
        assert there[0].seat == trick.leader
    own = [row.charged_ms for row in rows if row.seat == 0]
    assert own == [12.35, 0.0, 40.0, 1, 1, 1, 1, 1, 1]
    assert len(rows) == len(use.charged) == 4 + 32


def test_the_bank_after_each_decision_is_what_the_bot_was_told_next():
    slow = Slow(130, 99, 180, 100, off_turn_ms=0.5)
    _, use, rows = told(table_of(slow, *four()[1:], clock=LIMITS, bids=[], tiebreak="shared"))
    own = [row for row in rows if row.seat == 0]
    assert [row.bank_ms for row in own] == [219.5, 219, 138.5, 138, 137.5, 137, 136.5, 136]
    assert {row.off_turn_ms for row in own} == {0.5}
    mine, other, *_ = by_seat(rows, use, 4)
    assert (mine.decisions, mine.total_ms, mine.mean_ms) == (8, 513, 64.125)
    assert (mine.longest, mine.off_turn_ms, mine.bank_ms) == (own[2], 4, 136)
    assert (other.total_ms, other.bank_ms) == (0, 250)


def test_a_fault_is_charged_and_a_seat_that_the_referee_plays_has_no_times():
    crash = Failure(FaultKind.CRASH, "it ended", 33)
    seat = Spy(lambda question, asked: crash if asked == 3 else None)
    record, use, rows = told(table_of(seat, *four()[1:], clock=LIMITS, bids=[], tiebreak="shared"))
    own = [row.charged_ms for row in rows if row.seat == 0]
    assert own == [0, 0, 33, None, None, None, None, None]
    assert record.vacated[0].trick == 3
    assert by_seat(rows, use, 4)[0].decisions == 3


def test_a_seat_that_never_played_has_no_mean_and_no_longest_decision():
    seat = Spy(lambda question, asked: None)
    seat.ask = lambda question, budget_ms: Failure(FaultKind.CRASH, "it ended", 5)
    _, use, rows = told(table_of(seat, *four()[1:], clock=LIMITS, tiebreak="shared"))
    first = by_seat(rows, use, 4)[0]
    assert (first.decisions, first.total_ms, first.mean_ms, first.longest) == (0, 0, None, None)
    assert first.bank_ms == 250


@settings(max_examples=30, deadline=None)
@given(rules(), SEEDS)
def test_in_whatever_game_each_decision_is_told_with_who_made_it(game, seed):
    chance = random.Random(seed)
    seats = [Slow(*(chance.random() * 150 for _ in range(40))) for _ in range(game.players)]
    numbers = iter(range(100_000))
    table = Table(game, seats, new_id=lambda: f"q{next(numbers)}", clock=LIMITS)
    record = table.play(Board(seed), match="m", bots=["bot"] * game.players)
    rows = timed(record, table.clock_use())
    asked = [0] * game.players
    for row in rows:
        asked[row.seat] += 1
    assert asked == [seat.asked for seat in seats]


def test_it_is_stored_as_a_line_of_json_and_told_apart_from_that_of_another_match():
    record, use, _ = told(table_of(*four(), clock=LIMITS, tiebreak="shared"))
    assert ClockUse.from_bytes(use.to_bytes()) == use
    assert use.to_bytes().startswith(b'{"move_ms":100,"bank_ms":250,"charged":[0,0,')
    with pytest.raises(ValueError, match="times of 35 decisions, and the record has 36"):
        timed(record, ClockUse(100, 250, use.charged[1:]))


def test_the_record_is_the_same_whatever_the_times():
    quick = play(table_of(*four(), clock=LIMITS))
    slow = play(table_of(Slow(50, 60, 70), *four()[1:], clock=LIMITS))
    assert quick.to_bytes() == slow.to_bytes()
