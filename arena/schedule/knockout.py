"""The best of each table go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole


@dataclass(frozen=True)
class Knockout(Options):
    """Tables of n; the best of each go on, until one table is left: the final.

    Attributes:
        advance: how many go on from each table; fewer than sit at it.
    """

    format: ClassVar[Format] = Format.KNOCKOUT

    advance: int = 2

    def __post_init__(self) -> None:
        whole(self.format, "advance", self.advance, 1, 5)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        raise NotImplementedError

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        raise NotImplementedError

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        raise NotImplementedError
