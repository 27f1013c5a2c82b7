"""How much play a schedule asks for, before it starts."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from arena.rules import Rules
from arena.schedule import ScheduleError
from arena.schedule.plan import Entrant, Setup
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
        raise ScheduleError("option", f"a group plays at least 1 board, not {boards}")
    groups = comb(entrants, players)
    return Counts(
        groups=groups,
        tables=groups * players,
        blocks=groups * boards,
        matches=groups * boards * players,
        matches_each=comb(entrants - 1, players - 1) * boards * players,
    )


@dataclass(frozen=True)
class Width:
    """How wide the 95 % interval of one entrant will be, from end to end; None where it plays no block.

    Attributes:
        elo: in Elo.
        points: in penalty points a deal.
    """

    elo: float | None
    points: float | None


@dataclass(frozen=True)
class Preview:
    """What an organiser sees before the start. A ladder is shown by one of its rounds.

    Attributes:
        rounds: None for a ladder.
        boards: match seeds, of all groups together.
        matches: tables × boards.
        deals: expected; how long a match is depends on the rules and a little on the bots.
        seconds: expected, deals / (deals a second of one worker) / workers; None where the speed is unknown.
        widest: the interval of the entrant with the fewest blocks, all rounds played.
        narrowest: that of the one with the most.
    """

    rounds: int | None
    groups: int
    tables: int
    boards: int
    matches: int
    deals: int
    seconds: float | None
    widest: Width
    narrowest: Width


def preview(
    setup: Setup,
    field: Sequence[Entrant],
    rules: Rules,
    boards: int,
    *,
    workers: int = 1,
    deals_per_second: float | None = None,
) -> Preview:
    """How big the tournament is, how long it takes and how sure it will be, without planning it.

    Args:
        boards: that each group plays.
        deals_per_second: of one worker, as measured.

    Raises:
        ScheduleError: as `formats.check` does; `option` for less than one board.
    """
    raise NotImplementedError
