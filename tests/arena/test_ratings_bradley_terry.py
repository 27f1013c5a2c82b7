"""The published Elo: what it is on small pools that can be worked out by hand, and what must always hold."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ratings.bradley_terry import PRIOR, expected, fit
from arena.ratings.meetings import count_pairs
from arena.ratings.results import Results
from arena.ratings.table import ELO, rate
from tests.support.results import played


@st.composite
def pools(draw):
    players = draw(st.integers(2, 5))
    one = st.lists(st.sampled_from(range(7)), min_size=players, max_size=players, unique=True)
    return [
        {who: draw(st.integers(1, players)) for who in draw(one)} for _ in range(draw(st.integers(1, 15)))
    ]


def elo(results):
    return {rating.competitor: rating.elo for rating in rate(results).ratings}


def test_two_bots_are_as_far_apart_as_their_score_says():
    # 75 of 100: odds of 3 : 1 are 190.8 Elo, and the pseudo-draws draw them together a little.
    ratings = elo(played(*[{1: 1, 2: 2}] * 75, *[{1: 2, 2: 1}] * 25))
    assert ratings[1] - ratings[2] == pytest.approx(190.8, abs=3)
    assert ratings[1] - ratings[2] < 190.8
    assert ratings[1] + ratings[2] == pytest.approx(3000)


def test_ties_count_half():
    tied = elo(played(*[{1: 1, 2: 1}] * 2, {1: 1, 2: 2}))
    shared = elo(played(*[{1: 1, 2: 2}] * 2, {1: 2, 2: 1}))
    assert tied == shared


@given(pools())
@settings(max_examples=60)
def test_everybody_scores_as_expected(matches):
    # The likelihood is greatest where each bot's score, its pseudo-draw included, is the expected one.
    results = played(*matches)
    fitted = fit(results)
    for component in set(fitted.component.tolist()):
        members = np.flatnonzero(fitted.component == component)
        chance = expected(fitted.strength)
        score = (fitted.pairs.won + 0.5 * fitted.pairs.drawn).sum(axis=1)
        surplus = (score - (fitted.pairs.met * chance).sum(axis=1))[members]
        # What is left is the pseudo-draw's, with a bot that is as strong as the middle of the component.
        drawn = surplus / PRIOR + 0.5
        strengths = np.log(drawn / (1 - drawn))
        assert np.ptp(strengths - fitted.strength[members]) == pytest.approx(0, abs=1e-6)


@given(pools())
@settings(max_examples=60)
def test_the_mean_of_each_component_is_1500_and_everything_is_finite(matches):
    table = rate(played(*matches))
    for component in range(table.components):
        ratings = [rating for rating in table.ratings if rating.component == component]
        assert sum(rating.elo for rating in ratings) / len(ratings) == pytest.approx(1500, abs=0.01)
    assert all(math.isfinite(value) for r in table.ratings for value in (r.elo, r.elo_low, r.elo_high))
    assert all(rating.elo_low < rating.elo < rating.elo_high for rating in table.ratings)


@given(pools())
@settings(max_examples=30)
def test_the_cross_table_is_what_counting_by_hand_gives(matches):
    results = played(*matches)
    pairs = count_pairs(results)
    for a, b in combinations(range(len(results.competitors)), 2):
        one, other = (int(results.competitors[at]) for at in (a, b))
        met = [match for match in matches if one in match and other in match]
        assert pairs.met[a, b] == pairs.met[b, a] == len(met)
        assert pairs.won[a, b] == sum(match[one] < match[other] for match in met)
        assert pairs.won[b, a] == sum(match[one] > match[other] for match in met)
        assert pairs.drawn[a, b] == sum(match[one] == match[other] for match in met)


def test_who_won_everything_is_rated_and_provisional():
    table = rate(played(*[{1: 1, 2: 2, 3: 2}] * 40))
    winner, *others = table.ratings
    assert winner.competitor == 1
    assert winner.provisional
    assert 2000 < winner.elo < 2600
    # Nothing but the prior holds it: nobody knows how much better it is.
    assert winner.elo_high - winner.elo > 200
    assert others[0].elo == others[1].elo


def test_more_matches_of_the_same_kind_give_narrower_intervals():
    lucky = [{1: 1, 2: 2}, {1: 2, 2: 1}, {1: 1, 2: 2}]
    few, many = (rate(played(*lucky * times)).by_competitor[1] for times in (10, 40))
    assert many.elo_error == pytest.approx(few.elo_error / 2, rel=0.05)


def test_few_blocks_are_provisional_and_many_are_not():
    even = [{1: 1, 2: 2}, {1: 2, 2: 1}]
    assert rate(played(*even * 9)).by_competitor[1].provisional
    assert not rate(played(*even * 100)).by_competitor[1].provisional


def test_unconnected_groups_are_said_to_be_so():
    table = rate(played({1: 1, 2: 2}, {3: 1, 4: 1}, {4: 1, 5: 2}))
    assert table.components == 2
    assert [(r.competitor, r.component, r.place) for r in table.ratings] == [
        (4, 1, 1),
        (3, 1, 2),
        (5, 1, 3),
        (1, 0, 1),
        (2, 0, 2),
    ]
    assert table.compare(1, 3) is None
    assert table.compare(3, 5) is not None
    # One match between them makes one list of the two.
    assert rate(played({1: 1, 2: 2}, {3: 1, 4: 1}, {4: 1, 5: 2}, {2: 1, 3: 2})).components == 1


def test_a_vacated_seat_is_a_last_place_and_counted():
    rows = [(1, 0, 0, 0, 8, 1, 4, 1, 0, 0), (1, 0, 0, 0, 8, 2, 0, 2, 3, 1)]
    one, other = rate(Results.from_rows(rows)).ratings
    assert (one.competitor, other.vacated, other.faults) == (1, 1, 3)
    assert one.points_per_deal == 0.5


def test_the_better_is_likelier_the_better_and_the_interval_says_how_sure():
    even = [{1: 1, 2: 2}, {1: 2, 2: 1}]
    table = rate(played(*even * 20, *[{1: 1, 2: 2}] * 10))
    found = table.compare(1, 2)
    assert found.lead == pytest.approx(table.by_competitor[1].elo - table.by_competitor[2].elo, abs=0.02)
    assert (found.chance > 0.975) == (found.lead_low > 0)
    back = table.compare(2, 1)
    assert back.chance == pytest.approx(1 - found.chance, abs=1e-4)
    assert (back.lead_low, back.lead_high) == (-found.lead_high, -found.lead_low)


def test_the_boards_still_needed_are_those_after_which_it_is_sure():
    mixed = [*[{1: 1, 2: 2}] * 3, *[{1: 2, 2: 1}] * 2]
    boards = rate(played(*mixed * 10)).compare(1, 2).boards
    assert boards > 0
    for further, sure in ((0.8, False), (1.1, True)):
        enough = rate(played(*mixed * round((50 + boards * further) / 5))).compare(1, 2)
        assert (enough.boards == 0) == sure
        assert (enough.lead_low > 0) == sure


def test_equals_need_no_end_of_boards():
    assert rate(played({1: 1, 2: 1}, {1: 1, 2: 2}, {1: 2, 2: 1})).compare(1, 2).boards is None


def test_nobody_is_compared_who_did_not_play():
    with pytest.raises(KeyError):
        rate(played({1: 1, 2: 2})).compare(1, 9)


def test_the_scale_is_four_hundred_for_odds_of_ten():
    assert ELO * math.log(10) == pytest.approx(400)
