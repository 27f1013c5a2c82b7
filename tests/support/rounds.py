"""Rounds that were played, for the formats to go on from."""

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
