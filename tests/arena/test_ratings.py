"""Multi-player Elo: a worked example, what is conserved, and that order never shows."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.elo import MatchResult, Rating, elo, expected_score

NAMES = "abcdefgh"


def result(key, **ranks):
    return MatchResult(key, tuple(ranks.items()))


@st.composite
def pools(draw):
    def placings():
        names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6, unique=True))
        return tuple((name, draw(st.integers(1, len(names)))) for name in names)

    return [MatchResult(key, placings()) for key in range(draw(st.integers(1, 12)))]


def test_one_match_of_four_equals_is_worth_half_of_k_to_the_winner():
    # K = 16 over 3 pairs is 5.333 a pair; against equals a win is worth half of it, a tie nothing.
    ratings = elo([result(1, a=1, b=2, c=2, d=4)])
    assert ratings["a"].elo == pytest.approx(1500 + 3 * 16 / 3 * 0.5)
    assert ratings["b"].elo == pytest.approx(1500 + 16 / 3 * (-0.5 + 0 + 0.5))
    assert ratings["c"].elo == ratings["b"].elo
    assert ratings["d"].elo == pytest.approx(1500 - 8)


def test_a_second_match_is_judged_by_the_ratings_after_the_first():
    ratings = elo([result(1, a=1, b=2), result(2, a=2, b=1)])
    # After the first: 1508 and 1492. a is then expected to score 1 / (1 + 10^(-16/400)) = 0.523011.
    assert ratings["a"].elo == pytest.approx(1508 - 16 * 0.5230108)
    assert ratings["a"] == Rating(pytest.approx(1499.631827), matches=2, wins=1)


def test_all_pairs_of_a_match_are_judged_by_the_ratings_before_it():
    first = elo([result(1, a=1, b=2, c=3)])
    second = elo([result(1, a=1, b=2, c=3), result(2, a=3, b=2, c=1)])
    a, b, c = (first[name].elo for name in "abc")
    assert second["a"].elo == pytest.approx(a + 8 * (0 - expected_score(a, b) + 0 - expected_score(a, c)))


def test_matches_and_shared_wins_are_counted():
    ratings = elo([result(1, a=1, b=1, c=3), result(2, a=1, c=2)])
    assert [(r.matches, r.wins) for r in ratings.values()] == [(2, 2), (1, 1), (2, 0)]


@given(pools())
def test_points_are_only_passed_around(pool):
    ratings = elo(pool)
    assert sum(r.elo for r in ratings.values()) == pytest.approx(1500 * len(ratings), abs=1e-8)


@given(pools(), st.randoms(use_true_random=False))
def test_the_order_in_which_results_arrive_never_changes_a_bit(pool, chance):
    shuffled = [MatchResult(r.key, tuple(chance.sample(r.placings, len(r.placings)))) for r in pool]
    chance.shuffle(shuffled)
    assert repr(elo(shuffled)) == repr(elo(pool))


@given(pools(), st.floats(1, 64))
def test_one_match_moves_nobody_by_more_than_k(pool, k):
    before, after = elo(pool[:-1], k=k), elo(pool, k=k)
    for name, rating in after.items():
        old = before[name].elo if name in before else 1500
        assert abs(rating.elo - old) <= k + 1e-9


@given(st.lists(st.permutations(NAMES[:5]), min_size=1, max_size=5))
def test_who_always_finishes_ahead_is_rated_ahead(orders):
    pool = [
        MatchResult(key, (("winner", 1), *((name, place + 2) for place, name in enumerate(order))))
        for key, order in enumerate(orders)
    ]
    ratings = elo(pool)
    assert all(ratings["winner"].elo > r.elo for name, r in ratings.items() if name != "winner")


def test_the_start_and_the_step_can_be_chosen():
    ratings = elo([result(1, a=1, b=2)], k=32, initial=1000)
    assert (ratings["a"].elo, ratings["b"].elo) == (1016, 984)


def test_no_results_give_no_ratings():
    assert elo([]) == {}


def test_a_result_given_twice_is_refused():
    with pytest.raises(ValueError, match="match 7 is given twice"):
        elo([result(7, a=1, b=2), result(3, a=1, b=2), result(7, a=1, b=2)])


@pytest.mark.parametrize("placings", [(), (("a", 1),)])
def test_a_result_without_an_opponent_is_refused(placings):
    with pytest.raises(ValueError, match="match 1: a result needs at least two competitors"):
        MatchResult(1, placings)


def test_nobody_is_rated_against_itself():
    with pytest.raises(ValueError, match="'a' can't be rated against itself"):
        MatchResult(1, (("a", 1), ("b", 2), ("a", 3)))


def test_a_bot_that_wins_three_in_four_settles_about_two_hundred_points_above():
    chance = random.Random("elo")  # Elo's own promise: 191 points is a 3 : 1 favourite
    pool = [
        MatchResult(key, (("a", 1), ("b", 2)) if chance.random() < 0.75 else (("a", 2), ("b", 1)))
        for key in range(4000)
    ]
    late = [elo(pool[:size]) for size in range(2000, 4000, 100)]
    gap = sum(r["a"].elo - r["b"].elo for r in late) / len(late)
    assert gap == pytest.approx(191, abs=30)
