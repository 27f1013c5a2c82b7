"""Who sits in which seat: rotations and swaps."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.seating import rotated, rotations, swapped

groups = st.lists(st.integers(), min_size=2, max_size=6, unique=True)


@given(groups)
def test_over_the_rotations_each_bot_holds_each_seat_once(group):
    seatings = rotations(group)
    assert seatings[0] == tuple(group)
    for seat in range(len(group)):
        assert sorted(seating[seat] for seating in seatings) == sorted(group)
    for seating in seatings:
        assert sorted(seating) == sorted(group)


@given(groups, st.integers(0, 9))
def test_a_group_is_drawn_into_an_order_and_rotated(group, seed):
    plan = rotated(group, Random(seed))
    assert sorted(plan.members) == sorted(group)
    assert plan.seatings == tuple(rotations(plan.members))


@given(groups, st.integers(0, 9), st.data())
def test_in_a_swap_two_change_seats_and_the_others_stay(group, seed, data):
    seats = data.draw(st.permutations(range(len(group))))[:2]
    plan = swapped(group[0], group[1], group[2:], (seats[0], seats[1]), Random(seed))
    one, two = plan.seatings
    assert sorted(one) == sorted(two) == sorted(group)
    assert {one[seat] for seat in seats} == set(group[:2])
    assert [one[seat] for seat in seats] == [two[seat] for seat in reversed(seats)]
    assert all(one[seat] == two[seat] for seat in range(len(group)) if seat not in seats)


def test_which_of_the_two_begins_where_is_drawn():
    firsts = {swapped(1, 2, [3, 4], (0, 2), Random(seed)).members[0] for seed in range(20)}
    assert firsts == {1, 2}
