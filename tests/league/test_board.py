"""A board: every hand as each bot that held it played it, when it may be known."""

import pytest
from django.utils import timezone

from arena.players import REFERENCE
from arena.record import Record
from arena.referee import Board as PlayedBoard
from arena.referee import Table
from arena.rules import VARIANTS, Rules
from arena.seat import InProcessSeat
from league.matches.models import Match
from league.matches.replayed import tricks_of
from league.tournaments.models import Board, Tournament
from tests.league import kit

pytestmark = pytest.mark.django_db


def over():
    Tournament.objects.update(status="finished", ended_at=timezone.now())


@pytest.fixture
def board(ann):
    """A board that was played at its three tables."""
    _, tables = kit.running(ann, deals=2)
    for table in tables:
        kit.play(table)
    return Board.objects.get()


def test_while_the_tournament_is_not_over_neither_hands_nor_the_seed_are_shown(board, anybody, as_staff):
    address = f"/api/v1/boards/{board.pk}/"
    assert anybody.get(address).json()["seed"] is None
    for client in (anybody, as_staff):
        answer = client.get(f"{address}hands/")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_over")
    over()
    assert anybody.get(address).json()["seed"] == board.seed


def test_each_hand_was_held_once_at_each_table_and_by_each_bot(board, anybody):
    over()
    hands = anybody.get(f"/api/v1/boards/{board.pk}/hands/").json()
    assert [(hand["deal"], hand["seat"]) for hand in hands] == [(d, s) for d in (1, 2) for s in range(3)]
    tables = list(board.group.tables.order_by("number").values_list("pk", flat=True))
    for hand in hands:
        assert [one["table"] for one in hand["played"]] == tables
        assert len({one["version"]["bot"] for one in hand["played"]}) == 3
    for deal in (1, 2):
        held = [card for hand in hands if hand["deal"] == deal for card in hand["cards"]]
        assert len(held) == len(set(held)), "a card is dealt once"


def test_what_is_shown_is_what_the_records_say(board, anybody):
    over()
    hands = anybody.get(f"/api/v1/boards/{board.pk}/hands/").json()
    for match in Match.objects.select_related("table"):
        record = Record.from_bytes(bytes(match.record))
        seats = {seat.seat: seat.version_id for seat in match.seats.all()}
        for hand in hands:
            deal = record.deals[hand["deal"] - 1]
            [played] = [one for one in hand["played"] if one["match"] == match.pk]
            at = deal.seats.index(hand["seat"])
            assert hand["cards"] == list(deal.hands[at])
            assert sorted(played["cards"]) == sorted(hand["cards"])
            assert played["points"] == deal.points[at]
            assert 0 <= played["tricks"] <= len(deal.tricks)
            assert played["version"]["version_id"] == seats[hand["seat"]]


@pytest.mark.parametrize(("players", "deal"), [(3, "even"), (5, "even"), (5, "uneven"), (6, "uneven")])
def test_cards_are_told_apart_by_seat_in_deals_of_every_size(players, deal):
    rules = Rules.make(players=players, deals=3, deal=deal)
    seats = [InProcessSeat(REFERENCE["random"]) for _ in range(players)]
    record = Table(rules, seats, new_id=lambda: "x").play(
        PlayedBoard(b"\7" * 32), match="m", bots=[str(seat) for seat in range(players)]
    )
    for one in record.deals:
        tricks = tricks_of(rules, one)
        taken = {seat: [card for t in tricks for who, card in t.cards if who == seat] for seat in one.seats}
        assert sum(map(len, taken.values())) == sum(len(trick.cards) for trick in one.tricks)
        for seat, hand in zip(one.seats, one.hands, strict=True):
            assert set(taken[seat]) <= set(hand)
        assert {trick.winner for trick in tricks} <= set(one.seats)
        assert [trick.cards[0][0] for trick in tricks] == [trick.leader for trick in one.tricks]


def test_the_costs_of_the_tricks_are_the_points_of_the_deal_under_every_variant():
    for variant in VARIANTS:
        rules = Rules.make(variant=variant, players=4, deals=6)
        seats = [InProcessSeat(REFERENCE["random"]) for _ in range(4)]
        played = Table(rules, seats, new_id=lambda: "x").play(
            PlayedBoard(b"\7" * 32), match="m", bots=list("abcd")
        )
        for one in played.deals:
            if any(bid != "pass" for _, bid in one.bids):
                continue
            sums = dict.fromkeys(one.seats, 0)
            for trick in tricks_of(rules, one):
                sums[trick.winner] += sum(points for _, points in trick.costs)
            assert tuple(sums[seat] for seat in one.seats) == one.points


def test_a_board_leads_to_its_matches_and_a_match_to_its_board_group_and_table(board, anybody):
    told = anybody.get(f"/api/v1/boards/{board.pk}/").json()
    assert (told["number"], told["complete"], told["group_id"]) == (1, True, board.group_id)
    matches = anybody.get(f"/api/v1/matches/?board={board.pk}").json()["results"]
    assert len(matches) == 3
    for match in matches:
        assert match["board_id"] == board.pk
        assert anybody.get(f"/api/v1/matches/?table={match['table']}").json()["results"] == [match]
    assert len(anybody.get(f"/api/v1/matches/?group={matches[0]['group_id']}").json()["results"]) == 3
