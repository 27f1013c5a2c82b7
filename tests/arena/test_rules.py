"""The checks that rules go through when they are made (rules.md § 8), and their defaults."""

import pytest
from hypothesis import given

from arena.rules import VARIANTS, Rules, RulesError, Variant
from tests.support.games import rules


@pytest.mark.parametrize(
    ("options", "option", "says"),
    [
        ({"threshhold": 20}, "threshhold", "there is no such option"),
        ({"variant": "hearts"}, "variant", "polignac, quatre_valets"),
        ({"players": 2}, "players", "from 3 to 6"),
        ({"players": 7}, "players", "from 3 to 6"),
        ({"players": True}, "players", "whole number"),
        ({"players": 4.0}, "players", "whole number"),
        ({"variant": "knaves", "players": 5}, "players", "from 3 to 4 for knaves"),
        ({"players": 4, "deal": "uneven"}, "deal", "5 or 6 players"),
        ({"players": 6, "card_points": {"7S": 1}}, "card_points", "not in the pack of 30"),
        ({"card_points": {"XS": 1}}, "card_points", "rank then suit"),
        ({"card_points": {"JS": -1}}, "card_points[JS]", "from 0 to 100"),
        ({"card_points": ["JS"]}, "card_points", "an object"),
        ({"card_points": {}, "bids": []}, "card_points", "nobody could ever score"),
        ({"card_points": {"JS": 0}, "bids": []}, "card_points", "nobody could ever score"),
        ({"threshold": 10, "deals": 4}, "deals", "not both"),
        ({"threshold": 0}, "threshold", "from 1 to 100"),
        ({"threshold": 101}, "threshold", "from 1 to 100"),
        ({"deals": 0}, "deals", "from 1"),
        ({"deals": 201}, "deals", "from 1 to 200 (max_deals)"),
        ({"deals": 5, "max_deals": 4}, "deals", "from 1 to 4 (max_deals)"),
        ({"bids": ["grand"]}, "bids", "capot, general"),
        ({"bids": ["capot", "capot"]}, "bids", "each once"),
        ({"bids": "capot"}, "bids", "a list"),
        ({"quick_end": "yes"}, "quick_end", "true or false"),
        ({"quick_end": 1}, "quick_end", "true or false"),
        ({"revoke": ["correct"]}, "revoke", "correct, penalty, forfeit"),
        ({"tiebreak": None, "ace": "low"}, "ace", "below_jack, high"),
    ],
)
def test_what_cannot_be_played_is_refused_with_option_value_and_what_is_allowed(options, option, says):
    with pytest.raises(RulesError) as caught:
        Rules.from_json(options)
    error = caught.value
    assert error.option == option
    assert says in error.allowed
    assert option in str(error)


def test_cards_that_score_nothing_make_no_other_game():
    assert Rules.make(card_points={"JS": 2, "7H": 0}) == Rules.make(card_points={"JS": 2})


def test_a_bonus_alone_is_a_way_to_score():
    assert Rules.make(card_points={}, bids=[], all_three_bonus=1).all_three_bonus == 1


def test_an_uneven_game_of_six_uses_the_sevens_so_they_may_score():
    assert Rules.make(players=6, deal="uneven", card_points={"7S": 1}).card_points == (("7S", 1),)


@pytest.mark.parametrize(
    ("variant", "ace", "bids", "total"),
    [
        ("polignac", "below_jack", ["capot"], 5),
        ("quatre_valets", "below_jack", ["capot"], 4),
        ("slobberhannes", "high", [], 3),
        ("knaves", "high", [], 3),
        ("eichelobern", "high", [], 5),
        ("bassadewitz", "high", [], 5),
    ],
)
def test_the_defaults_of_each_variant_are_those_of_the_page(variant, ace, bids, total):
    game = Rules.make(variant=variant).to_json()
    assert (game["ace"], game["bids"]) == (ace, bids)
    assert sum(game["card_points"].values()) + game["first_trick"] + game["last_trick"] == total
    assert game["all_three_bonus"] == (variant == "slobberhannes")
    assert (game["threshold"], game["deals"], game["revoke"], game["tiebreak"]) == (
        10,
        None,
        "correct",
        "playoff",
    )


def test_there_are_six_variants():
    assert set(VARIANTS) == set(Variant)
    assert len(VARIANTS) == 6


def test_options_are_read_from_command_line_texts():
    game = Rules.from_texts(
        ["bids=general,capot", "card_points=JS:3,QC:1", "quick_end=true", "deals=4"], players=5
    )
    assert (
        game.to_json()
        == Rules.make(
            players=5, bids=["capot", "general"], card_points={"JS": 3, "QC": 1}, quick_end=True, deals=4
        ).to_json()
    )
    assert Rules.from_texts(["bids="]).bids == ()


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["threshold"], "key=value"),
        (["threshold=ten"], "threshold=ten is not allowed"),
        (["threshold=１０"], "threshold=１０ is not allowed"),
        (["threshold=10", "threshold=20"], "given twice"),
        (["card_points=JS"], "card_points[JS]"),
        (["card_points=JS:2,JS:1"], "each card once"),
        (["quick_end=maybe"], "true or false"),
        (["players=" + "9" * 5000], "from 3 to 6"),
    ],
)
def test_a_bad_command_line_text_is_told(texts, says):
    with pytest.raises(RulesError) as caught:
        Rules.from_texts(texts)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 400


@given(rules())
def test_rules_come_back_from_their_json(game):
    assert Rules.from_json(game.to_json()) == game


def test_equal_rules_are_equal_and_hash_alike():
    assert Rules.make(bids=["general", "capot"]) == Rules.make(bids=["capot", "general"])
    assert len({Rules.make(), Rules.from_json({}), Rules.make(variant="polignac")}) == 1


def test_the_ace_ranks_below_the_jack_or_high():
    below, high = Rules.make(ace="below_jack"), Rules.make(ace="high")
    order = ["K", "Q", "J", "A", "T", "9", "8", "7"]
    spades = {rank + "S": index for index, rank in enumerate("KQJAT987")}
    by_strength = sorted(spades, key=lambda text: -below.strength[spades[text]])
    assert [text[0] for text in by_strength] == order
    by_strength = sorted(spades, key=lambda text: -high.strength[spades[text]])
    assert [text[0] for text in by_strength] == list("AKQJT987")
