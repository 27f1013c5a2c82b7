"""Always open: the group that would teach most plays next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole


@dataclass(frozen=True)
class Ladder(Options):
    """Never ends by itself. Who waited longest plays next, with those from whom most is to be learnt.

    Attributes:
        groups: in a round.
    """

    format: ClassVar[Format] = Format.LADDER

    groups: int = 1

    def __post_init__(self) -> None:
        whole(self.format, "groups", self.groups, 1, 1000)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        raise NotImplementedError

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        raise NotImplementedError

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        raise NotImplementedError
