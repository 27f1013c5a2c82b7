"""The sequential Elo: worked examples, what is conserved, and its history."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.live import elo_live
from arena.ratings.results import Results
from arena.ratings.table import rate
from bench.pools import balanced, jacks
from tests.support.results import played


@st.composite
def pools(draw):
    players = draw(st.integers(2, 6))
    one = st.lists(st.sampled_from(range(8)), min_size=players, max_size=players, unique=True)
    return [
        {who: draw(st.integers(1, players)) for who in draw(one)} for _ in range(draw(st.integers(1, 12)))
    ]


def test_one_match_of_four_equals_is_worth_half_of_k_to_the_winner():
    # K = 16 over 3 pairs is 5.333 a pair; against equals a win is worth half of it, a tie nothing.
    ratings = elo_live(played({1: 1, 2: 2, 3: 2, 4: 4})).elo
    assert ratings.tolist() == pytest.approx([1508, 1500, 1500, 1492])


def test_a_second_match_is_judged_by_the_ratings_after_the_first():
    ratings = elo_live(played({1: 1, 2: 2}, {1: 2, 2: 1})).elo
    # After the first: 1508 and 1492. The first is then expected to score 1 / (1 + 10^(-16/400)) = 0.523011.
    assert ratings[0] == pytest.approx(1508 - 16 * 0.5230108)


def test_all_pairs_of_a_match_are_judged_by_the_ratings_before_it():
    live = elo_live(played({1: 1, 2: 2, 3: 3}, {1: 3, 2: 2, 3: 1}))
    one, two, three = live.after[0]
    chances = [1 / (1 + 10 ** ((other - one) / 400)) for other in (two, three)]
    assert live.elo[0] == pytest.approx(one - 8 * sum(chances))


@given(pools())
def test_points_are_only_passed_around(matches):
    assert elo_live(played(*matches)).elo.mean() == pytest.approx(1500, abs=1e-8)


@given(pools(), st.floats(1, 64))
def test_one_match_moves_nobody_by_more_than_k(matches, k):
    results = played(*matches)
    points = np.full(len(results.competitors), 1500.0)
    for seated, after in zip(results.seats, elo_live(results, k=k).after, strict=True):
        assert np.abs(after - points[seated]).max() <= k + 1e-9
        points[seated] = after


@given(st.lists(st.permutations(range(1, 6)), min_size=1, max_size=5))
def test_who_always_finishes_ahead_is_rated_ahead(orders):
    matches = [{0: 1, **{name: place + 2 for place, name in enumerate(order)}} for order in orders]
    winner, *others = elo_live(played(*matches)).elo
    assert winner > max(others)


def test_the_start_and_the_step_can_be_chosen():
    assert elo_live(played({1: 1, 2: 2}), k=32, initial=1000).elo.tolist() == [1016, 984]


def test_a_bot_that_wins_three_in_four_settles_about_two_hundred_points_above():
    chance = random.Random("elo")  # Elo's own promise: 191 points is a 3 : 1 favourite
    live = elo_live(played(*[{1: 1, 2: 2} if chance.random() < 0.75 else {1: 2, 2: 1} for _ in range(4000)]))
    late = live.after[2000:]
    assert (late[:, 0] - late[:, 1]).mean() == pytest.approx(191, abs=30)


def test_the_history_of_a_bot_is_its_rating_after_each_block():
    chance = np.random.default_rng(1)
    results = jacks(chance, 0.5 * chance.standard_normal(9), balanced(chance, 9, 4, 12), 2)
    live = elo_live(results)
    table = rate(results, live)
    for who in results.competitors.tolist():
        at, values = live.history(who)
        assert len(at) == table.by_competitor[who].blocks
        assert values[-1] == live.elo[results.index(who)]
        assert all(who in results.competitors[results.seats[match]] for match in at.tolist())
        assert (np.diff(results.blocks[at]) > 0).all()


def test_one_who_played_no_counted_match_has_no_history():
    with pytest.raises(KeyError):
        elo_live(played({1: 1, 2: 2})).history(99)


def test_no_results_give_no_ratings():
    assert elo_live(Results.from_rows([])).elo.tolist() == []
