"""Two competitors at the same tables."""

import pytest

from arena.ratings.head_to_head import head_to_head
from arena.ratings.results import Results


def board(number, *tables, group=0):
    """One block: points and rank of competitors 1, 2 and 3 at each table."""
    return [
        (1, group, number, table, 4, 1 + seat, points, rank, 0, 0)
        for table, seats in enumerate(tables)
        for seat, (points, rank) in enumerate(seats)
    ]


def test_the_record_counts_matches_and_boards():
    results = Results.from_rows(
        [
            *board(0, [(0, 1), (4, 2), (8, 3)], [(2, 1), (2, 1), (6, 3)]),
            *board(1, [(8, 3), (0, 1), (2, 2)], [(0, 1), (8, 3), (2, 2)]),
        ]
    )
    record = head_to_head(results, 1, 2)
    assert (record.matches, record.boards) == (4, 2)
    assert (record.won, record.drawn, record.lost) == (2, 1, 1)
    # Board 0: 2 points in 8 deals against 6; board 1: 8 each.
    assert record.points == pytest.approx((-4 / 8 + 0) / 2)
    assert record.points_low < record.points < record.points_high
    back = head_to_head(results, 2, 1)
    assert (back.won, back.lost, back.points) == (1, 2, -record.points)


def test_those_who_never_met_have_no_record():
    apart = [(2, 1, 0, 0, 4, competitor, 2, 1, 0, 0) for competitor in (7, 8, 9)]
    record = head_to_head(Results.from_rows([*board(0, [(0, 1), (4, 2), (8, 3)]), *apart]), 1, 9)
    assert (record.matches, record.boards, record.won, record.drawn, record.lost) == (0, 0, 0, 0, 0)
    assert record.points is record.points_low is record.boards_needed is None


def test_one_board_shows_no_spread():
    record = head_to_head(Results.from_rows(board(0, [(0, 1), (4, 2), (8, 3)])), 1, 2)
    assert record.points == -1.0
    assert record.points_low is record.points_high is record.boards_needed is None


def test_the_boards_needed_are_those_after_which_the_interval_leaves_0_out():
    pattern = [(0, 1), (4, 0), (1, 6), (2, 2), (0, 3)]  # points of the two: a little better, with much spread

    def played(times):
        pairs = enumerate(pattern * times)
        rows = [row for number, (a, b) in pairs for row in board(number, [(a, 1), (b, 1), (0, 1)])]
        return head_to_head(Results.from_rows(rows), 1, 2)

    early = played(4)
    assert early.points_low < 0 < early.points_high
    needed = (20 + early.boards_needed) // 5
    assert played(needed - 1).boards_needed > 0
    later = played(needed + 1)
    assert later.points_high < 0
    assert later.boards_needed == 0


def test_one_who_played_no_counted_match_is_refused():
    with pytest.raises(KeyError):
        head_to_head(Results.from_rows(board(0, [(0, 1), (4, 2), (8, 3)])), 1, 99)
