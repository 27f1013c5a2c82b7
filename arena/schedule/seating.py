"""Who sits in which seat: rotated, so that luck cancels, or swapped, so that only two are compared."""

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

from arena.schedule.plan import GroupPlan

Bot = TypeVar("Bot")


def rotations(group: Sequence[Bot]) -> list[tuple[Bot, ...]]:
    """The n seatings of a group of n, each a tuple in seat order; the first is the group as given.

    Over the n seatings each bot holds each seat exactly once, and its neighbours stay the same: a rotation,
    not all n! orders, which measured worse than fresh boards for the same number of deals.
    """
    return [tuple(group[shift:]) + tuple(group[:shift]) for shift in range(len(group))]


def rotated(members: Iterable[int], chance: random.Random) -> GroupPlan:
    """A group in all rotations, its order drawn: rotations keep the neighbours, so chance picks them."""
    order = list(members)
    chance.shuffle(order)
    return GroupPlan(tuple(order), tuple(rotations(order)))


def swapped(
    first: int, second: int, others: Sequence[int], seats: tuple[int, int], chance: random.Random
) -> GroupPlan:
    """A group of two tables: `first` and `second` in the two seats, then the other way round.

    The others keep their seats, which are drawn. Which of the two sits lower at the first table is drawn too.
    """
    around = list(others)
    pair = [first, second]
    chance.shuffle(around)
    chance.shuffle(pair)
    low, high = sorted(seats)
    seatings = []
    for one, two in (pair, reversed(pair)):
        seating = list(around)
        seating.insert(low, one)
        seating.insert(high, two)
        seatings.append(tuple(seating))
    return GroupPlan(seatings[0], tuple(seatings))
