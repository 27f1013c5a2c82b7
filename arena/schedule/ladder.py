"""Always open: the group that would teach most plays next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import (
    SURE,
    Counts,
    Entrant,
    Format,
    GroupPlan,
    History,
    Options,
    Round,
    Setup,
    Skill,
    whole,
)
from arena.schedule.seating import rotated
from arena.schedule.sides import most_tables, require_table, sides_of

SCALE = 400.0  # Elo points for ten times the odds
UNKNOWN = Skill()
WIDEST = 300  # an unknown one is known to 392 Elo either side, and must not rest


@dataclass(frozen=True)
class Ladder(Options):
    """Never ends by itself. Who waited longest plays next, with those from whom most is to be learnt.

    What two teach about each other is p(1−p) × (e² + e²): p the chance that one beats the other by their
    ratings, e the standard errors; so close ones, and those not well known. Having waited counts for up to as
    much again. As the first seat of each group goes to who waited longest, nobody waits for more groups than
    there are entrants.

    The history may be only the last rounds, as many as there are entrants at the least: who is not in them
    has waited longest. When too few entrants are in, or all are known well enough, the round has no groups;
    ask again when somebody enters.

    Attributes:
        groups: in a round; fewer where the field can't fill so many at once, each entrant in one.
        rest_at: an entrant whose 95 % interval is at most so many Elo to either side has no group of its own
            any more, but plays in those of others. 0: nobody rests.
    """

    format: ClassVar[Format] = Format.LADDER

    groups: int = 1
    rest_at: int = 0

    def __post_init__(self) -> None:
        whole(self.format, "groups", self.groups, 1, 1000)
        whole(self.format, "rest_at", self.rest_at, 0, WIDEST)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        require_table(sides_of(setup, field), setup.players, setup.owners_apart)

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        sides = sides_of(setup, field)
        groups = min(self.groups, most_tables(sides.values(), setup.players))
        each = (int(groups * setup.players == len(sides)), 1)
        return Counts(None, groups, groups * setup.players, each)

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        number = history[-1].number + 1 if history else 1
        sides = sides_of(setup, field)
        chance = setup.chance(number)
        order = list(sides)
        chance.shuffle(order)
        seen = {
            member: played.number for played in history for group in played.groups for member in group.members
        }
        order.sort(key=lambda each: (seen.get(each, 0), -skills.get(each, UNKNOWN).error))
        waited = {each: 1 - place / len(order) for place, each in enumerate(order)}

        def gain(each: int, members: Sequence[int]) -> float:
            return _taught(each, members, skills) * (1 + waited[each])

        restless = [each for each in order if SURE * skills.get(each, UNKNOWN).error > self.rest_at]
        most = min(self.groups, most_tables(sides.values(), setup.players))
        groups: list[GroupPlan] = []
        while restless and len(groups) < most:
            members = _company(restless[0], order, setup.players, sides, gain)
            if len(members) < setup.players:
                break
            groups.append(rotated(members, chance))
            order, restless = _without(order, members), _without(restless, members)
        return Round(number, tuple(groups))


def _without(some: Sequence[int], members: Sequence[int]) -> list[int]:
    return [each for each in some if each not in members]


def _company(
    first: int,
    free: Sequence[int],
    players: int,
    sides: Mapping[int, int],
    gain: Callable[[int, Sequence[int]], float],
) -> list[int]:
    """The first and those by whom its group gains most, one of each side; fewer than a table if there are no
    more."""
    members = [first]
    while len(members) < players:
        taken = {sides[each] for each in members}
        free = [each for each in free if sides[each] not in taken]
        if not free:
            break
        members.append(max(free, key=lambda each: gain(each, members)))
    return members


def _taught(each: int, members: Sequence[int], skills: Mapping[int, Skill]) -> float:
    """How much this one and the members would teach about each other."""
    own = skills.get(each, UNKNOWN)
    taught = 0.0
    for member in members:
        other = skills.get(member, UNKNOWN)
        wins = 1 / (1 + 10 ** ((other.elo - own.elo) / SCALE))
        taught += wins * (1 - wins) * (own.error**2 + other.error**2)
    return taught
