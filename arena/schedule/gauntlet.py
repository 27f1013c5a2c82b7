"""Heroes against a field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole


@dataclass(frozen=True)
class Gauntlet(Options):
    """One or several heroes against all the others, in one round.

    Each hero plays with sets of opponents; heroes never meet. Every opponent plays each hero
    equally often, ± 1.

    Attributes:
        heroes: their ids.
        meetings: how often at the least each hero meets each opponent.
    """

    format: ClassVar[Format] = Format.GAUNTLET

    heroes: tuple[int, ...]
    meetings: int = 1

    def __post_init__(self) -> None:
        whole(self.format, "meetings", self.meetings, 1, 1000)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        raise NotImplementedError

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        raise NotImplementedError

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        raise NotImplementedError
