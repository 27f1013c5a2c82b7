"""Everybody against everybody: all the sets of n, or an even part of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, comb
from typing import ClassVar

from arena.schedule import ScheduleError
from arena.schedule.design import all_sets, even_groups, quotas
from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole
from arena.schedule.seating import rotated
from arena.schedule.sides import Sides, count_sets, require_table, sides_of


@dataclass(frozen=True)
class RoundRobin(Options):
    """One round in which every pair that may meet does so equally often.

    A balanced one never has more groups than a full one: where it would, it is the full one. Play more
    boards.

    Attributes:
        kind: `full`: every set of n, once. `balanced`: an even part of them, for large fields.
        meetings: balanced: how often a pair that may meet does so, on average at the least. Each does so
            often, ± 1 (design.py says how even it gets); owners with many entrants make it more for others.
        groups_each: balanced, instead of `meetings`: how many groups every entrant plays, at the least.
            Nobody plays more than one group more, unless one owner has more than an n-th of the field.
    """

    format: ClassVar[Format] = Format.ROUND_ROBIN

    kind: str = "full"
    meetings: int | None = None
    groups_each: int | None = None

    def __post_init__(self) -> None:
        given = {n: v for n in ("meetings", "groups_each") if (v := getattr(self, n)) is not None}
        if self.kind not in ("full", "balanced"):
            told = f"round_robin: kind={self.kind!r} is not allowed: full or balanced"
            raise ScheduleError("option", told, "kind")
        if len(given) != (self.kind == "balanced"):
            raise ScheduleError(
                "option",
                "round_robin: a balanced one takes either meetings or groups_each, a full one neither; "
                f"{self.kind} was given {' and '.join(given) or 'none'}",
            )
        for name, value in given.items():
            whole(self.format, name, value, 1, 10_000)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        require_table(sides_of(setup, field), setup.players, setup.owners_apart)

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        sides = sides_of(setup, field)
        groups = self._groups(sides, setup.players)
        if groups == count_sets(sides, setup.players):
            each = _in_all_sets(sides, setup.players)
        else:
            played = quotas(sides, setup.players, groups, setup.chance(1)).values()
            each = (min(played), max(played))
        return Counts(rounds=1, groups=groups, tables=groups * setup.players, groups_each=each)

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        if history:
            return None
        sides = sides_of(setup, field)
        chance = setup.chance(1)
        groups = self._groups(sides, setup.players)
        if groups == count_sets(sides, setup.players):
            sets = list(all_sets(sides, setup.players))
        else:
            sets = even_groups(sides, setup.players, groups, chance)
        return Round(1, tuple(rotated(members, chance) for members in sets), last=True)

    def _groups(self, sides: Sides, players: int) -> int:
        """How many groups it takes: the least with which everyone, and every pair, gets what was asked."""
        owned = Counter(sides.values()).values()
        if self.groups_each is not None:
            needed = max(ceil(len(sides) * self.groups_each / players), max(owned) * self.groups_each)
        elif self.meetings is not None:
            pairs = comb(len(sides), 2) - sum(comb(count, 2) for count in owned)
            each = max(count * ceil(self.meetings * (len(sides) - count) / (players - 1)) for count in owned)
            needed = max(ceil(self.meetings * pairs / comb(players, 2)), each)
        else:
            return count_sets(sides, players)
        return min(needed, count_sets(sides, players))


def _in_all_sets(sides: Sides, players: int) -> tuple[int, int]:
    """The fewest and the most sets that one entrant is in: who has more on its side may meet fewer."""
    counts = Counter(sides.values())
    numbers = []
    for side in {count: side for side, count in counts.items()}.values():
        others = {each: other for each, other in sides.items() if other != side}
        numbers.append(count_sets(others, players - 1))
    return min(numbers), max(numbers)
