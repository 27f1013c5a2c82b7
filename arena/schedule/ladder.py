"""Always open: the group that would teach most plays next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole
from arena.schedule.seating import rotated
from arena.schedule.sides import most_tables, require_table, sides_of

SCALE = 400.0  # Elo points for ten times the odds
UNKNOWN = Skill()


@dataclass(frozen=True)
class Ladder(Options):
    """Never ends by itself. Who waited longest plays next, with those from whom most is to be learnt.

    What two teach about each other is p(1−p) × (e² + e²): p the chance that one beats the other by their
    ratings, e the standard errors; so close ones, and those not well known. Having waited counts for up to as
    much again. As the first seat of each group goes to who waited longest, nobody waits for more groups than
    there are entrants.

    The history may be only the last rounds, as many as there are entrants at the least: who is not in them
    has waited longest. When too few entrants are in, the round has no groups; ask again when somebody enters.

    Attributes:
        groups: in a round; fewer where the field can't fill so many at once, each entrant in one.
    """

    format: ClassVar[Format] = Format.LADDER

    groups: int = 1

    def __post_init__(self) -> None:
        whole(self.format, "groups", self.groups, 1, 1000)

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
        groups = []
        for _ in range(min(self.groups, most_tables(sides.values(), setup.players))):
            members: list[int] = []
            free = list(order)
            while free and len(members) < setup.players:
                members.append(max(free, key=lambda each: _worth(each, members, waited, skills)))
                taken = {sides[each] for each in members}
                free = [each for each in free if sides[each] not in taken]
            if len(members) < setup.players:
                break
            groups.append(rotated(members, chance))
            order = [each for each in order if each not in members]
        return Round(number, tuple(groups))


def _worth(
    each: int, members: Sequence[int], waited: Mapping[int, float], skills: Mapping[int, Skill]
) -> float:
    """How much the group would gain by this one; for the first seat only waiting counts."""
    if not members:
        return waited[each]
    own = skills.get(each, UNKNOWN)
    taught = 0.0
    for member in members:
        other = skills.get(member, UNKNOWN)
        wins = 1 / (1 + 10 ** ((other.elo - own.elo) / SCALE))
        taught += wins * (1 - wins) * (own.error**2 + other.error**2)
    return taught * (1 + waited[each])
