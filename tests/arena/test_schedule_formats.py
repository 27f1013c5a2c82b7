"""What every format keeps to, whatever the field: members, owners, seats, byes, errors."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arena.schedule import ScheduleError
from arena.schedule.formats import FORMATS, check, count, next_round, options_from_json, ranking
from arena.schedule.plan import Entrant, Format, PlayedGroup, PlayedRound, Setup, Status
from tests.support.rounds import by_number, impatient, played

OPTIONS = {
    Format.ROUND_ROBIN: [{}, {"kind": "balanced", "groups_each": 3}, {"kind": "balanced", "meetings": 1}],
    Format.GAUNTLET: [{"heroes": [1]}, {"heroes": [2, 1], "meetings": 2}],
    Format.SWISS: [{"rounds": 1}, {"rounds": 4}],
    Format.KNOCKOUT: [{"advance": 1}, {"advance": 2}],
    Format.LADDER: [{}, {"groups": 2}],
    Format.DUEL: [{"first": 1, "second": 2, "groups": 7}, {"first": 2, "second": 3}],
}

setups = st.sampled_from([(name, data) for name, all_data in OPTIONS.items() for data in all_data]).flatmap(
    lambda chosen: st.builds(
        Setup,
        options=st.just(options_from_json(*chosen)),
        players=st.integers(3, 6),
        owners_apart=st.booleans(),
        seed=st.sampled_from(["a", "b"]),
    )
)

fields = st.lists(
    st.tuples(st.integers(1, 8), st.sampled_from([Status.IN] * 8 + [Status.WITHDRAWN, Status.DISQUALIFIED])),
    max_size=16,
).map(lambda drawn: [Entrant(number + 1, *each) for number, each in enumerate(drawn)])


@pytest.fixture(autouse=True, scope="module")
def _impatient():
    with impatient():
        yield


def field_of(size, owner=lambda number: number):
    return [Entrant(number, owner(number)) for number in range(1, size + 1)]


def setup_of(name, data=None, players=4, owners_apart=True, seed="s"):
    return Setup(options_from_json(name, data or {}), players, owners_apart, seed)


def play_out(setup, field, result=by_number, rounds=60):
    """All rounds to the end; the plans and the history."""
    plans, history = [], []
    while len(plans) < rounds and (plan := next_round(setup, field, history)) is not None:
        plans.append(plan)
        history.append(played(plan, result))
    return plans, history


def refusal(setup, field):
    """The code with which this is refused, or ""."""
    try:
        check(setup, field)
    except ScheduleError as refused:
        return refused.code
    return ""


def holds_for_every_round(plan, setup, field):
    owner = {each.id: each.owner for each in field}
    active = {each.id for each in field if each.active}
    seen = set(plan.byes)
    for group in plan.groups:
        members = set(group.members)
        assert len(members) == len(group.members) == setup.players
        assert members <= active
        if setup.owners_apart:
            assert len({owner[member] for member in members}) == setup.players
        assert all(set(seating) == members for seating in group.seatings)
        assert group.seatings[0] == group.members
        seen |= members
        holds_for_the_seats(group, setup)
    assert set(plan.byes) <= active
    assert len(set(plan.byes)) == len(plan.byes)
    return seen


def holds_for_the_seats(group, setup):
    if setup.options.format is not Format.DUEL:
        assert len(group.seatings) == setup.players
        for seat in range(setup.players):
            assert {seating[seat] for seating in group.seatings} == set(group.members)
        return
    one, two = group.seatings
    moved = [seat for seat in range(setup.players) if one[seat] != two[seat]]
    assert len(moved) == 2
    assert {one[seat] for seat in moved} == {setup.options.first, setup.options.second}


@settings(max_examples=120)
@given(setups, fields, st.integers(0, 5))
def test_any_field_gives_sound_rounds_to_the_end_or_one_clear_refusal(setup, field, luck):
    if refusal(setup, field):
        with pytest.raises(ScheduleError) as refused:
            next_round(setup, field, [])
        assert refused.value.code == refusal(setup, field)
        return
    chance = Random(luck)
    plans, history = play_out(setup, field, lambda _: (chance.random(), chance.random()), rounds=12)
    for plan in plans:
        seen = holds_for_every_round(plan, setup, field)
        if setup.options.format not in (Format.LADDER, Format.KNOCKOUT) or plan.number == 1:
            everyone = {each.id for each in field if each.active}
            assert seen == everyone or setup.options.format is Format.LADDER
        assert next_round(setup, field, history[: plan.number - 1]) == plan
        assert [each.number for each in plans[: plan.number]] == list(range(1, plan.number + 1))
    if setup.options.format is not Format.LADDER:
        assert plans[-1].last == (next_round(setup, field, history) is None)
        assert not any(plan.last for plan in plans[:-1])
    places = ranking(setup, field, history)
    if places is not None:
        assert sorted(place.entrant for place in places) == [each.id for each in field]
        assert [place.rank for place in places] == sorted(place.rank for place in places)


@settings(max_examples=60)
@given(setups, fields)
def test_the_count_before_the_start_is_what_is_planned_then(setup, field):
    assume(not refusal(setup, field))
    counts = count(setup, field)
    plans, _ = play_out(setup, field, rounds=1 if setup.options.format is Format.LADDER else 60)
    groups = sum(len(plan.groups) for plan in plans)
    if setup.options.format is Format.KNOCKOUT and setup.owners_apart:
        # Who meets whom later decides how far owners get in each other's way: the count is the most.
        assert groups <= counts.groups
        return
    assert counts.groups == groups
    assert counts.tables == sum(len(group.seatings) for plan in plans for group in plan.groups)
    each = Counter({each.id: 0 for each in field if each.active})
    each.update(member for plan in plans for group in plan.groups for member in group.members)
    assert counts.groups_each[0] <= min(each.values())
    assert max(each.values()) <= counts.groups_each[1]
    if counts.rounds is not None:
        assert counts.rounds == len(plans)


@settings(max_examples=60)
@given(setups, fields, st.data())
def test_withdrawals_between_rounds_never_break_a_tournament(setup, field, data):
    assume(not refusal(setup, field))
    history = []
    for _ in range(8):
        plan = next_round(setup, field, history)
        if plan is None:
            break
        holds_for_every_round(plan, setup, field)
        leaving = data.draw(st.lists(st.sampled_from(field), max_size=4, unique=True), label="leaving")
        status = data.draw(st.sampled_from([Status.WITHDRAWN, Status.DISQUALIFIED]))
        ids = {each.id for each in leaving}
        field = [replace(each, status=status) if each.id in ids else each for each in field]
        # The league breaks off the groups of those who left: here, before any block was complete.
        history.append(
            PlayedRound(
                plan.number,
                tuple(
                    PlayedGroup(group.members) if ids & set(group.members) else group
                    for group in played(plan).groups
                ),
                plan.byes,
            )
        )
    places = ranking(setup, field, history)
    if places is not None:
        assert sorted(place.entrant for place in places) == [each.id for each in field]
        out = {each.id for each in field if each.status is Status.DISQUALIFIED}
        still = [place.rank for place in places if place.entrant not in out]
        assert len({place.rank for place in places if place.entrant in out}) <= 1
        assert not still or all(place.rank > max(still) for place in places if place.entrant in out)


@pytest.mark.parametrize("name", FORMATS)
def test_options_come_back_from_json_as_they_were(name):
    for data in OPTIONS[name]:
        options = options_from_json(name, data)
        assert options_from_json(name, options.to_json()) == options
        assert options.to_json().items() >= data.items()


@pytest.mark.parametrize(
    ("name", "data", "code", "words"),
    [
        ("league", {}, "unknown_format", "no format 'league'; there are round_robin, gauntlet"),
        ("swiss", {"rounds": 3, "boards": 2}, "unknown_option", "no option 'boards'; it has: rounds"),
        ("swiss", {}, "option", "swiss needs rounds"),
        ("swiss", {"rounds": 0}, "option", "rounds=0 is not allowed: a whole number from 1 to 100"),
        ("swiss", {"rounds": True}, "option", "rounds=True is not allowed"),
        ("swiss", {"rounds": "3"}, "option", "rounds='3' is not allowed"),
        ("round_robin", {"kind": "half"}, "option", "full or balanced"),
        ("round_robin", {"kind": ["full"]}, "option", "full or balanced"),
        ("round_robin", {"kind": "balanced"}, "option", "either meetings or groups_each"),
        ("round_robin", {"meetings": 2}, "option", "a full one neither; full was given meetings"),
        ("gauntlet", {"heroes": []}, "option", "one or more entrants"),
        ("gauntlet", {"heroes": [1, 1]}, "option", "each once"),
        ("gauntlet", {"heroes": 1}, "option", "one or more entrants"),
        ("gauntlet", {"heroes": [[1]]}, "option", "a whole number"),
        ("duel", {"first": 1, "second": 1}, "option", "not the first again"),
        ("gauntlet", {"heroes": [2**63]}, "option", "a whole number from 0 to 9223372036854775807"),
        ("duel", {"first": 1}, "option", "duel needs second"),
        ("duel", {"first": 2**63, "second": 1}, "option", "a whole number from 0 to 9223372036854775807"),
        ("duel", {"first": 1, "second": 2**63}, "option", "a whole number from 0 to 9223372036854775807"),
    ],
)
def test_wrong_options_are_refused_by_name(name, data, code, words):
    with pytest.raises(ScheduleError, match=words) as refused:
        options_from_json(name, data)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("setup", "field", "code", "words"),
    [
        (setup_of("swiss", {"rounds": 2}, players=7), field_of(9), "table_size", "7 players; 3 to 6"),
        (setup_of("swiss", {"rounds": 2}), [*field_of(5), Entrant(2, 9)], "entered_twice", "2 is entered"),
        (setup_of("round_robin"), field_of(3), "too_few_entrants", "4 entrants, and there are 3"),
        (setup_of("ladder"), [], "too_few_entrants", "4 entrants, and there are 0"),
        (
            setup_of("round_robin"),
            field_of(9, lambda number: min(number, 3)),
            "too_few_owners",
            "7 of the 9 entrants are one owner's; .* needs entrants of 4 owners, and there are 3",
        ),
        (setup_of("knockout", {"advance": 4}), field_of(9), "option", "at the most 3 go on"),
        (setup_of("gauntlet", {"heroes": [12]}), field_of(9), "not_entered", "hero 12"),
        (
            setup_of("gauntlet", {"heroes": [1]}),
            field_of(9, lambda number: number // 4),
            "too_few_owners",
            "needs opponents of 3 owners, and there are 2",
        ),
        (setup_of("duel", {"first": 1, "second": 12}), field_of(9), "not_entered", "duellist 12"),
        (
            setup_of("duel", {"first": 1, "second": 2}),
            field_of(9, lambda number: max(number, 2)),
            "same_owner",
            "1 and 2 have one owner",
        ),
        (
            setup_of("duel", {"first": 1, "second": 2}),
            field_of(3),
            "too_few_entrants",
            "needs 2 others beside the two, and there are 1",
        ),
    ],
)
def test_a_field_that_cannot_be_played_is_refused_with_the_numbers(setup, field, code, words):
    for refuse in (check, count, lambda *both: next_round(*both, [])):
        with pytest.raises(ScheduleError, match=words) as refused:
            refuse(setup, field)
        assert refused.value.code == code


@pytest.mark.parametrize("name", FORMATS)
def test_a_single_entrant_is_too_few_for_every_format(name):
    with pytest.raises(ScheduleError) as refused:
        check(setup_of(name, OPTIONS[name][-1]), field_of(1))
    assert refused.value.code in {"too_few_entrants", "not_entered"}


def withdrawn(field, *stay):
    return [each if each.id in stay else replace(each, status=Status.WITHDRAWN) for each in field]


@pytest.mark.parametrize("name", FORMATS)
def test_when_all_but_one_withdraw_it_is_over_and_a_ladder_waits(name):
    setup, field = setup_of(name, OPTIONS[name][-1]), field_of(12)
    history = [played(next_round(setup, field, []))]
    plan = next_round(setup, withdrawn(field, 5), history)
    if name is Format.LADDER:
        assert plan is not None
        assert (plan.groups, plan.byes, plan.last) == ((), (), False)
        back = next_round(setup, field, [*history, played(plan)])
        assert back is not None
        assert back.groups
    else:
        assert plan is None


@pytest.mark.parametrize("name", [Format.ROUND_ROBIN, Format.GAUNTLET, Format.DUEL])
def test_one_round_formats_have_one_round_and_leave_the_order_to_the_standings(name):
    setup, field = setup_of(name, OPTIONS[name][-1]), field_of(9)
    plans, history = play_out(setup, field)
    assert [plan.last for plan in plans] == [True]
    assert ranking(setup, field, history) is None


def test_more_boards_are_no_matter_of_the_plan():
    # Extending is more boards for the groups there are: nothing in a plan or its inputs knows their number.
    plan = next_round(setup_of("round_robin"), field_of(5), [])
    assert not any("board" in name for value in (plan, plan.groups[0]) for name in value.__slots__)
