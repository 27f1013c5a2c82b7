"""Full round robins, rotated seats, and the counts shown before a start."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import ScheduleError
from arena.schedule.preview import count_full
from arena.schedule.round_robin import full
from arena.schedule.seating import rotations

fields = st.integers(2, 6).flatmap(
    lambda players: st.tuples(
        st.just(players), st.lists(st.integers(), min_size=players, max_size=9, unique=True)
    )
)


@given(fields)
def test_a_full_round_robin_has_every_set_of_entrants_exactly_once(field):
    players, entrants = field
    groups = list(full(entrants, players))
    assert len(set(map(frozenset, groups))) == len(groups)
    assert set(map(frozenset, groups)) == {frozenset(chosen) for chosen in combinations(entrants, players)}


@given(fields)
def test_every_pair_of_entrants_meets_equally_often(field):
    players, entrants = field
    meetings = Counter(
        frozenset(pair) for group in full(entrants, players) for pair in combinations(group, 2)
    )
    assert len(set(meetings.values())) == 1


def test_members_of_a_group_and_the_groups_come_in_the_order_of_the_entrants():
    assert list(full(["d", "a", "c", "b"], 3)) == [
        ("d", "a", "c"),
        ("d", "a", "b"),
        ("d", "c", "b"),
        ("a", "c", "b"),
    ]


def test_too_few_entrants_are_refused_at_once_with_both_numbers():
    with pytest.raises(ScheduleError, match="needs at least 4 entrants, and there are 3"):
        full(["a", "b", "c"], 4)


def test_an_entrant_given_twice_is_named():
    with pytest.raises(ScheduleError, match="'b' is entered twice"):
        full(["a", "b", "c", "b"], 3)


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_a_table_of_an_impossible_size_is_refused(players):
    with pytest.raises(ScheduleError, match=f"can't have {players} players; 2 to 6"):
        full(list(range(10)), players)


@given(st.lists(st.integers(), min_size=2, max_size=6, unique=True))
def test_over_the_rotations_each_bot_holds_each_seat_once(group):
    seatings = rotations(group)
    assert seatings[0] == tuple(group)
    for seat in range(len(group)):
        assert sorted(seating[seat] for seating in seatings) == sorted(group)
    for seating in seatings:
        assert sorted(seating) == sorted(group)


@given(fields, st.integers(1, 3))
def test_the_counts_are_those_of_the_schedule(field, boards):
    players, entrants = field
    tables = [seating for group in full(entrants, players) for seating in rotations(group)]
    counts = count_full(len(entrants), players, boards)
    assert counts.groups == len(tables) // players
    assert counts.tables == len(tables)
    assert counts.blocks == counts.groups * boards
    assert counts.matches == len(tables) * boards
    assert counts.matches_each == boards * sum(entrants[0] in seating for seating in tables)


def test_counts_refuse_what_the_schedule_refuses():
    with pytest.raises(ScheduleError, match="at least 4 entrants"):
        count_full(3, 4, 1)
    with pytest.raises(ScheduleError, match="at least 1 board, not 0"):
        count_full(8, 4, 0)
