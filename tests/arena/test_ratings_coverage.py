"""That 95 % intervals cover the truth in 93 to 97 of 100 cases: by simulation, with fixed seeds."""

from itertools import combinations

import numpy as np
import pytest

from arena.ratings.bradley_terry import expected, fit
from arena.ratings.head_to_head import head_to_head
from arena.ratings.score import score_intervals
from arena.ratings.student import SURE
from arena.ratings.table import rate
from bench.pools import balanced, jacks, races

FULL = np.array(list(combinations(range(8), 4)))


def covered(groups, boards, pools, seed=1, **luck):
    """The share of single strengths, and of differences, that their 95 % intervals hold."""
    chance = np.random.default_rng(seed)
    single, both = [], []
    bots = int(groups.max()) + 1
    a, b = np.triu_indices(bots, 1)
    for _ in range(pools):
        truth = 0.5 * chance.standard_normal(bots)
        truth -= truth.mean()
        fitted = fit(races(chance, truth, groups, boards, **luck))
        off, v = fitted.strength - truth, fitted.covariance
        single.append(np.abs(off) < SURE * np.sqrt(np.diagonal(v)))
        both.append(np.abs(off[a] - off[b]) < SURE * np.sqrt(v[a, a] + v[b, b] - 2 * v[a, b]))
    return float(np.mean(single)), float(np.mean(both))


ROTATED, NEW = {"by_hand": 0.6, "by_bot": 0.0}, {"by_hand": 0.0, "by_bot": 0.6}


@pytest.mark.parametrize(
    ("groups", "boards", "pools", "luck"),
    [
        pytest.param(FULL, 3, 80, {}, id="full round robin"),
        pytest.param(FULL, 3, 80, ROTATED, id="luck that rotation cancels"),
        pytest.param(FULL, 3, 80, NEW, id="luck that it can't cancel"),
        pytest.param(balanced(np.random.default_rng(0), 8, 4, 7), 10, 100, {}, id="few groups, many boards"),
        pytest.param(balanced(np.random.default_rng(0), 60, 4, 33), 1, 20, {}, id="sixty bots, 500 groups"),
        pytest.param(np.array([[0, 1, 2, 3]]), 60, 120, {}, id="one group alone"),
        pytest.param(np.concatenate([FULL] * 3), 1, 80, {}, id="the same groups in three tournaments"),
    ],
)
def test_the_interval_covers_the_truth(groups, boards, pools, luck):
    for share in covered(groups, boards, pools, **luck):
        assert 0.93 <= share <= 0.97


def test_it_does_where_some_companies_suit_a_bot_better_and_meet_again():
    groups = balanced(np.random.default_rng(0), 20, 4, 24)
    for share in covered(np.concatenate([groups, groups]), 4, 40, company=0.3):
        assert 0.93 <= share <= 0.97


def test_it_does_where_there_are_ties():
    # With ties Bradley–Terry isn't exact: the truth is what very many boards of the same groups give.
    chance = np.random.default_rng(2)
    strength = 0.5 * chance.standard_normal(8)
    truth = fit(races(chance, strength, FULL, 200, step=1.0)).strength
    held = []
    for _ in range(100):
        fitted = fit(races(chance, strength, FULL, 3, step=1.0))
        held.append(np.abs(fitted.strength - truth) < SURE * np.sqrt(np.diagonal(fitted.covariance)))
    assert 0.93 <= np.mean(held) <= 0.97


def test_the_interval_of_points_a_deal_covers_the_truth():
    chance = np.random.default_rng(3)
    strength = 0.3 * chance.standard_normal(8)
    odds = np.exp(-strength)[FULL]
    shares = 5 * odds / odds.sum(axis=1, keepdims=True)
    truth = np.bincount(FULL.ravel(), shares.ravel()) / np.bincount(FULL.ravel())
    held = []
    for _ in range(100):
        for rating in rate(jacks(chance, strength, FULL, 2, deals=2)).ratings:
            held.append(rating.points_low <= truth[rating.competitor] <= rating.points_high)
    assert 0.93 <= np.mean(held) <= 0.97


@pytest.mark.parametrize("boards", [3, 5])
def test_with_few_boards_intervals_of_points_and_scores_are_so_wide_that_they_still_hold_the_truth(boards):
    # Four equals: 1.25 points a deal, half the opponents left behind, no difference between two.
    chance = np.random.default_rng(5)
    points, scores, met = [], [], []
    for _ in range(150):
        results = jacks(chance, np.zeros(4), FULL[:1], boards, deals=4)
        points += [rating.points_low <= 1.25 <= rating.points_high for rating in rate(results).ratings]
        scores += [low <= 0.5 <= high for low, high in score_intervals(results, fit(results))]
        record = head_to_head(results, 0, 1)
        met.append(record.points_low <= 0 <= record.points_high)
        assert (record.boards_needed == 0) == (not met[-1]) or record.points == 0
    for held in (points, scores, met):
        assert 0.92 <= np.mean(held) <= 0.985


def test_errors_that_take_all_pairs_as_independent_would_be_too_small():
    chance = np.random.default_rng(4)
    held = []
    for _ in range(60):
        truth = 0.5 * chance.standard_normal(8)
        truth -= truth.mean()
        fitted = fit(races(chance, truth, FULL, 3))
        p = expected(fitted.strength)
        information = fitted.pairs.met * p * (1 - p)
        plain = np.linalg.pinv(np.diag(information.sum(axis=1)) - information)
        held.append(np.abs(fitted.strength - truth) < SURE * np.sqrt(np.diagonal(plain)))
    assert np.mean(held) < 0.9
