"""Rounds that were played, for the formats to go on from."""

from contextlib import contextmanager

import pytest

from arena.schedule import greedy
from arena.schedule.plan import PlayedGroup, PlayedRound


def by_number(member):
    """The score and the points of a member: the lower the number, the better."""
    return 1 / member, float(member)


def played(plan, result=by_number):
    """What came of a round."""
    groups = tuple(
        PlayedGroup(
            group.members,
            {member: result(member)[0] for member in group.members},
            {member: result(member)[1] for member in group.members},
        )
        for group in plan.groups
    )
    return PlayedRound(plan.number, groups, plan.byes)


@contextmanager
def impatient():
    """Designs are searched for a moment only: for what holds however even they get."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy, "SWAPS_A_GROUP", 100)
        yield
