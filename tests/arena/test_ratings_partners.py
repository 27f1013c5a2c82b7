"""The report of partner effects: it finds a dumping pair, and leaves honest bots alone."""

from dataclasses import replace

import numpy as np
import pytest

from arena.ratings.partners import LEVEL, Effect, partner_effects
from arena.ratings.results import COLUMNS, Results
from bench.pools import balanced, jacks

HONEST = 60


def pool_with_a_pair(seed, dumps, together=0):
    """2,000 matches of 62 bots in 500 groups, four matches a group; the last two are no honest bots.

    In `together` of the groups the schedule is bent so that they meet.
    """
    chance = np.random.default_rng(seed)
    bots = HONEST + 2
    groups = balanced(chance, bots, 4, 34)[:500]
    favoured, dumper = HONEST, HONEST + 1
    for group in groups[:together]:
        chosen = [who for who in group if who not in (favoured, dumper)][:2]
        group[:] = [favoured, dumper, *chosen]
    strength = 0.3 * chance.standard_normal(bots)
    return jacks(chance, strength, groups, 1, dumper=dumper, favoured=favoured, dumps=dumps)


@pytest.mark.parametrize("seed", range(6))
def test_a_dumping_pair_among_sixty_honest_bots_is_found_in_two_thousand_matches(seed):
    results = pool_with_a_pair(seed, dumps=1.0, together=2)
    assert results.matches == 2000
    [pair] = partner_effects(results, seed=1)
    assert (pair.effect, pair.one, pair.other) == (Effect.TRANSFER, HONEST, HONEST + 1)
    assert pair.one_gain > 0.5
    assert pair.other_gain < -0.5
    assert pair.p <= LEVEL


@pytest.mark.parametrize("seed", range(3))
def test_one_that_dumps_less_is_found_when_it_meets_the_other_more_often(seed):
    [pair] = partner_effects(pool_with_a_pair(seed, dumps=0.75, together=4), seed=1)
    assert (pair.one, pair.other) == (HONEST, HONEST + 1)


def test_it_is_found_where_points_fall_below_nothing():
    results = pool_with_a_pair(0, dumps=1.0, together=2)
    lowered = replace(results, points=results.points - 2 * results.deals[:, None])
    assert lowered.points.min() < 0
    [pair] = partner_effects(lowered, seed=1)
    assert (pair.one, pair.other) == (HONEST, HONEST + 1)


def test_two_that_spare_each_other_are_found():
    chance = np.random.default_rng(5)
    results = jacks(chance, 0.3 * chance.standard_normal(20), balanced(chance, 20, 4, 40), 1)
    both = (results.seats == 0).any(axis=1) & (results.seats == 1).any(axis=1)
    columns = {
        name: np.repeat(getattr(results, name), 4)
        for name in ("tournament", "group", "board", "table", "deals")
    }
    spared = results.points.astype(float)
    taken = np.where(both[:, None] & (results.seats < 2), np.floor(spared / 2), spared)
    taken += ((spared - taken).sum(axis=1, keepdims=True) / 2) * (both[:, None] & (results.seats >= 2))
    columns |= {"points": 2 * taken.ravel(), "competitor": results.competitors[results.seats].ravel()}
    columns |= {name: getattr(results, name).ravel() for name in ("rank", "faults", "vacated")}
    pair = partner_effects(Results.from_columns(**columns), seed=1)[0]
    assert (pair.effect, {pair.one, pair.other}) == (Effect.TOGETHER, {0, 1})
    assert pair.one_gain > 0 < pair.other_gain


@pytest.mark.parametrize("spread", [0.3, 0.6, 1.0])
def test_of_honest_pools_fewer_than_one_in_a_hundred_names_anybody(spread):
    alarms = 0
    for seed in range(120):
        chance = np.random.default_rng(seed)
        strength = spread * chance.standard_normal(16)
        results = jacks(chance, strength, balanced(chance, 16, 4, 15), 1, deals=4)
        alarms += bool(partner_effects(results, seed, permutations=399))
    assert alarms / 120 < 0.01


def test_the_report_is_the_same_for_the_same_results_and_seed():
    results = pool_with_a_pair(1, dumps=1.0, together=2)
    rows = np.stack(
        [np.repeat(getattr(results, name), 4) for name in COLUMNS[:5]]
        + [results.competitors[results.seats].ravel()]
        + [getattr(results, name).ravel() for name in COLUMNS[6:]],
        axis=1,
    )
    shuffled = Results.from_rows(np.random.default_rng(2).permutation(rows).tolist())
    reports = [partner_effects(one, seed=7, permutations=199) for one in (results, results, shuffled)]
    assert reports[0] == reports[1] == reports[2] != ()


def test_an_empty_pool_gives_an_empty_report():
    assert partner_effects(Results.from_rows([]), seed=1) == ()
