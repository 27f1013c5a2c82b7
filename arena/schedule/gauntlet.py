"""Heroes against a field."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from arena.schedule import ScheduleError
from arena.schedule.design import even_groups, quotas
from arena.schedule.plan import (
    MAX_ID,
    Counts,
    Entrant,
    Format,
    History,
    Options,
    Round,
    Setup,
    Skill,
    whole,
)
from arena.schedule.seating import rotated
from arena.schedule.sides import Sides, require_table, sides_of


@dataclass(frozen=True)
class Gauntlet(Options):
    """One or several heroes against all the others, in one round.

    Each hero plays with sets of opponents; heroes never meet, and face the same sets where their owners allow
    it. Every opponent plays each hero equally often, ± 1, unless one owner has more than an (n−1)-th of them.

    Attributes:
        heroes: their ids.
        meetings: how often at the least each hero meets each opponent.
    """

    format: ClassVar[Format] = Format.GAUNTLET

    heroes: tuple[int, ...]
    meetings: int = 1

    def __post_init__(self) -> None:
        given = self.heroes if isinstance(self.heroes, tuple) else ()
        for hero in given:
            whole(self.format, "heroes", hero, 0, MAX_ID)
        if not given or len(set(given)) < len(given):
            told = f"gauntlet: heroes={self.heroes!r} is not allowed: one or more entrants, each once"
            raise ScheduleError("option", told, "heroes")
        whole(self.format, "meetings", self.meetings, 1, 10_000)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        sides = sides_of(setup, field)
        for hero in self.heroes:
            if hero not in sides:
                raise ScheduleError("not_entered", f"the hero {hero} is not in the field")
            opponents = self._opponents(sides, hero)
            require_table(opponents, setup.players - 1, setup.owners_apart, "opponents")

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        sides = sides_of(setup, field)
        size = setup.players - 1
        played: Counter[int] = Counter(dict.fromkeys(sides, 0))
        for hero in self.heroes:
            opponents = self._opponents(sides, hero)
            groups = self._groups(opponents, size)
            played[hero] += groups
            played.update(quotas(opponents, size, groups, setup.chance(1)))
        groups = sum(played[hero] for hero in self.heroes)
        each = (min(played.values()), max(played.values()))
        return Counts(rounds=1, groups=groups, tables=groups * setup.players, groups_each=each)

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        if history:
            return None
        sides = sides_of(setup, field)
        size = setup.players - 1
        groups = []
        for hero in self.heroes:
            # The same chance for each hero: with the same opponents they get the same sets.
            chance = setup.chance(1)
            opponents = self._opponents(sides, hero)
            sets = even_groups(opponents, size, self._groups(opponents, size), chance)
            groups += [rotated((hero, *others), chance) for others in sets]
        # A hero for whom there was nobody left plays no round; the others are not kept waiting by it.
        idle = set(sides).difference(*(group.members for group in groups))
        return Round(1, tuple(groups), byes=tuple(each for each in sides if each in idle), last=True)

    def _opponents(self, sides: Sides, hero: int) -> dict[int, int]:
        heroes = set(self.heroes)
        return {each: side for each, side in sides.items() if each not in heroes and side != sides[hero]}

    def _groups(self, opponents: Sides, size: int) -> int:
        owned = Counter(opponents.values()).values()
        return max(ceil(len(opponents) * self.meetings / size), max(owned) * self.meetings)
