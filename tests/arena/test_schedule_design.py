"""Even designs: the mathematics under round robin, gauntlet and duel, without anything of a tournament."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedule.cyclic import base_blocks, turned
from arena.schedule.design import all_sets, even_groups, evenness, quotas
from arena.schedule.sides import count_sets, deal_out, most_tables, sitting_out
from tests.support.rounds import impatient

# A field as its sides: how many entrants each owner has.
owners = st.lists(st.integers(1, 5), min_size=6, max_size=10)


def sides_of(counts):
    """Entrants 0, 1, … and the owner of each."""
    return dict(enumerate(owner for owner, count in enumerate(counts) for _ in range(count)))


@settings(max_examples=40)
@given(owners, st.integers(1, 6), st.integers(1, 25), st.integers(0, 9))
def test_a_design_has_the_groups_asked_for_and_no_side_twice_in_any(counts, size, groups, seed):
    sides = sides_of(counts)
    with impatient():
        made = even_groups(sides, size, groups, random.Random(seed))
    assert len(made) == groups
    for group in made:
        assert len({sides[each] for each in group}) == size


@settings(max_examples=40)
@given(owners, st.integers(1, 6), st.integers(1, 25), st.integers(0, 9))
def test_everyone_plays_equally_often_give_or_take_one_where_no_side_has_to_be_in_every_group(
    counts, size, groups, seed
):
    sides = sides_of(counts)
    quota = quotas(sides, size, groups, random.Random(seed))
    assert sum(quota.values()) == size * groups
    by_side = Counter()
    for each, count in quota.items():
        by_side[sides[each]] += count
    assert max(by_side.values()) <= groups
    free = [count for each, count in quota.items() if by_side[sides[each]] < groups]
    full = [count for each, count in quota.items() if by_side[sides[each]] == groups]
    if free:
        assert max(free) - min(free) <= 1
        # Who is in every group together with its side got no more than those who had the choice.
        assert not full or max(full) <= max(free) + 1


@settings(max_examples=8)
@given(st.integers(6, 40), st.integers(3, 6), st.integers(1, 40), st.integers(0, 9))
def test_what_is_played_is_what_the_quotas_say_and_pairs_meet_nearly_equally_often(
    entrants, size, groups, seed
):
    sides = {each: each for each in range(entrants)}
    found = evenness(even_groups(sides, size, groups, random.Random(seed)), sides)
    assert found.groups_each[1] - found.groups_each[0] <= 1
    assert found.meetings[1] - found.meetings[0] <= 3


@pytest.mark.parametrize(
    ("entrants", "size", "groups", "meetings"),
    [(7, 3, 7, 1), (9, 3, 12, 1), (13, 4, 13, 1), (16, 4, 20, 1), (8, 4, 14, 3), (11, 5, 11, 2)],
)
def test_the_classic_block_designs_of_small_fields_are_found(entrants, size, groups, meetings):
    sides = {each: each for each in range(entrants)}
    made = even_groups(sides, size, groups, random.Random(1))
    assert evenness(made, sides).meetings == (meetings, meetings)


@pytest.mark.parametrize(("entrants", "size", "groups"), [(13, 5, 8), (26, 5, 33)])
def test_in_fields_for_which_no_perfect_design_is_found_pairs_meet_equally_often_give_or_take_one(
    entrants, size, groups
):
    sides = {each: each for each in range(entrants)}
    found = evenness(even_groups(sides, size, groups, random.Random(1)), sides)
    assert found.meetings[1] - found.meetings[0] == 2


def test_a_thousand_entrants_are_planned_with_no_pair_twice_and_everyone_in_thirty_groups():
    sides = {each: each for each in range(1000)}
    found = evenness(even_groups(sides, 4, 7500, random.Random(1)), sides)
    assert found.groups_each == (30, 30)
    assert found.meetings == (0, 1)


def test_the_same_chance_gives_the_same_design():
    sides = sides_of([3, 1, 2, 2, 1, 1, 4])
    assert even_groups(sides, 4, 12, random.Random(5)) == even_groups(sides, 4, 12, random.Random(5))
    assert even_groups(sides, 4, 12, random.Random(5)) != even_groups(sides, 4, 12, random.Random(6))


@given(owners, st.integers(1, 6))
def test_all_sets_are_all_those_without_a_side_twice_and_counted_without_making_them(counts, size):
    sides = sides_of(counts[:8])
    sets = list(all_sets(sides, size))
    assert len(sets) == count_sets(sides, size) == len(set(sets))
    if len(sides) <= 16:
        allowed = {
            chosen for chosen in combinations(sides, size) if len({sides[each] for each in chosen}) == size
        }
        assert set(sets) == allowed


@given(st.integers(7, 30), st.integers(2, 5), st.integers(1, 3), st.integers(0, 9))
def test_turning_a_block_puts_everyone_in_equally_many_groups(entrants, size, blocks, seed):
    made = turned(base_blocks(entrants, size, blocks, random.Random(seed)), entrants)
    assert set(Counter(each for group in made for each in group).values()) == {size * blocks}
    assert all(len(set(group)) == size for group in made)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=12), st.integers(3, 6))
def test_as_many_tables_are_laid_as_owners_allow_and_the_rest_fill_them_exactly(counts, players):
    sides = sides_of(counts)
    tables = most_tables(sides.values(), players)
    assert sum(min(count, tables) for count in counts) >= tables * players
    more = tables + 1
    assert more * players > len(sides) or sum(min(count, more) for count in counts) < more * players
    if not tables:
        return
    out = sitting_out(sides, players, tables, list(sides))
    dealt = deal_out([each for each in sides if each not in out], sides, tables)
    assert sorted([*out, *(each for table in dealt for each in table)]) == list(sides)
    for table in dealt:
        assert len({sides[each] for each in table}) == len(table) == players
