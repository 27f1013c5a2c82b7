"""Tables by score, round after round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole


@dataclass(frozen=True)
class Swiss(Options):
    """Every round those with like scores meet, and who has met before meets again as seldom as can be.

    Attributes:
        rounds: how many.
    """

    format: ClassVar[Format] = Format.SWISS

    rounds: int

    def __post_init__(self) -> None:
        whole(self.format, "rounds", self.rounds, 1, 100)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        raise NotImplementedError

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        raise NotImplementedError

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        raise NotImplementedError
