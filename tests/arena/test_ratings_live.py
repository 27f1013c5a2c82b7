"""The sequential Elo over columns: the old formula, and its history."""

import numpy as np
import pytest

from arena.ratings.elo import MatchResult, elo
from arena.ratings.live import elo_live
from arena.ratings.results import Results
from arena.ratings.table import rate
from bench.pools import balanced, jacks


@pytest.fixture(scope="module")
def results():
    chance = np.random.default_rng(1)
    return jacks(chance, 0.5 * chance.standard_normal(9), balanced(chance, 9, 4, 12), 2)


def test_it_is_the_elo_of_the_formula_match_by_match(results):
    placings = [
        MatchResult(number, tuple(zip(seated, ranked, strict=True)))
        for number, (seated, ranked) in enumerate(
            zip(results.seats.tolist(), results.rank.tolist(), strict=True)
        )
    ]
    by_formula = elo(placings)
    assert elo_live(results).elo == pytest.approx([by_formula[who].elo for who in sorted(by_formula)])
    half = elo(placings[:50])
    after = elo_live(results).after[49]
    assert after == pytest.approx([half[who].elo for who in results.seats[49].tolist()])


def test_the_history_of_a_bot_is_its_rating_after_each_block(results):
    live = elo_live(results)
    for who in results.competitors.tolist():
        at, values = live.history(who)
        assert len(at) == rate(results, live).by_competitor[who].blocks
        assert values[-1] == live.elo[results.index(who)]
        assert all(who in results.competitors[results.seats[match]] for match in at.tolist())
        assert (np.diff(results.blocks[at]) > 0).all()


def test_points_are_only_passed_around(results):
    assert elo_live(results).elo.mean() == pytest.approx(1500)


def test_one_who_played_no_counted_match_has_no_history(results):
    with pytest.raises(KeyError):
        elo_live(results).history(99)


def test_no_results_give_no_ratings():
    assert elo_live(Results.from_rows([])).elo.tolist() == []
