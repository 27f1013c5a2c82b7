"""What an audit makes sure of beside the play: that cards, faults and vacated seats were not chosen."""

import json

import pytest

from arena.audit import Unsound, audit, audit_bytes
from arena.cards import list_cards
from arena.match import Dealt, Match
from arena.protocol import Hello
from arena.record import record_of
from arena.referee import Board, Table
from arena.rules import Bid, Rules
from arena.seat import Failure, FaultKind, InProcessSeat, Reply, ScriptedSeat
from arena.shuffle import deal_cards
from tests.support.seats import Honest, Spy, four, play, table_of

SEED = bytes(range(32))


def failing(*asked, kind=FaultKind.TIMEOUT):
    """A seat that fails these questions, counted from 1, and is honest otherwise."""
    return Spy(lambda question, number: Failure(kind, "why") if number in asked else None)


def changed(record, change):
    """The bytes of a record after `change` has had its way with the JSON."""
    line = json.loads(record.to_bytes())
    change(line)
    return json.dumps(line).encode()


def test_a_choice_of_attempts_is_a_choice_of_cards_and_refused():
    rules = Rules.make(bids=[], deals=1, tiebreak="shared")
    attempts = range(50)
    picked = min(attempts, key=lambda a: sum(card % 8 for card in deal_cards(SEED, 1, a, 4)[0]))
    assert picked, "the first attempt happens not to be the one picked"
    match = Match(rules, lambda number, players: Dealt(picked, deal_cards(SEED, number, picked, players)))
    match.next_deal()
    while not match.deal.over:
        match.deal.play(list_cards(match.deal.legal)[0])
    match.next_deal()
    record = record_of(match, name="m", seed=SEED, bots="abcd")
    with pytest.raises(Unsound, match=f"deal 1: attempt: {picked}, and should be 0"):
        audit(record)


def test_the_third_fault_vacates_a_seat_and_no_other_does():
    record = play(table_of(*four(failing(2, 3, 4)), tiebreak="shared"))
    assert len(record.vacated) == 1
    with pytest.raises(Unsound, match="number 3: the seat is to be vacated"):
        audit_bytes(changed(record, lambda line: line["vacated"].clear()))
    with pytest.raises(Unsound):
        audit_bytes(changed(record, lambda line: line["faults"].pop(0)))
    two = play(table_of(*four(failing(2, 3)), tiebreak="shared"))
    with pytest.raises(Unsound, match="number 2: the seat is not to be vacated"):
        audit_bytes(changed(two, vacate_at_the_last_fault))


def vacate_at_the_last_fault(line):
    last = line["faults"][-1]
    line["vacated"].append({key: last[key] for key in ("seat", "deal", "trick")})


def test_a_league_with_another_limit_is_audited_by_it():
    rules = Rules.make(deals=1, tiebreak="shared")
    numbers = iter(range(1000))
    table = Table(rules, four(failing(2)), new_id=lambda: str(next(numbers)), max_faults=1)
    record = table.play(Board(SEED), match="m", bots="abcd")
    audit(record, max_faults=1)
    with pytest.raises(Unsound, match="not to be vacated"):
        audit(record)


@pytest.mark.parametrize("kind", ["start", "revoke", "sabotage"])
def test_a_kind_of_fault_that_cannot_happen_at_a_decision_is_refused(kind):
    record = play(table_of(*four(failing(1)), tiebreak="shared"))
    assert record.faults[0].trick == 0
    with pytest.raises(Unsound, match="fault"):
        audit_bytes(changed(record, lambda line: line["faults"][0].update(kind=kind)))


@pytest.mark.parametrize("kind", ["timeout", "invalid", "revoke"])
def test_before_the_first_deal_only_a_start_can_fail(kind):
    class Unready(Spy):
        def ask(self, question, budget_ms):
            return Failure(FaultKind.CRASH, "why")

    record = play(table_of(*four(Unready()), tiebreak="shared"))
    with pytest.raises(Unsound, match=f"no {kind} fault is possible here"):
        audit_bytes(changed(record, lambda line: line["faults"][0].update(kind=kind)))


def test_after_a_fault_only_the_referees_own_action_is_sound():
    record = play(table_of(*four(failing(2)), tiebreak="shared"))
    (fault,) = record.faults
    other = next(card for card in record.deals[0].hands[-1] if card != fault.action)
    with pytest.raises(Unsound, match=f"action: '{other}', and should be '{fault.action}'") as caught:
        audit_bytes(changed(record, lambda line: line["faults"][0].update(action=other)))
    assert (caught.value.deal, caught.value.trick, caught.value.seat) == (1, 1, 0)


def test_scripted_seats_play_what_they_are_told():
    rules = Rules.make(players=3, deals=1, tiebreak="shared")
    numbers = iter(range(1000))
    scripted = ScriptedSeat([Reply({"bid": "capot"})] + [Failure(FaultKind.GARBAGE, "why")] * 3)
    seats = [InProcessSeat(Honest), scripted, InProcessSeat(Honest)]
    table = Table(rules, seats, new_id=lambda: str(next(numbers)))
    record = table.play(Board(SEED), match="m", bots="abc")
    table.close()
    audit(record)
    assert record.deals[0].bids == ((1, Bid.CAPOT),)
    assert [fault.seat for fault in record.faults] == [1, 1, 1]
    assert type(scripted.heard[0]) is Hello
    assert not scripted.live, "its third fault ended it"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not JSON"),
        (b"{}", "not a match record"),
        (b"[]", "not a match record"),
        (b"\xff", "not UTF-8"),
        (b'{"format": "x", "format": "x"}', "twice"),
        (b"[" * 1_000_000, "nested deeper"),
    ],
)
def test_bytes_that_are_no_record_are_refused_with_the_reason(data, says):
    with pytest.raises(Unsound, match=says):
        audit_bytes(data)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda line: line.update(format="polignac-record/2"), "format"),
        (lambda line: line.update(extra=1), "extra"),
        (lambda line: line["bots"].pop(), "3 bots at a table of 4"),
        (lambda line: line.update(seed="00"), "a seed of 1 bytes"),
        (lambda line: line.update(first_dealer=4), "no seat of 4"),
        (lambda line: line.update(match="\ud800"), "surrogate"),
        (lambda line: line["rules"].update(players=7), "from 3 to 6"),
        (lambda line: line["rules"].pop("revoke"), "rules"),
        (lambda line: line["deals"][0]["tricks"].pop(), "a trick is missing"),
        (lambda line: line["deals"][0]["tricks"][2]["cards"].pop(), "a card is missing"),
        (lambda line: line["deals"][0]["tricks"][2]["cards"].append("JS"), "card too many"),
        (lambda line: line["deals"][0]["bids"].pop(), "a bid is missing"),
        (lambda line: line["deals"][0]["bids"].append([0, "pass"]), "bidding was over"),
        (lambda line: line["deals"].append(line["deals"][0]), "over before this deal"),
        (lambda line: line["deals"][0]["revokes"].append([1, 1]), "revokes"),
    ],
)
def test_a_record_that_was_tampered_with_is_refused_in_clear_words(change, says):
    record = play(table_of(*four(), tiebreak="shared"))
    with pytest.raises(Unsound, match=says):
        audit_bytes(changed(record, change))
