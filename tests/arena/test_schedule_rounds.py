"""The formats of several rounds: swiss, knockout and ladder, and what they do with byes, ties and leavers."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.schedule.formats import count, next_round, options_from_json, ranking
from arena.schedule.plan import Entrant, PlayedGroup, PlayedRound, Round, Setup, Skill, Status
from arena.schedule.swiss import BYE_SCORE
from tests.support.rounds import by_number, played


def field_of(size, owner=lambda number: number):
    return [Entrant(number, owner(number)) for number in range(1, size + 1)]


def setup_of(name, data=None, players=4, owners_apart=True, seed="s"):
    return Setup(options_from_json(name, data or {}), players, owners_apart, seed)


def play_out(setup, field, result=by_number, rounds=100, skills=None):
    plans, history = [], []
    while len(plans) < rounds and (plan := next_round(setup, field, history, skills)) is not None:
        plans.append(plan)
        history.append(played(plan, result))
    return plans, history


def leave(field, *ids, status=Status.WITHDRAWN):
    return [replace(each, status=status) if each.id in ids else each for each in field]


# -- swiss --------------------------------------------------------------------------------------------


def test_in_a_swiss_the_second_round_seats_those_with_like_scores():
    setup = setup_of("swiss", {"rounds": 2})
    plans, _ = play_out(setup, field_of(32))
    spread = [max(group.members) - min(group.members) for group in plans[1].groups]
    assert sum(spread) < sum(max(group.members) - min(group.members) for group in plans[0].groups) / 2


@pytest.mark.parametrize(("size", "rounds", "most"), [(16, 3, 2), (64, 7, 0), (18, 4, 4), (200, 6, 0)])
def test_few_meet_twice_in_a_swiss(size, rounds, most):
    chance = Random(1)
    plans, _ = play_out(
        setup_of("swiss", {"rounds": rounds}), field_of(size), lambda _: (chance.random(), chance.random())
    )
    met = Counter(pair for plan in plans for g in plan.groups for pair in combinations(sorted(g.members), 2))
    assert sum(times - 1 for times in met.values()) <= most


@settings(max_examples=12)
@given(st.integers(4, 15), st.integers(3, 6), st.integers(0, 5))
def test_nobody_has_a_second_bye_before_everyone_had_one(size, players, luck):
    assume(size >= players)
    chance = Random(luck)
    setup = setup_of("swiss", {"rounds": 6}, players=players)
    plans, _ = play_out(setup, field_of(size), lambda _: (chance.random(), chance.random()))
    byes = Counter(dict.fromkeys(range(1, size + 1), 0))
    for plan in plans:
        assert len(plan.byes) == size % players
        byes.update(plan.byes)
        assert max(byes.values()) - min(byes.values()) <= 1


def test_byes_go_to_the_lowest_and_are_worth_the_score_of_an_average_entrant():
    setup, field = setup_of("swiss", {"rounds": 3}), field_of(9)
    first = next_round(setup, field, [])
    history = [played(first)]
    assert next_round(setup, field, history).byes == (9 if first.byes != (9,) else 8,)
    (bye,) = [place for place in ranking(setup, field, history) if place.entrant in first.byes]
    assert (bye.score, bye.points, bye.rounds) == (BYE_SCORE, None, 1)


def test_an_owner_with_more_entrants_than_tables_lets_them_take_turns():
    field = field_of(10, lambda number: max(number, 4))
    plans, _ = play_out(setup_of("swiss", {"rounds": 8}), field)
    byes = Counter(bye for plan in plans for bye in plan.byes)
    assert all(len(plan.groups) == 2 for plan in plans)
    assert byes == dict.fromkeys(range(1, 5), 4)


def test_equal_scores_are_told_apart_by_points_and_share_a_rank_where_these_are_equal_too():
    setup, field = setup_of("swiss", {"rounds": 1}), field_of(4)
    history = [
        PlayedRound(
            1, (PlayedGroup((1, 2, 3, 4), {1: 0.4, 2: 0.4, 3: 0.4, 4: 0.8}, {1: 1.5, 2: 1.25, 3: 1.5, 4: 1}),)
        )
    ]
    assert [(place.entrant, place.rank) for place in ranking(setup, field, history)] == [
        (4, 1),
        (2, 2),
        (1, 3),
        (3, 3),
    ]


def test_a_round_that_was_broken_off_counts_as_a_bye_for_those_who_stayed_and_nothing_for_who_left():
    setup, field = setup_of("swiss", {"rounds": 2}), leave(field_of(4), 3)
    places = ranking(setup, field, [PlayedRound(1, (PlayedGroup((1, 2, 3, 4)),))])
    assert {place.entrant: place.score for place in places} == {1: 0.5, 2: 0.5, 4: 0.5, 3: 0.0}


def test_a_swiss_ends_early_when_too_few_are_left():
    setup, field = setup_of("swiss", {"rounds": 3}), field_of(5)
    history = [played(next_round(setup, field, []))]
    assert next_round(setup, leave(field, 2), history) is not None
    assert next_round(setup, leave(field, 2, 4), history) is None


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_the_disqualified_share_the_last_rank_and_the_withdrawn_keep_what_they_reached(name):
    setup, field = setup_of(name, {"rounds": 1} if name == "swiss" else {}), field_of(4)
    history = [played(next_round(setup, field, []))]
    places = ranking(setup, leave(leave(field, 1), 2, 3, status=Status.DISQUALIFIED), history)
    assert [(place.entrant, place.rank) for place in places] == [(1, 1), (4, 2), (2, 3), (3, 3)]


# -- knockout -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "advance", "tables"),
    [(4, 2, [1]), (5, 2, [1, 1]), (8, 2, [2, 1]), (16, 2, [4, 2, 1]), (16, 1, [4, 1]), (9, 2, [2, 1, 1])],
)
def test_a_knockout_goes_down_to_one_table(size, advance, tables):
    setup, field = setup_of("knockout", {"advance": advance}), field_of(size)
    plans, history = play_out(setup, field)
    assert [len(plan.groups) for plan in plans] == tables
    assert count(setup, field).rounds == len(tables)
    assert count(setup, field).groups == sum(tables)
    # The lower the number, the better: so the final is the four best, in their order.
    assert [place.entrant for place in ranking(setup, field, history)][:2] == [1, 2]


def test_the_first_seeds_have_the_byes_and_no_one_twice_before_the_next_seed():
    plans, _ = play_out(setup_of("knockout"), field_of(11))
    assert plans[0].byes == (1, 2, 3)
    assert plans[1].byes == (4, 5, 6)[: len(plans[1].byes)]


def test_the_first_seeds_are_spread_over_the_tables():
    plan = next_round(setup_of("knockout"), field_of(16), [])
    for group in plan.groups:
        assert [(member - 1) // 4 for member in sorted(group.members)] == [0, 1, 2, 3]
    assert {sum(group.members) for group in plan.groups} == {34}


def test_a_tie_at_the_line_is_broken_by_points_then_by_seed():
    setup, field = setup_of("knockout"), field_of(8)
    first = next_round(setup, field, [])
    history = [played(first, lambda member: (0.5, 1.0 if member in (7, 8) else 2.0))]
    final = next_round(setup, field, history)
    tables = [set(group.members) for group in first.groups]
    expected = set()
    for table in tables:
        expected |= set(sorted(table, key=lambda member: (member not in (7, 8), member))[:2])
    assert set(final.groups[0].members) == expected


def test_who_withdraws_leaves_its_place_to_the_next_of_its_table():
    setup, field = setup_of("knockout"), field_of(8)
    first = next_round(setup, field, [])
    table = next(sorted(group.members) for group in first.groups if 1 in group.members)
    final = next_round(setup, leave(field, 1), [played(first)])
    assert set(table[1:3]) <= set(final.groups[0].members)


def test_a_final_that_is_not_full_takes_in_those_who_just_missed():
    setup, field = setup_of("knockout", {"advance": 1}), field_of(9)
    first = next_round(setup, field, [])
    assert first.byes == (1,)
    final = next_round(setup, field, [played(first)])
    second = sorted(sorted(group.members)[1] for group in first.groups)
    winners = [min(group.members) for group in first.groups]
    assert final.last
    assert set(final.groups[0].members) == {1, *winners, second[0]}


def test_where_the_last_have_too_few_owners_the_best_of_each_owner_play_the_final():
    owner = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6}
    setup, field = setup_of("knockout"), field_of(8, lambda number: owner[number])
    plans, history = play_out(setup, field)
    assert len({owner[member] for member in plans[-1].groups[0].members}) == 4
    assert plans[-1].last
    assert ranking(setup, field, history)[0].entrant == 1


def test_everyone_but_the_finalists_withdrew_and_the_final_is_played_all_the_same():
    setup, field = setup_of("knockout"), field_of(8)
    first = next_round(setup, field, [])
    final = next_round(setup, field, [played(first)])
    others = set(range(1, 9)) - set(final.groups[0].members)
    again = next_round(setup, leave(field, *others), [played(first)])
    assert again == final


def test_the_order_is_by_how_far_they_came():
    setup, field = setup_of("knockout"), field_of(16)
    _, history = play_out(setup, field)
    places = ranking(setup, field, history)
    assert [place.rank for place in places] == list(range(1, 17))
    assert [place.rounds for place in places] == [3] * 4 + [2] * 4 + [1] * 8


# -- ladder -------------------------------------------------------------------------------------------


@settings(max_examples=25)
@given(st.integers(4, 12), st.integers(1, 2), st.integers(0, 3))
def test_on_a_ladder_nobody_waits_for_more_rounds_than_there_are_entrants(size, groups, luck):
    chance = Random(luck)
    skills = {each: Skill(chance.uniform(1200, 1800), chance.uniform(5, 300)) for each in range(1, size + 1)}
    plans, _ = play_out(
        setup_of("ladder", {"groups": groups}), field_of(size), rounds=3 * size, skills=skills
    )
    for each in skills:
        turns = [0, *(plan.number for plan in plans if any(each in group.members for group in plan.groups))]
        assert max(later - before for before, later in pairwise([*turns, 3 * size])) <= size


def test_a_ladder_seats_the_unsure_and_the_close():
    skills = {each: Skill(1500 + 100 * each, 30) for each in range(1, 13)}
    plans, _ = play_out(setup_of("ladder"), field_of(12), rounds=60, skills=skills)
    gaps = [abs(a - b) for plan in plans for group in plan.groups for a, b in combinations(group.members, 2)]
    every = [b - a for a, b in combinations(range(1, 13), 2)]
    assert sum(gaps) / len(gaps) < 0.75 * sum(every) / len(every)
    unsure = {**{each: Skill(1500, 30) for each in range(1, 13)}, 7: Skill(1500, 200)}
    plans, _ = play_out(setup_of("ladder"), field_of(12), rounds=30, skills=unsure)
    played_by = Counter(member for plan in plans for group in plan.groups for member in group.members)
    assert played_by[7] > 1.5 * sum(played_by.values()) / 12


def test_a_ladder_never_ends_and_needs_only_its_last_rounds():
    setup, field = setup_of("ladder"), field_of(6)
    plans, history = play_out(setup, field, rounds=40)
    assert len(plans) == 40
    assert not any(plan.last for plan in plans)
    assert next_round(setup, field, history) == next_round(setup, field, history[-6:])


def test_who_enters_a_ladder_later_is_in_the_next_group():
    setup, field = setup_of("ladder"), field_of(6)
    _, history = play_out(setup, field, rounds=10)
    plan = next_round(setup, [*field, Entrant(7, 7)], history)
    assert 7 in plan.groups[0].members


def test_on_a_ladder_who_is_known_well_enough_rests_and_keeps_newcomers_company():
    known = {each: Skill(1500, 20) for each in range(1, 7)}  # 39.2 Elo to either side
    field = field_of(6)
    assert next_round(setup_of("ladder", {"rest_at": 39}), field, [], known).groups
    resting = setup_of("ladder", {"rest_at": 40})
    assert next_round(resting, field, [], known) == Round(1, ())
    newcomer = [*field, Entrant(7, 7)]
    plans, history = play_out(resting, newcomer, rounds=5, skills=known)
    assert all(7 in plan.groups[0].members for plan in plans)
    assert next_round(resting, newcomer, history, {**known, 7: Skill(1400, 20)}).groups == ()
    two = setup_of("ladder", {"rest_at": 40, "groups": 2})
    (group,) = next_round(
        two, [*field_of(8), Entrant(9, 9)], [], {**known, 8: Skill(1500, 20), 7: Skill(1500, 20)}
    ).groups
    assert 9 in group.members
