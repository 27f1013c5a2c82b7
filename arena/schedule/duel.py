"""Two versions, swapped in the same two seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
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
from arena.schedule.seating import swapped
from arena.schedule.sides import Sides, require_table, sides_of


@dataclass(frozen=True)
class Duel(Options):
    """Is the new version better? Two entrants with the same others on the same boards, swapped.

    Each group has two tables: the two change seats, the others keep theirs. Over the groups each pair of
    seats is used equally often, ± 1: so the two are neighbours, across from each other and at every distance
    from the dealer in equal measure, after every n(n−1)/2 groups exactly.

    Where owners are kept apart the two must have different owners, and nobody else may have either's: to
    compare two versions of one bot, the tournament must let owners mix (it is unrated then).

    Attributes:
        first, second: the two, by id.
        groups: how many; the others are drawn evenly from the field.
    """

    format: ClassVar[Format] = Format.DUEL

    first: int
    second: int
    groups: int = 6

    def __post_init__(self) -> None:
        whole(self.format, "first", self.first, 0, MAX_ID)
        whole(self.format, "second", self.second, 0, MAX_ID)
        whole(self.format, "groups", self.groups, 1, 10_000)
        if self.first == self.second:
            told = f"duel: second={self.second} is not allowed: not the first again"
            raise ScheduleError("option", told, "second")

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        sides = sides_of(setup, field)
        for each in (self.first, self.second):
            if each not in sides:
                raise ScheduleError("not_entered", f"the duellist {each} is not in the field")
        if sides[self.first] == sides[self.second]:
            raise ScheduleError(
                "same_owner",
                f"the duellists {self.first} and {self.second} have one owner, and owners are kept apart: "
                "a duel between versions of one owner is for tournaments that let owners mix",
            )
        require_table(self._others(sides), setup.players - 2, setup.owners_apart, "others beside the two")

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        sides = sides_of(setup, field)
        others = quotas(self._others(sides), setup.players - 2, self.groups, setup.chance(1)).values()
        idle = len(sides) > len(others) + 2
        each = (0 if idle else min(others), self.groups)
        return Counts(rounds=1, groups=self.groups, tables=2 * self.groups, groups_each=each)

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        if history:
            return None
        sides = sides_of(setup, field)
        chance = setup.chance(1)
        sets = even_groups(self._others(sides), setup.players - 2, self.groups, chance)
        pairs = list(combinations(range(setup.players), 2))
        chance.shuffle(pairs)
        groups = tuple(
            swapped(self.first, self.second, others, pairs[number % len(pairs)], chance)
            for number, others in enumerate(sets)
        )
        playing = {each for group in groups for each in group.members}
        return Round(1, groups, byes=tuple(each for each in sides if each not in playing), last=True)

    def _others(self, sides: Sides) -> dict[int, int]:
        taken = {sides[self.first], sides[self.second]}
        return {
            each: side
            for each, side in sides.items()
            if side not in taken and each not in (self.first, self.second)
        }
