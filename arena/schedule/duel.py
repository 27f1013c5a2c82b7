"""Two versions, swapped in the same two seats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole


@dataclass(frozen=True)
class Duel(Options):
    """Is the new version better? Two entrants with the same others on the same boards, swapped.

    Each group has two tables: the two change seats, the others keep theirs. Which two seats is spread evenly
    over the groups.

    Attributes:
        first, second: the two, by id.
        groups: how many; the others are drawn evenly from the field.
    """

    format: ClassVar[Format] = Format.DUEL

    first: int
    second: int
    groups: int = 6

    def __post_init__(self) -> None:
        whole(self.format, "groups", self.groups, 1, 10_000)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        raise NotImplementedError

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        raise NotImplementedError

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        raise NotImplementedError
