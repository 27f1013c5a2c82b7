"""The duel's sequential test: how often it errs, by simulation, and that a verdict stays."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.duel import ALPHA, BETA, DRIFT, FIRST_LOOK, Verdict, differences, duel
from arena.ratings.results import Results
from bench.pools import duel_boards

DUELS = 1000


def verdicts(planned, mean, draw, seed=1):
    chance = np.random.default_rng(seed)
    return [duel(draw(chance, planned) + mean, planned) for _ in range(DUELS)]


def share(found, verdict):
    return sum(one.verdict is verdict for one in found) / len(found)


def normal(chance, boards):
    return chance.standard_normal(boards)


def mostly_nothing(chance, boards):
    """As boards of near twins are: nine in ten without a difference. Standard deviation 0.5."""
    return chance.choice([-1.0, -0.5, 0.0, 0.5, 1.0], size=boards, p=[0.1, 0.05, 0.7, 0.05, 0.1])


@pytest.mark.parametrize("draw", [normal, mostly_nothing])
@pytest.mark.parametrize("planned", [50, 200])
def test_of_equals_one_is_named_in_at_most_five_of_a_hundred_duels(planned, draw):
    found = verdicts(planned, 0.0, draw)
    wrong = 1 - share(found, Verdict.NEITHER)
    assert wrong <= ALPHA + 2 * math.sqrt(ALPHA * (1 - ALPHA) / DUELS)
    # Looking at every board costs nothing: most are given up before the end.
    assert sum(one.boards for one in found) / DUELS < 0.8 * planned


@pytest.mark.parametrize("planned", [50, 200])
def test_a_difference_that_is_detectable_is_missed_in_at_most_ten_of_a_hundred_duels(planned):
    found = verdicts(planned, -DRIFT / math.sqrt(planned), normal)
    assert share(found, Verdict.SECOND) < 0.005
    assert 1 - share(found, Verdict.FIRST) <= BETA + 2 * math.sqrt(BETA * (1 - BETA) / DUELS)
    assert sum(one.boards for one in found) / DUELS < 0.75 * planned
    assert np.median([one.detectable for one in found]) == pytest.approx(DRIFT / math.sqrt(planned), rel=0.1)


@given(st.integers(0, 100), st.floats(-1, 1))
def test_a_verdict_never_changes_with_more_boards(seed, mean):
    boards = np.random.default_rng(seed).standard_normal(60) + mean
    final = duel(boards, 60)
    for played in range(0, 61, 4):
        so_far = duel(boards[:played], 60)
        expected = final.verdict if played >= final.boards else Verdict.OPEN
        assert so_far.verdict is expected
        assert so_far.trace == final.trace[: max(0, played - FIRST_LOOK + 1)]
    assert duel(np.append(boards, [1e6] * 10), 60) == final


#: Boards by the difference in points a deal: `duel_boards(range(12_000))`, which `make bench` plays again.
REAL = {
    -4.0: 2, -3.5: 3, -3.0: 16, -2.5: 22, -2.0: 61, -1.5: 106, -1.0: 268, -0.5: 451, 0.0: 10638,
    0.5: 213, 1.0: 116, 1.5: 63, 2.0: 24, 2.5: 9, 3.0: 5, 3.5: 1, 4.0: 2,
}  # fmt: skip


def test_a_heuristic_is_told_from_itself_with_blunders_in_2500_deals_nine_times_in_ten():
    counts = np.array(list(REAL.values()))
    chance = np.random.default_rng(1)
    boards = chance.choice(list(REAL), size=(300, 1250), p=counts / counts.sum())
    found = [duel(gaps, 1250) for gaps in boards]
    assert share(found, Verdict.FIRST) >= 0.9
    # Most need fewer.
    assert 2 * sum(one.boards for one in found) / len(found) < 1700


def test_those_differences_are_what_real_games_give():
    gaps = duel_boards(range(200))
    assert set(gaps.tolist()) <= set(REAL)
    assert np.mean(gaps == 0) == pytest.approx(REAL[0.0] / sum(REAL.values()), abs=0.06)


def test_the_trace_tells_how_the_verdict_came_about():
    found = duel(np.random.default_rng(3).standard_normal(100) - 0.6, 100)
    assert found.verdict is Verdict.FIRST
    assert [step.boards for step in found.trace] == list(range(FIRST_LOOK, found.boards + 1))
    *before, last = found.trace
    assert last.mean <= -last.outer
    assert all(step.inner <= abs(step.mean) < step.outer for step in before)
    assert (last.mean, found.planned) == (found.mean, 100)


def test_the_other_way_round_is_the_other_verdict():
    boards = np.random.default_rng(3).standard_normal(100) - 0.6
    assert duel(-boards, 100).verdict is Verdict.SECOND


def test_bots_that_never_differ_are_given_up_at_the_end():
    assert duel(np.zeros(99), 100).verdict is Verdict.OPEN
    assert duel(np.zeros(100), 100).verdict is Verdict.NEITHER


def test_before_the_first_board_nothing_is_said():
    nothing = duel(np.zeros(0), 100)
    assert (nothing.verdict, nothing.boards, nothing.trace) == (Verdict.OPEN, 0, ())


def test_too_short_a_duel_is_refused():
    with pytest.raises(ValueError, match="at least 10 boards"):
        duel(np.zeros(5), 9)


def test_a_board_counts_by_the_points_of_both_seatings():
    rows = [
        (1, 0, board, table, 4, competitor, points, 1, 0, 0)
        for board, tables in ((1, ((4, 8, 0), (2, 6, 0))), (0, ((0, 0, 1), (8, 0, 1))))
        for table, seats in enumerate(tables)
        for competitor, points in zip((5, 6, 7), seats, strict=True)
    ]
    assert differences(Results.from_rows(rows), 5, 6).tolist() == [1.0, -1.0]
