"""How much play a schedule asks for, before it starts."""

from dataclasses import dataclass
from math import comb

from arena.schedule import ScheduleError
from arena.schedule.round_robin import check_field


@dataclass(frozen=True)
class Counts:
    """The size of a tournament, in the words of docs/architecture.md.

    `tables` is the number of tasks for the workers, `matches_each` the matches that one entrant plays.
    """

    groups: int
    tables: int
    blocks: int
    matches: int
    matches_each: int


def count_full(entrants: int, players: int, boards: int) -> Counts:
    """What `round_robin.full` will ask for when each group plays `boards` boards in all rotations.

    Raises:
        ScheduleError: as `full` does, or less than one board.
    """
    check_field(entrants, players)
    if boards < 1:
        raise ScheduleError(f"a group plays at least 1 board, not {boards}")
    groups = comb(entrants, players)
    return Counts(
        groups=groups,
        tables=groups * players,
        blocks=groups * boards,
        matches=groups * boards * players,
        matches_each=comb(entrants - 1, players - 1) * boards * players,
    )
