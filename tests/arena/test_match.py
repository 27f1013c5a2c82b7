"""Deals up to the threshold, play-offs and ranks (rules.md § 7; protocol.md, Faults)."""

import pytest

from arena.cards import CARD_TEXTS, list_cards, parse_card
from arena.errors import Misdeal
from arena.match import Dealt, Match, MatchEnding, shuffled
from arena.rules import Bid, Rules

# One card counts, so that all seats but one are tied for the lowest after a deal.
ONE_POINT = {"players": 4, "bids": [], "card_points": {"JS": 1}, "deals": 1}


def match_of(first_dealer=0, seed=bytes(32), **options):
    rules = Rules.make(**(ONE_POINT | options))
    match = Match(rules, shuffled(seed, rules), first_dealer)
    match.next_deal()
    return match


def play_lowest(match):
    """Everybody passes and plays the lowest legal card, to the end of the deal."""
    deal = match.deal
    while not deal.over:
        if deal.legal:
            deal.play(deal.safe_card)
        else:
            deal.bid(Bid.PASS)


def play_all(match):
    while not match.over:
        play_lowest(match)
        match.next_deal()
    return match


def revoke(match, seat):
    """Play on until this seat can revoke, and let it."""
    deal = match.deal
    while not deal.over:
        wrong = deal.hand(deal.place) & ~deal.legal
        if deal.turn == seat and wrong:
            deal.play(list_cards(wrong)[0])
        else:
            deal.play(deal.safe_card)
    assert deal.ending == "forfeit"


def test_the_deal_passes_to_the_next_seat_and_the_eldest_hand_leads():
    match = match_of(first_dealer=2, deals=3)
    dealers = []
    while not match.over and not match.hands[-1].playoff:
        dealers.append((match.hands[-1].dealer, match.deal.seats, match.deal.turn))
        play_lowest(match)
        match.next_deal()
    assert dealers == [(2, (3, 0, 1, 2), 3), (3, (0, 1, 2, 3), 0), (0, (1, 2, 3, 0), 1)]


def test_the_match_ends_at_the_threshold():
    match = play_all(match_of(deals=None, threshold=3, tiebreak="shared"))
    assert match.ending is MatchEnding.THRESHOLD
    assert max(match.totals) == 3
    assert sum(match.totals) == len(match.hands)


def test_a_match_that_gets_to_max_deals_is_ranked_by_its_totals():
    match = play_all(match_of(deals=None, threshold=100, max_deals=2))
    assert match.ending is MatchEnding.MAX_DEALS
    assert len(match.hands) == 2
    assert match.ranks().count(1) == match.totals.count(min(match.totals))


def test_shared_lowest_totals_share_the_first_rank():
    match = play_all(match_of(tiebreak="shared"))
    assert sorted(match.totals) == [0, 0, 0, 1]
    assert sorted(match.ranks()) == [1, 1, 1, 4]


def test_only_the_tied_play_off_with_the_pack_for_that_many():
    match = match_of(seed=bytes(31) + b"\x01")
    play_lowest(match)
    match.next_deal()
    tied = [seat for seat, total in enumerate(match.totals) if total == 0]
    assert match.hands[-1].playoff
    assert sorted(match.deal.seats) == tied
    assert [len(cards) for cards in match.hands[-1].cards] == [10, 10, 10]
    before = list(match.totals)
    play_all(match)
    assert match.totals == before, "play-off points do not enter the totals"
    assert match.ranks().count(1) == 1
    loser = next(seat for seat in range(4) if seat not in tied)
    assert match.ranks()[loser] == 4


def test_those_who_lasted_longer_in_the_play_offs_rank_better():
    match = match_of(seed=bytes(31) + b"\x01", max_playoffs=50)
    order = []
    play_lowest(match)
    match.next_deal()
    while not match.over:
        play_lowest(match)
        points = dict(zip(match.deal.seats, match.deal.points(), strict=True))
        fewest = min(points.values())
        order.append(sorted(seat for seat in points if points[seat] > fewest))
        match.next_deal()
    ranks = match.ranks()
    dropped = [seat for seats in order for seat in seats]
    assert [ranks[seat] for seat in dropped] == sorted((ranks[seat] for seat in dropped), reverse=True)
    assert [hand.dealer in hand.play.seats for hand in match.hands] == [True] * len(match.hands)


def test_after_max_playoffs_the_rest_share_the_rank():
    assert play_all(match_of(max_playoffs=0)).ranks().count(1) == 3


def test_the_play_off_is_dealt_by_the_first_tied_seat_from_the_next_dealer_on():
    for first_dealer in range(4):
        match = match_of(first_dealer=first_dealer)
        play_lowest(match)
        match.next_deal()
        tied = [seat for seat, total in enumerate(match.totals) if total == 0]
        after = [(first_dealer + 1 + step) % 4 for step in range(4)]
        assert match.hands[-1].dealer == next(seat for seat in after if seat in tied)


# -- forfeit ------------------------------------------------------------------------------------------------


def test_who_revokes_under_forfeit_goes_to_the_threshold_and_is_last():
    match = match_of(deals=None, threshold=10, revoke="forfeit", tiebreak="shared")
    play_lowest(match)
    match.next_deal()
    before = list(match.totals)
    revoke(match, 2)
    match.next_deal()
    assert match.ending is MatchEnding.FORFEIT
    assert match.totals == [*before[:2], 10, before[3]]
    assert match.ranks()[2] == 4
    assert match.deal.points() == [0, 0, 0, 0]


def test_without_a_threshold_the_offenders_total_stays():
    match = match_of(revoke="forfeit", deals=3, tiebreak="shared")
    revoke(match, 1)
    match.next_deal()
    assert match.totals == [0, 0, 0, 0]
    assert match.ranks() == [1, 4, 1, 1]


def test_who_revokes_in_a_play_off_drops_out_behind_all_who_are_still_in():
    match = match_of(revoke="forfeit", max_playoffs=50)
    play_lowest(match)
    match.next_deal()
    tied = set(match.deal.seats)
    offender = match.deal.seats[1]
    revoke(match, offender)
    match.next_deal()
    assert set(match.deal.seats) == tied - {offender}
    play_all(match)
    ranks = match.ranks()
    assert match.ending is MatchEnding.DEALS
    assert ranks[offender] == 3
    assert sorted(ranks[seat] for seat in tied - {offender}) == [1, 2]


# -- vacated seats ------------------------------------------------------------------------------------------


def test_a_vacated_seat_is_ranked_last_whatever_its_total():
    match = match_of(tiebreak="shared")
    match.vacate(0)
    match.vacate(3)
    play_all(match)
    ranks = match.ranks()
    assert ranks[0] == 4
    assert ranks[3] == 3, "who held out longer is ranked better"


def test_seats_that_never_were_ready_share_the_last_rank():
    rules = Rules.make(**ONE_POINT, tiebreak="shared")
    match = Match(rules, shuffled(bytes(32), rules))
    match.vacate(1)
    match.vacate(2)
    match.next_deal()
    match.vacate(0)
    play_all(match)
    assert match.ranks() == [2, 3, 3, 1]


def test_when_all_seats_are_vacated_the_match_still_ends_with_ranks():
    rules = Rules.make()
    match = Match(rules, shuffled(bytes(32), rules))
    for seat in range(4):
        match.vacate(seat)
    match.next_deal()
    assert play_all(match).ranks() == [1, 1, 1, 1]
    assert not any(hand.playoff for hand in match.hands)


def test_a_vacated_seat_takes_no_part_in_a_play_off():
    match = match_of()
    play_lowest(match)
    match.next_deal()
    tied = sorted(match.deal.seats)
    match.vacate(tied[0])
    play_lowest(match)
    match.next_deal()
    assert match.over or tied[0] not in match.deal.seats
    play_all(match)
    assert match.ranks()[tied[0]] == 4


# -- supplied boards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda hands: hands[0].pop(), "cards"),
        (lambda hands: hands.pop(), "cards"),
        (lambda hands: hands[0].__setitem__(0, hands[1][0]), "dealt twice"),
        (lambda hands: hands[0].__setitem__(0, parse_card("7S")), "not in the pack of 30"),
    ],
)
def test_a_void_deal_supplied_from_outside_is_refused_with_the_reason(spoil, says):
    rules = Rules.make(players=3)
    hands = [list(hand) for hand in shuffled(bytes(32), rules)(1, 3).hands]
    spoil(hands)
    match = Match(rules, lambda number, players: Dealt(0, hands))
    with pytest.raises(Misdeal, match=says):
        match.next_deal()


def test_a_first_dealer_that_is_no_seat_is_refused():
    rules = Rules.make()
    with pytest.raises(ValueError, match="no seat of 4"):
        Match(rules, shuffled(bytes(32), rules), first_dealer=4)


def test_the_next_deal_waits_for_the_one_in_play():
    with pytest.raises(ValueError, match="not over"):
        match_of().next_deal()


def test_the_deck_has_thirty_two_cards():
    assert len(set(CARD_TEXTS)) == 32
