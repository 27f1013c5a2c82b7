"""Results as columns: one value for one set of results, whatever way they came."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.results import COLUMNS, Results
from arena.ratings.table import rate

ROOT = Path(__file__).resolve().parents[2]


def rows(groups=((11, 12, 13), (12, 13, 14)), boards=2):
    """Blocks of three rotated tables; ranks and points come from the numbers at hand."""
    for group, members in enumerate(groups):
        for board in range(boards):
            for table in range(3):
                for seat, competitor in enumerate(members):
                    points = (7 * competitor + 5 * board + 3 * table * seat) % 6
                    yield (1, group, board, table, 8, competitor, points, 1 + points // 2, seat == 2, False)


def test_a_match_is_one_row_and_its_seats_are_in_the_order_of_the_competitors():
    results = Results.from_rows([(1, 5, 0, 0, 8, 30, 4, 2, 1, 0), (1, 5, 0, 0, 8, 20, 6, 3, 0, 1)])
    assert (results.matches, results.players) == (1, 2)
    assert results.competitors.tolist() == [20, 30]
    assert results.seats.tolist() == [[0, 1]]
    assert (results.points.tolist(), results.rank.tolist()) == ([[6, 4]], [[3, 2]])
    assert (results.faults.tolist(), results.vacated.tolist()) == ([[0, 1]], [[True, False]])
    assert results.deals.tolist() == [8]


@given(st.randoms(use_true_random=False))
def test_the_order_in_which_results_arrive_never_changes_a_bit(chance):
    given_rows = list(rows())
    one = rate(Results.from_rows(given_rows))
    chance.shuffle(given_rows)
    other = rate(Results.from_rows(given_rows))
    assert one.digest == other.digest
    assert repr(one.ratings) == repr(other.ratings)
    assert one.fit.covariance.tobytes() == other.fit.covariance.tobytes()


def test_columns_and_rows_are_the_same_results():
    columns = dict(zip(COLUMNS, np.array(list(rows())).T, strict=True))
    assert Results.from_columns(**columns).digest == Results.from_rows(rows()).digest


@pytest.mark.parametrize("column", range(len(COLUMNS)), ids=COLUMNS)
def test_another_result_has_another_hash(column):
    changed = [[*row[:column], 1 - row[column], *row[column + 1 :]] for row in rows()]
    assert Results.from_rows(changed).digest != Results.from_rows(rows()).digest


def test_groups_and_blocks_are_numbered_in_the_order_of_the_plan():
    results = Results.from_rows(rows())
    assert results.groups.tolist() == [0] * 6 + [1] * 6
    assert results.blocks.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_no_results_are_results_too():
    nothing = Results.from_rows([])
    assert (nothing.matches, nothing.players, len(nothing.competitors)) == (0, 0, 0)
    assert rate(nothing).ratings == ()
    assert len(nothing.digest) == 64


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([(1, 0, 0, 0, 8, 1, 0, 1, 0, 0)] * 2, "match 1/0/0/0 is given twice, or seats a competitor twice"),
        (
            [(1, 0, 0, 0, 8, 1, 0, 1, 0, 0), (1, 0, 0, 0, 9, 2, 0, 1, 0, 0)],
            "match 1/0/0/0 has rows that differ in deals",
        ),
        ([*rows(), *rows()], "match 1/0/0/0 is given twice"),
        ([*rows(), (2, 0, 0, 0, 8, 1, 0, 1, 0, 0)], "match 2/0/0/0 has another number of seats"),
        (
            [(1, 0, 0, t, 8, c, 0, 1, 0, 0) for t, c in ((0, 1), (0, 2), (1, 1), (1, 3))],
            "match 1/0/0/1 seats others than the rest of its group",
        ),
    ],
)
def test_what_is_no_set_of_results_is_refused_and_the_match_named(wrong, said):
    with pytest.raises(ValueError, match=said):
        Results.from_rows(wrong)


def test_columns_of_different_lengths_are_refused():
    columns = {name: [1, 2] for name in COLUMNS} | {"rank": [1]}
    with pytest.raises(ValueError, match="differ in length"):
        Results.from_columns(**columns)


def test_one_who_played_no_counted_match_is_not_there():
    with pytest.raises(KeyError):
        Results.from_rows(rows()).index(99)


def test_the_numbers_of_processors_change_nothing_that_is_published():
    script = (
        "import numpy as np; from bench.pools import balanced, races; from arena.ratings.table import rate; "
        "chance = np.random.default_rng(1); groups = balanced(chance, 200, 4, 6); "
        "print(rate(races(chance, chance.standard_normal(200), groups, 2)).ratings)"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "2")
    }
    assert len(told) == 1
