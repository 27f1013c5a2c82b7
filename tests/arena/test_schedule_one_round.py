"""The formats of one round: round robin, gauntlet and duel, and how evenly they spread what there is."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.schedule.formats import count, next_round, options_from_json
from arena.schedule.plan import Entrant, Setup


def field_of(size, owner=lambda number: number):
    return [Entrant(number, owner(number)) for number in range(1, size + 1)]


def setup_of(name, data=None, players=4, owners_apart=True, seed="s"):
    return Setup(options_from_json(name, data or {}), players, owners_apart, seed)


# -- round robin --------------------------------------------------------------------------------------


@given(st.integers(3, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(n, 9))))
def test_a_full_round_robin_has_every_set_once(numbers):
    players, size = numbers
    plan = next_round(setup_of("round_robin", players=players), field_of(size), [])
    sets = [frozenset(group.members) for group in plan.groups]
    assert len(sets) == len(set(sets))
    assert set(sets) == {frozenset(chosen) for chosen in combinations(range(1, size + 1), players)}


def test_neighbours_at_the_table_are_not_those_of_the_entry_list():
    plan = next_round(setup_of("round_robin"), field_of(9), [])
    after = Counter(group.members[group.members.index(1) - 1] for group in plan.groups if 1 in group.members)
    assert set(after) == set(range(2, 10))
    assert max(after.values()) < 2.5 * min(after.values())


def test_a_balanced_round_robin_is_never_larger_than_the_full_one():
    full = count(setup_of("round_robin"), field_of(8))
    assert count(setup_of("round_robin", {"kind": "balanced", "meetings": 999}), field_of(8)) == full
    assert count(setup_of("round_robin", {"kind": "balanced", "groups_each": 7}), field_of(8)).groups == 14


@settings(max_examples=6)
@given(st.integers(4, 12), st.integers(1, 4))
def test_in_a_balanced_round_robin_pairs_meet_nearly_as_often_as_asked(size, meetings):
    setup = setup_of("round_robin", {"kind": "balanced", "meetings": meetings}, players=4)
    plan = next_round(setup, field_of(size), [])
    met = Counter(pair for group in plan.groups for pair in combinations(sorted(group.members), 2))
    every = [met[pair] for pair in combinations(range(1, size + 1), 2)]
    asked = min(meetings, (size - 2) * (size - 3) // 2)
    assert asked - 1 <= min(every)
    assert max(every) <= asked + 2
    assert sum(every) >= asked * len(every)


def test_an_owner_with_half_the_field_gets_its_groups_and_the_others_play_more():
    field = field_of(10, lambda number: min(number, 6))
    setup = setup_of("round_robin", {"kind": "balanced", "groups_each": 2})
    plan = next_round(setup, field, [])
    each = Counter(member for group in plan.groups for member in group.members)
    owners = {entrant.id: entrant.owner for entrant in field}
    assert {each[member] for member in owners if owners[member] == 6} <= {2}
    assert min(each.values()) == 2
    assert count(setup, field).groups_each == (min(each.values()), max(each.values()))


# -- gauntlet and duel --------------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(4, 12), st.integers(1, 3), st.integers(1, 3))
def test_heroes_meet_every_opponent_evenly_the_same_sets_and_never_each_other(size, heroes, meetings):
    assume(size - heroes >= 3)
    ids = list(range(1, heroes + 1))
    setup = setup_of("gauntlet", {"heroes": ids, "meetings": meetings})
    plan = next_round(setup, field_of(size), [])
    sets = {hero: Counter() for hero in ids}
    for group in plan.groups:
        (hero,) = set(group.members) & set(ids)
        sets[hero][frozenset(group.members) - {hero}] += 1
    assert all(faced == sets[1] for faced in sets.values())
    met = Counter(each for faced, times in sets[1].items() for each in faced for _ in range(times))
    assert set(met) == set(range(heroes + 1, size + 1))
    assert meetings <= min(met.values()) <= max(met.values()) <= min(met.values()) + 1


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_duellists_use_every_pair_of_seats_equally_often_with_others_drawn_evenly(players):
    pairs = players * (players - 1) // 2
    setup = setup_of("duel", {"first": 1, "second": 2, "groups": 2 * pairs}, players=players)
    plan = next_round(setup, field_of(8), [])
    seats, others = Counter(), Counter()
    for group in plan.groups:
        one, two = (group.members.index(each) for each in (1, 2))
        seats[frozenset((one, two))] += 1
        others.update(set(group.members) - {1, 2})
    assert set(seats.values()) == {2}
    assert len(seats) == pairs
    assert max(others.values()) - min(others.values()) <= 1
    assert len(others) == 6


def test_two_versions_of_one_owner_can_duel_where_owners_mix():
    setup = setup_of("duel", {"first": 1, "second": 2}, owners_apart=False)
    plan = next_round(setup, field_of(6, lambda number: 1), [])
    assert all({1, 2} <= set(group.members) for group in plan.groups)
