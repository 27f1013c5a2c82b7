"""Seats rotated, so that every bot of a group holds every seat of a board once and luck cancels."""

from collections.abc import Sequence
from typing import TypeVar

Bot = TypeVar("Bot")


def rotations(group: Sequence[Bot]) -> list[tuple[Bot, ...]]:
    """The n seatings of a group of n, each a tuple in seat order; the first is the group as given.

    Over the n seatings each bot holds each seat exactly once, and its neighbours stay the same: a rotation,
    not all n! orders, which measured worse than fresh boards for the same number of deals.
    """
    return [tuple(group[shift:]) + tuple(group[:shift]) for shift in range(len(group))]
