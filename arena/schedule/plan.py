"""The values of a schedule: what goes into a format and what comes out.

One idea: *a format is a function from the field and what was played to the next round*. Nothing here knows
how many boards a group plays: more boards for the groups that there are never change a plan.
"""

import dataclasses
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, Final, Self

from arena.schedule import ScheduleError

#: An entrant's id is no larger, in an option either: it has to fit where ids are kept.
MAX_ID = 2**63 - 1
#: Standard errors from the middle to the end of a 95 % interval.
SURE: Final = 1.96


class Format(StrEnum):
    """The kinds of tournament (docs/tournaments.md)."""

    ROUND_ROBIN = "round_robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"
    DUEL = "duel"


class Status(StrEnum):
    """Where an entrant stands now. Only those who are `in` are given groups and byes."""

    IN = "in"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


@dataclass(frozen=True, slots=True)
class Entrant:
    """One version in a tournament.

    Attributes:
        id: unique in the field; every other value speaks of entrants by it.
        owner: two entrants with the same owner are kept apart where the setup says so.
    """

    id: int
    owner: int
    status: Status = Status.IN

    @property
    def active(self) -> bool:
        """Whether it still plays."""
        return self.status is Status.IN


@dataclass(frozen=True, slots=True)
class GroupPlan:
    """A group to be played.

    Attributes:
        members: distinct entrants' ids, in the order of the first seating.
        seatings: one table each; in seat order, seat 0 deals first. Rotations, or the swap of a duel. A block
            is complete when a board was played in all of them.
    """

    members: tuple[int, ...]
    seatings: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Round:
    """What to play next.

    Attributes:
        number: 1, 2, …
        groups: may be empty only in a ladder that has too few entrants just now.
        byes: entrants who are in but have no group in this round. The league stores them: they come back in
            the `PlayedRound`.
        last: no round will follow this one. False where that is not known.
    """

    number: int
    groups: tuple[GroupPlan, ...]
    byes: tuple[int, ...] = ()
    last: bool = False


@dataclass(frozen=True, slots=True)
class PlayedGroup:
    """What came of a group.

    Attributes:
        members: as planned.
        score: for each member the mean share of opponents left behind over the complete blocks (ties half;
            0 to 1, higher is better). Empty where no block is complete: broken off, or still running.
        points: penalty points a deal over the same blocks (lower is better).
    """

    members: tuple[int, ...]
    score: Mapping[int, float] = dataclasses.field(default_factory=dict)
    points: Mapping[int, float] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round that was played, its groups in the order of the plan, and who had a bye in it."""

    number: int
    groups: tuple[PlayedGroup, ...]
    byes: tuple[int, ...] = ()


#: The rounds so far, oldest first. A ladder needs only the last few (see `ladder`).
History = Sequence[PlayedRound]


@dataclass(frozen=True, slots=True)
class Skill:
    """A rating and how sure it is, both in Elo: what a ladder chooses by."""

    elo: float = 1500.0
    error: float = 200.0


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a format's own final order.

    Attributes:
        rank: 1 is best; equals share the better one (1, 2, 2, 4).
        rounds: knockout: the last round that it was in, by play or by bye; swiss: rounds played or bye.
        score: swiss: the sum over the rounds; knockout: that of its last group.
        points: penalty points a deal: mean over the groups played (swiss), last group (knockout); None
            where it completed no block.
    """

    entrant: int
    rank: int
    rounds: int
    score: float
    points: float | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How much a tournament asks for, before boards come in. All are of the whole, and the most: who
    withdraws makes it less. A ladder, which has no end, is counted by one of its rounds.

    Attributes:
        rounds: None for a ladder.
        groups, tables: over all rounds.
        groups_each: the fewest and the most groups of one entrant (a knockout: out at once; to the end).
    """

    rounds: int | None
    groups: int
    tables: int
    groups_each: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Setup:
    """A tournament as the organiser wants it, all that stays the same from start to end.

    Attributes:
        options: the format and its options.
        players: at each table, 3 to 6.
        owners_apart: entrants of one owner never share a group (rated tournaments).
        seed: all chance is drawn from it; the same field, history and seed give the same round.
    """

    options: "Options"
    players: int
    owners_apart: bool
    seed: str

    def chance(self, number: int) -> random.Random:
        """The chance of one round."""
        return random.Random(f"{self.seed}/{number}")  # noqa: S311 - meant to be repeatable


class Options(ABC):
    """The options of one format, and what it does with them. Made with keywords, or `from_json`.

    Raises:
        ScheduleError: at making, with code `option`, when a value is not allowed.
    """

    format: ClassVar[Format]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """From what `to_json` gives; keys may be left out where there is a default.

        Raises:
            ScheduleError: `unknown_option` for a key that there isn't, `option` for a value or a missing key.
        """
        known = {item.name: item for item in fields(cls)}  # type: ignore[arg-type]
        for name in data:
            if name not in known:
                have = ", ".join(known) or "none"
                raise ScheduleError("unknown_option", f"{cls.format} has no option {name!r}; it has: {have}")
        missing = [n for n, item in known.items() if item.default is dataclasses.MISSING and n not in data]
        if missing:
            raise ScheduleError("option", f"{cls.format} needs {' and '.join(missing)}", missing[0])
        return cls(**{name: tuple(v) if isinstance(v, list) else v for name, v in data.items()})

    def to_json(self) -> dict[str, Any]:
        """Every option, in JSON's types."""
        values = {item.name: getattr(self, item.name) for item in fields(self)}  # type: ignore[arg-type]
        return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}

    @abstractmethod
    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        """Refuse a field that can't be played (ScheduleError). Entrants who are not `in` don't count."""

    @abstractmethod
    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        """How much there is to play, without planning it. The field was checked."""

    @abstractmethod
    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        """The round after `history`; None when the tournament is over. At the start the field was checked."""

    def ranking(self, setup: Setup, field: Sequence[Entrant], history: History) -> list[Place] | None:
        """The final order where the format has its own; None: the standings decide."""
        return None


def whole(format: Format, name: str, value: object, least: int, most: int) -> None:
    """Refuse an option that is not a whole number in a range (ScheduleError, code `option`)."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ScheduleError(
            "option",
            f"{format}: {name}={value!r} is not allowed: a whole number from {least} to {most}",
            name,
        )
