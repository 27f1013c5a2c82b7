"""The referee: who is asked what, what is charged, and what each fault leads to (protocol.md)."""

import pytest

from arena.clock import MatchClock
from arena.errors import PlatformFailure
from arena.protocol import (
    BidQuestion,
    Bye,
    ClockLimits,
    DealEnd,
    DealStart,
    Hello,
    MatchEnd,
    MatchStart,
    PlayQuestion,
    Refused,
)
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Failure, FaultKind, Reply
from arena.shuffle import luck
from tests.support.seats import BOARD, Spy, at, four, on_play, play, table_of

VACATING = [FaultKind.CRASH, FaultKind.MEMORY, FaultKind.OUTPUT]
OTHERS = [FaultKind.TIMEOUT, FaultKind.GARBAGE]


# -- the course of a match --------------------------------------------------------------------------------


def test_an_honest_match_has_no_faults_and_each_message_in_its_place():
    seats = four()
    table = table_of(*seats)
    record = play(table)
    table.close()
    assert record.faults == ()
    heard = [type(message) for message in seats[1].heard]
    assert heard[:4] == [Hello, MatchStart, DealStart, BidQuestion]
    assert (
        heard.count(PlayQuestion) == 8 * (1 + sum(1 in deal.seats for deal in record.deals[1:]))
        or len(record.deals) > 1
    )
    assert heard[-2:] == [MatchEnd, Bye]
    assert all(seat.closed for seat in seats)
    (end, *_) = seats[1].questions(MatchEnd)
    assert (end.totals, end.ranks) == (list(record.totals), list(record.ranks))


def test_events_tell_everything_public_since_the_last_message_in_order():
    seats = four()
    record = play(table_of(*seats, tiebreak="shared"))
    (deal,) = record.deals
    public = [("bid", seat, bid) for seat, bid in deal.bids]
    for index, trick in enumerate(deal.tricks):
        order = [(trick.leader + step) % 4 for step in range(4)]
        public += [("card", seat, card) for seat, card in zip(order, trick.cards, strict=True)]
        winner = deal.tricks[index + 1].leader if index < 7 else None
        public.append(("trick", winner))
    for seat in seats:
        told = [
            e for m in seat.heard if isinstance(m, BidQuestion | PlayQuestion | DealEnd) for e in m.events
        ]
        assert told[:-1] == public[:-1]
        assert told[-1][0] == "trick"


def test_a_play_question_is_enough_to_choose_a_legal_card():
    seats = four()
    play(table_of(*seats))
    for question in seats[2].questions(PlayQuestion):
        assert set(question.legal) <= set(question.hand)
        led = question.trick[0][1] if question.trick else None
        follow = [card for card in question.hand if card[1] == led]
        assert question.legal == (follow or question.hand)


def test_luck_is_the_same_for_whoever_holds_the_hand():
    seats = four()
    play(table_of(*seats, tiebreak="shared"))
    for seat in range(4):
        (start,) = seats[seat].questions(DealStart)
        place = start.seats.index(seat)
        assert start.luck == luck(BOARD.seed, 1, place)
        assert len(bytes.fromhex(start.luck)) == 16


def test_a_session_starts_once_and_plays_many_boards():
    seats = four()
    table = table_of(*seats)
    for number in range(3):
        play(table, Board(bytes([number] * 32)))
    assert [seat.starts for seat in seats] == [1, 1, 1, 1]
    assert len(seats[0].questions(MatchStart)) == 3


def test_a_seat_that_sits_out_a_play_off_is_told_of_it_with_an_empty_hand():
    seats = four()
    record = play(table_of(*seats, bids=[], card_points={"JS": 1}))
    playoff = record.deals[1]
    (out,) = set(range(4)) - set(playoff.seats)
    start = seats[out].questions(DealStart)[1]
    assert (start.playoff, start.hand, start.luck) == (True, [], "")
    assert seats[out].questions(DealEnd)[1].points[out] == 0


# -- faults -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", VACATING)
def test_a_fault_that_ends_the_process_vacates_the_seat_at_once(kind):
    bad = Spy(at(3, Failure(kind, "the reason")))
    record = play(table_of(*four(bad)))
    (fault,) = record.faults
    assert (fault.deal, fault.trick, fault.seat, fault.kind) == (1, 2, 0, kind)
    assert fault.detail == "the reason"
    (vacated,) = record.vacated
    assert (vacated.seat, vacated.deal, vacated.trick) == (0, 1, 2)
    assert record.ranks[0] == 4
    assert not bad.live
    assert bad.asked == 3


@pytest.mark.parametrize("kind", OTHERS)
def test_other_faults_cost_the_decision_and_the_third_of_a_match_the_seat(kind):
    bad = Spy(lambda question, asked: Failure(kind, "why") if asked in {2, 3} else None)
    record = play(table_of(*four(bad), deals=3))
    assert len(record.faults) == 2
    assert record.vacated == ()
    bad = Spy(lambda question, asked: Failure(kind, "why") if asked in {2, 3, 9} else None)
    record = play(table_of(*four(bad), deals=3))
    assert [vacated.seat for vacated in record.vacated] == [0]
    assert bad.asked == 9


def test_faults_are_counted_anew_in_every_match():
    bad = Spy(lambda question, asked: Failure(FaultKind.GARBAGE, "why") if asked % 9 in {2, 3} else None)
    table = table_of(*four(bad), tiebreak="shared")
    for number in range(4):
        assert play(table, Board(bytes([number] * 32))).vacated == ()


def test_the_referee_passes_or_plays_the_lowest_legal_card_in_the_place_of_a_bot():
    bad = Spy(lambda question, asked: Failure(FaultKind.TIMEOUT, "late") if asked <= 2 else None)
    record = play(table_of(*four(bad), tiebreak="shared"))
    first, second = record.faults
    assert (first.trick, first.action) == (0, "pass")
    question = bad.questions(PlayQuestion)[0]
    rank = {text: index for index, text in enumerate("789TAJQK")}
    lowest = min(question.legal, key=lambda card: (rank[card[0]], "SHDC".index(card[1])))
    assert (second.trick, second.action) == (1, lowest)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({}, '"card" is missing'),
        ({"card": None}, '"card" is missing'),
        ({"card": 5}, "no string"),
        ({"card": ["JS"]}, "no string"),
        ({"card": True}, "no string"),
        ({"card": 10**18}, "no string"),
        ({"card": "XX"}, "is no card"),
        ({"card": "js"}, "is no card"),
        ({"card": "JS "}, "is no card"),
        ({"card": "\ud800"}, "is no card"),
        ({"card": "\x00\n" + "x" * 5000}, "is no card"),
    ],
)
def test_a_reply_that_is_no_possible_action_is_invalid(value, says):
    record = play(table_of(*four(Spy(at(2, Reply(value))))))
    (fault,) = record.faults
    assert (fault.kind, fault.trick) == ("invalid", 1)
    assert says in fault.detail
    assert fault.detail.isprintable()
    assert len(fault.detail) <= 300


def test_a_card_that_is_not_in_the_hand_is_invalid_under_every_revoke_rule():
    def not_held(question):
        return Reply({"card": next(c for c in ("KS", "QS", "JS", "AS", "TS") if c not in question.hand)})

    for revoke in ("correct", "penalty", "forfeit"):
        record = play(table_of(*four(Spy(on_play(not_held))), revoke=revoke))
        assert [fault.kind for fault in record.faults] == ["invalid"] * 3
        assert record.ranks[0] == 4


def test_a_bid_that_was_not_offered_is_invalid_and_passes():
    record = play(table_of(*four(Spy(at(1, Reply({"bid": "general"}))))))
    (fault,) = record.faults
    assert (fault.kind, fault.trick, fault.action) == ("invalid", 0, "pass")
    assert "pass, capot" in fault.detail


# -- revoke -----------------------------------------------------------------------------------------------


def revoking(times):
    """Revokes where it can: this many times in the same decision, then plays a legal card."""
    left = {"n": 0}

    def answer(question, asked):
        if not isinstance(question, PlayQuestion):
            return None
        wrong = [card for card in question.hand if card not in question.legal]
        if wrong and left["n"] < times:
            left["n"] += 1
            return Reply({"card": wrong[0]}, charged_ms=100.0)
        left["n"] = times if left["n"] else 0
        return Reply({"card": question.legal[0]}, charged_ms=100.0)

    return answer


def test_under_correct_one_revoke_in_a_decision_is_refused_and_no_fault():
    bad = Spy(revoking(1))
    record = play(table_of(*four(bad), tiebreak="shared"))
    assert record.faults == ()
    (refused,) = bad.questions(Refused)
    assert "follow suit" in refused.reason
    index = bad.heard.index(refused)
    first, again = bad.heard[index - 1], bad.heard[index + 1]
    assert first.id != again.id
    assert first.legal == again.legal
    assert bad.budgets[-1] > 0
    asked = [m for m in bad.heard if isinstance(m, BidQuestion | PlayQuestion)].index(again)
    assert bad.budgets[asked] == bad.budgets[asked - 1] - 100.0, "on the same clock"


def test_under_correct_a_second_revoke_in_a_decision_is_a_fault():
    record = play(table_of(*four(Spy(revoking(2))), tiebreak="shared"))
    (fault,) = record.faults
    assert fault.kind == "revoke"
    assert fault.action is not None


@pytest.mark.parametrize("revoke", ["penalty", "forfeit"])
def test_under_penalty_and_forfeit_a_revoke_is_play_and_no_fault(revoke):
    bad = Spy(revoking(1))
    record = play(table_of(*four(bad), revoke=revoke, tiebreak="shared"))
    assert record.faults == ()
    assert bad.questions(Refused) == []
    if revoke == "penalty":
        assert [seat for _, seat in record.deals[0].revokes] == [0]
    else:
        assert record.ended == "forfeit"
        assert record.ranks[0] == 4


# -- the clock ----------------------------------------------------------------------------------------------


def test_what_a_decision_takes_over_its_time_is_drawn_from_the_bank():
    clock = MatchClock(ClockLimits(move_ms=100, bank_ms=1000), players=3)
    assert clock.budget_ms(1) == 1100
    clock.charge(1, 99)
    assert clock.bank_ms(1) == 1000
    clock.charge(1, 350)
    assert clock.bank_ms(1) == 750
    clock.charge(1, 5000)
    assert clock.bank_ms(1) == 0
    assert clock.bank_ms(0) == 1000


def test_the_bank_left_is_in_every_question_and_new_for_every_match():
    slow = Spy(on_play(lambda q: Reply({"card": q.legal[0]}, charged_ms=150.7)))
    table = table_of(*four(slow), clock=ClockLimits(move_ms=100, bank_ms=300), bids=[], tiebreak="shared")
    play(table)
    banks = [question.bank_ms for question in slow.questions(PlayQuestion)]
    assert banks == [300, 249, 198, 147, 97, 46, 0, 0]
    play(table)
    assert slow.questions(PlayQuestion)[8].bank_ms == 300


def test_a_table_needs_a_seat_for_every_player():
    with pytest.raises(ValueError, match="3 seats at a table of 4"):
        Table(Rules.make(), [Spy(), Spy(), Spy()], new_id=str)


def test_a_seat_that_cannot_be_ended_does_not_keep_the_others_from_ending():
    class Stuck(Spy):
        def close(self):
            raise PlatformFailure("sandbox_stuck", "it does not end")

    seats = four(Stuck())
    with pytest.raises(PlatformFailure, match="sandbox_stuck"):
        table_of(*seats).close()
    assert all(seat.closed for seat in seats[1:])
