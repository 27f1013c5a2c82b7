"""Points as shares: the likeliest weights, and none beyond reason."""

import numpy as np
import pytest

from arena.ratings.shares import shares
from bench.pools import balanced


def drawn(chance, groups, strength, given=80):
    odds = np.exp(-strength)[groups]
    return np.array([chance.multinomial(given, one / one.sum()) for one in odds]).astype(float)


@pytest.mark.parametrize("spread", [0.0, 0.3, 1.0, 4.0])
def test_everybody_is_expected_to_take_about_what_it_took(spread):
    chance = np.random.default_rng(1)
    groups = balanced(chance, 16, 4, 30)
    points = drawn(chance, groups, spread * chance.standard_normal(16))
    expected = 80 * shares(groups, points, 16)
    took, should = (np.bincount(groups.ravel(), each.ravel(), 16) for each in (points, expected))
    # A point shared with a bot of weight 1 is all that stands between them.
    assert np.abs(took - should).max() <= 0.5 + 1e-6


def test_shares_are_those_that_points_were_drawn_by():
    chance = np.random.default_rng(2)
    groups = balanced(chance, 16, 4, 100)
    strength = chance.standard_normal(16)
    odds = np.exp(-strength)[groups]
    found = shares(groups, drawn(chance, groups, strength, given=400), 16)
    assert np.abs(found - odds / odds.sum(axis=1, keepdims=True)).max() < 0.02


@pytest.mark.parametrize(
    "points",
    [
        [[0, 40], [0, 40]],  # one took all, always
        [[40, 0], [0, 0]],  # a group without points
        [[0, 0], [0, 0]],
        [[100_000, 0], [0, 100_000]],
    ],
)
def test_the_extremest_of_results_and_unconnected_groups_still_give_shares(points):
    found = shares(np.array([[0, 1], [2, 3]]), np.array(points, float), 4)
    assert np.isfinite(found).all()
    assert np.allclose(found.sum(axis=1), 1.0)
