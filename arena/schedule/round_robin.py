"""Everybody against everybody: all the sets of n, or an even part of them."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, TypeVar

from arena.schedule import ScheduleError
from arena.schedule.plan import Counts, Entrant, Format, History, Options, Round, Setup, Skill, whole

Each = TypeVar("Each", bound=Hashable)

# Play-offs go down to two, but no table is laid for fewer than two or more than six (rules.md § 3).
TABLE_SIZES = range(2, 7)


@dataclass(frozen=True)
class RoundRobin(Options):
    """One round in which every pair that may meet does so equally often.

    Attributes:
        kind: `full`: every set of n, once. `balanced`: an even part of them, for large fields.
        meetings: balanced: how often every pair that may meet does, at the least on average.
        groups_each: balanced, instead of `meetings`: how many groups every entrant plays, at the least.
    """

    format: ClassVar[Format] = Format.ROUND_ROBIN

    kind: str = "full"
    meetings: int | None = None
    groups_each: int | None = None

    def __post_init__(self) -> None:
        given = {n: v for n in ("meetings", "groups_each") if (v := getattr(self, n)) is not None}
        if self.kind not in ("full", "balanced"):
            raise ScheduleError("option", f"round_robin: kind={self.kind!r} is not allowed: full or balanced")
        if len(given) != (self.kind == "balanced"):
            raise ScheduleError(
                "option",
                "round_robin: a balanced one takes either meetings or groups_each, a full one neither; "
                f"{self.kind} was given {' and '.join(given) or 'none'}",
            )
        for name, value in given.items():
            whole(self.format, name, value, 1, 10_000)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        raise NotImplementedError

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        raise NotImplementedError

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        raise NotImplementedError


def full(entrants: Sequence[Each], players: int) -> Iterator[tuple[Each, ...]]:
    """Superseded by `RoundRobin`; kept until the league uses it."""
    check_field(len(entrants), players)
    if len(set(entrants)) < len(entrants):
        doubled = next(entrant for index, entrant in enumerate(entrants) if entrant in entrants[:index])
        raise ScheduleError("entered_twice", f"{doubled!r} is entered twice; each entrant may be given once")
    return combinations(entrants, players)


def check_field(entrants: int, players: int) -> None:
    """Refuse a number of entrants that can't fill one table of `players` (raises ScheduleError)."""
    if players not in TABLE_SIZES:
        allowed = f"{TABLE_SIZES.start} to {TABLE_SIZES.stop - 1}"
        raise ScheduleError("table_size", f"a table can't have {players} players; {allowed} are possible")
    if entrants < players:
        raise ScheduleError(
            "too_few_entrants",
            f"a round robin for {players} players needs at least {players} entrants, "
            f"and there are {entrants}",
        )
