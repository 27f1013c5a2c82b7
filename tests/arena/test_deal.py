"""One deal, sentence by sentence (rules.md § 3–6), with cards laid out by hand."""

import pytest

from arena.cards import parse_card, parse_cards
from arena.deal import Deal, DealEnding, Phase, Revoked
from arena.errors import IllegalMove
from arena.rules import Bid, Rules

# Each hand holds its suit from the top; who leads spades takes all the tricks that it leads.
SPADES = ["KS", "QS", "JS", "AS", "TS", "9S", "8S", "7S"]
HEARTS = ["KH", "QH", "JH", "AH", "TH", "9H", "8H", "7H"]
DIAMONDS = ["KD", "QD", "JD", "AD", "TD", "9D", "8D", "7D"]
CLUBS = ["KC", "QC", "JC", "AC", "TC", "9C", "8C", "7C"]
BY_SUIT = (SPADES, HEARTS, DIAMONDS, CLUBS)


def deal_of(rules, hands, seats=None, quick_end_at=None):
    seats = seats or tuple(range(len(hands)))
    return Deal(rules, seats, [parse_cards(hand) for hand in hands], quick_end_at)


def play(deal, text):
    for card in text.split():
        deal.play(parse_card(card))


def play_by_suit(deal):
    for cards in zip(*BY_SUIT, strict=True):
        play(deal, " ".join(cards))


def small(rules, *hands, **more):
    """A deal of two or three cards each, where only these matter."""
    return deal_of(rules, [hand.split() for hand in hands], **more)


def no_bids(**options):
    return Rules.make(players=4, bids=[], **options)


def test_the_highest_card_of_the_suit_led_wins_and_another_suit_never_does():
    deal = small(no_bids(), "9S 7D", "8S 8D", "TS 9D", "KH TD")
    play(deal, "9S 8S TS KH")
    assert deal.winners == [2]
    assert deal.turn == 2


def test_the_ace_below_the_jack_loses_to_it_and_high_beats_the_king():
    for ace, winner in (("below_jack", 1), ("high", 0)):
        deal = small(no_bids(ace=ace), "AS 7D", "JS 8D", "TS 9D", "9S TD")
        play(deal, "AS JS TS 9S")
        assert deal.winners == [winner]


def test_suit_must_be_followed_and_a_void_hand_may_play_anything():
    deal = small(no_bids(), "9S 7D", "8S JH", "JC 9D", "KH TD")
    play(deal, "9S")
    assert deal.legal == parse_cards(["8S"])
    play(deal, "8S")
    assert deal.legal == parse_cards(["JC", "9D"])


def test_a_card_not_held_and_a_move_out_of_phase_change_nothing():
    deal = small(Rules.make(players=4), "9S 7D", "8S JH", "JC 9D", "KH TD")
    with pytest.raises(IllegalMove, match="no card is asked for"):
        deal.play(parse_card("9S"))
    with pytest.raises(IllegalMove, match="general is not offered, only pass, capot"):
        deal.bid(Bid.GENERAL)
    for _ in range(4):
        deal.bid(Bid.PASS)
    with pytest.raises(IllegalMove, match="no bid"):
        deal.bid(Bid.PASS)
    with pytest.raises(IllegalMove, match="KH is not in the hand"):
        deal.play(parse_card("KH"))
    assert deal.turn == 0
    assert deal.trick == []


def test_the_first_announcement_ends_the_bidding_and_the_eldest_hand_leads_all_the_same():
    deal = deal_of(Rules.make(players=4, bids=["capot", "general"]), BY_SUIT, seats=(2, 3, 0, 1))
    deal.bid(Bid.PASS)
    assert deal.turn == 3
    deal.bid(Bid.GENERAL)
    assert deal.phase is Phase.PLAY
    assert deal.bids == [(0, Bid.PASS), (1, Bid.GENERAL)]
    assert deal.turn == 2


def test_without_bids_nobody_is_asked():
    assert deal_of(no_bids(), BY_SUIT).phase is Phase.PLAY


@pytest.mark.parametrize(
    ("variant", "points"),
    [("polignac", 5), ("quatre_valets", 4), ("knaves", 3), ("eichelobern", 5), ("bassadewitz", 5)],
)
def test_who_takes_all_takes_all_the_points_of_the_variant(variant, points):
    deal = deal_of(no_bids(variant=variant), BY_SUIT)
    play_by_suit(deal)
    assert deal.over
    assert deal.points() == [points, 0, 0, 0]


@pytest.mark.parametrize(("bonus", "points"), [(1, 4), (0, 3), (2, 5)])
def test_slobberhannes_gives_a_fourth_point_to_who_takes_first_trick_last_trick_and_queen(bonus, points):
    deal = deal_of(no_bids(variant="slobberhannes", all_three_bonus=bonus), BY_SUIT)
    play_by_suit(deal)
    assert deal.points() == [points, 0, 0, 0]


def test_slobberhannes_gives_no_bonus_when_another_took_the_queen():
    deal = small(no_bids(variant="slobberhannes"), "KS 7C KH", "7S QC 7H", "8S 8C 8H", "9S 9C 9H")
    play(deal, "KS 7S 8S 9S 7C QC 8C 9C")
    play(deal, "7H 8H 9H KH")
    assert deal.points() == [2, 1, 0, 0]


def test_capot_made_gives_the_others_five_and_captured_cards_do_not_count():
    deal = deal_of(Rules.make(players=4), BY_SUIT)
    deal.bid(Bid.CAPOT)
    play_by_suit(deal)
    assert deal.points() == [0, 5, 5, 5]


def test_general_made_takes_five_from_the_announcer():
    deal = deal_of(Rules.make(players=4, bids=["general"]), BY_SUIT)
    deal.bid(Bid.GENERAL)
    play_by_suit(deal)
    assert deal.points() == [-5, 5, 5, 5]


@pytest.mark.parametrize(("failed_bid", "announcer"), [("add", 7), ("replace", 5)])
@pytest.mark.parametrize("bid", [Bid.CAPOT, Bid.GENERAL])
def test_a_failed_bid_costs_five_and_what_was_captured_counts_as_the_rules_say(failed_bid, announcer, bid):
    rules = Rules.make(players=4, bids=["capot", "general"], failed_bid=failed_bid)
    deal = small(rules, "KS 7D", "JS KD", "8S JD", "9S 9D")
    deal.bid(bid)
    play(deal, "KS JS 8S 9S 7D KD JD 9D")
    assert deal.points() == [announcer, 1, 0, 0]


def test_winning_every_trick_unannounced_scores_like_any_deal():
    deal = deal_of(Rules.make(players=4), BY_SUIT)
    for _ in range(4):
        deal.bid(Bid.PASS)
    play_by_suit(deal)
    assert deal.points() == [5, 0, 0, 0]


def test_in_an_uneven_deal_the_last_trick_is_played_by_those_who_still_hold_a_card():
    rules = Rules.make(players=5, deal="uneven", bids=[])
    deal = small(rules, "7S 7H", "8S 8H", "KS", "9S", "TS")
    play(deal, "7S 8S KS 9S TS")
    # Seat 2 took the trick and has no card left: the next seat that has one leads, and that is seat 0.
    assert deal.winners == [2]
    assert deal.turn == 0
    play(deal, "7H 8H")
    assert deal.over
    assert deal.tricks[-1] == (0, [parse_card("7H"), parse_card("8H")])


def test_in_an_uneven_deal_a_bid_is_made_by_winning_every_trick_in_which_one_held_a_card():
    rules = Rules.make(players=5, deal="uneven")
    deal = small(rules, "7S JS", "8S JC", "KS", "9S", "TS")
    deal.bid(Bid.PASS)
    deal.bid(Bid.PASS)
    deal.bid(Bid.CAPOT)
    play(deal, "7S 8S KS 9S TS JS JC")
    assert deal.points() == [5, 5, 0, 5, 5]


# -- revoke -------------------------------------------------------------------------------------------------


def test_under_correct_a_revoke_is_refused_and_nothing_has_changed():
    deal = small(no_bids(), "9S 7D", "8S JH", "TS 9D", "KS TD")
    play(deal, "9S")
    with pytest.raises(Revoked, match="JH does not follow suit; play one of 8S"):
        play(deal, "JH")
    assert deal.turn == 1
    play(deal, "8S")
    assert deal.turn == 2


def test_under_penalty_the_card_stands_and_each_revoke_costs_five():
    deal = small(no_bids(revoke="penalty"), "9S 7D", "8S JH", "TS 9D", "KS TD")
    play(deal, "9S JH TS KS TD 7D 8S 9D")
    assert deal.revokes == [(1, 1)]
    assert deal.points() == [0, 5, 0, 1]


def test_an_announcer_that_revoked_has_failed_and_pays_for_both():
    deal = small(Rules.make(players=4, revoke="penalty"), "7S 7D", "8S 8D", "9S 9D", "KS KD")
    for bid in (Bid.PASS, Bid.PASS, Bid.PASS, Bid.CAPOT):
        deal.bid(bid)
    play(deal, "7S 8S 9S KD 9D KS 7D 8D")
    assert deal.revokes == [(1, 3)]
    assert deal.points() == [0, 0, 0, 10]


def test_under_forfeit_the_deal_ends_at_once_and_is_not_scored():
    deal = small(no_bids(revoke="forfeit"), "9S 7D", "8S JH", "TS 9D", "KS TD")
    play(deal, "9S JH")
    assert deal.ending is DealEnding.FORFEIT
    assert deal.turn == 1
    assert deal.points() == [0, 0, 0, 0]
    assert deal.tricks == [(0, [parse_card("9S"), parse_card("JH")])]


# -- quick end ----------------------------------------------------------------------------------------------


def test_a_quick_end_comes_when_a_running_total_is_exactly_the_threshold():
    deal = small(no_bids(), "KS 7D", "JS 8D", "9S 9D", "TS TD", quick_end_at=[2, 9, 9, 9])
    play(deal, "KS JS 9S TS")
    assert deal.ending is DealEnding.QUICK_END
    assert deal.points() == [2, 0, 0, 0]


def test_a_total_that_jumps_over_the_threshold_plays_on():
    deal = small(no_bids(), "KS 7D", "JS 8D", "9S 9D", "TS TD", quick_end_at=[1, 9, 9, 9])
    play(deal, "KS JS 9S TS")
    assert not deal.over


def test_the_last_trick_never_ends_a_deal_quickly():
    deal = small(no_bids(), "KS 7D", "9S 8D", "8S 9D", "TS JD", quick_end_at=[9, 9, 9, 1])
    play(deal, "KS 9S 8S TS 7D 8D 9D JD")
    assert deal.ending is DealEnding.PLAYED
    assert deal.points() == [0, 0, 0, 1]


def test_while_a_bid_is_undecided_a_quick_end_waits_and_once_failed_its_five_points_count():
    rules = Rules.make(players=4)
    hands = "KS 7D 7H", "JS 8D 8H", "9S 9D 9H", "TS KD TH"
    deal = small(rules, *hands, quick_end_at=[2, 9, 9, 9])
    deal.bid(Bid.CAPOT)
    play(deal, "KS JS 9S TS")
    assert not deal.over
    deal = small(rules, *hands, quick_end_at=[7, 9, 9, 9])
    deal.bid(Bid.CAPOT)
    play(deal, "KS JS 9S TS 7D 8D 9D KD")
    assert deal.ending is DealEnding.QUICK_END
    assert deal.points() == [7, 0, 0, 0]


def test_points_for_revokes_come_only_at_the_end_of_a_deal():
    deal = small(no_bids(revoke="penalty"), "KS 7D", "JS 8D", "9S 9D", "TS TD", quick_end_at=[2, 5, 9, 9])
    play(deal, "KS 8D 9S TS")
    assert not deal.over, "seat 1 owes five for its revoke, but not yet"
    play(deal, "7D JS 9D TD")
    assert deal.points() == [0, 5, 0, 2]
