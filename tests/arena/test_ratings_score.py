"""The interval of a score holds the true one about as often as it says."""

from itertools import combinations

import numpy as np
import pytest

from arena.ratings.bradley_terry import fit
from arena.ratings.results import Results
from arena.ratings.score import score_intervals
from arena.ratings.table import rate


def season(chance, strength, boards):
    """A full round robin of three at a table: a board's luck is shared by the seats of all its tables."""
    rows = []
    for group, members in enumerate(combinations(range(len(strength)), 3)):
        for board in range(boards):
            hands = chance.normal(0, 1.5, 3)
            for table in range(3):
                points = [
                    round(hands[(seat + table) % 3] - strength[who] + chance.normal(0, 1))
                    for seat, who in enumerate(members)
                ]
                for who, point in zip(members, points, strict=True):
                    rank = 1 + sum(other < point for other in points)
                    rows.append((1, group, board, table, 2, who, point, rank, 0, 0))
    return Results.from_rows(rows)


@pytest.mark.parametrize("boards", [1, 3])
def test_intervals_of_scores_cover_the_truth_in_about_95_of_100_cases(boards):
    chance, strength = np.random.default_rng(3), np.linspace(-0.8, 0.8, 8)
    seasons = [season(chance, strength, boards) for _ in range(60)]
    scores = np.array(
        [[row.score for _, row in sorted(rate(each).by_competitor.items())] for each in seasons]
    )
    truth = scores.mean(axis=0)
    ends = np.array([score_intervals(each, fit(each)) for each in seasons])
    covered = ((ends[:, :, 0] <= truth) & (truth <= ends[:, :, 1])).mean()
    assert 0.91 <= covered <= 0.985
    assert (ends[:, :, 0] <= scores).all()
    assert (scores <= ends[:, :, 1]).all()


def test_a_single_block_says_nothing_of_how_sure_a_score_is():
    one = Results.from_rows((1, 1, 1, 0, 2, who, who, who + 1, 0, 0) for who in range(3))
    assert score_intervals(one, fit(one)) == [(None, None)] * 3


def test_a_score_stays_within_its_bounds():
    chance = np.random.default_rng(1)
    extreme = season(chance, [9.0, 0.0, -9.0, 0.0], 2)
    ends = np.array(score_intervals(extreme, fit(extreme)))
    assert (ends >= 0).all()
    assert (ends <= 1).all()
