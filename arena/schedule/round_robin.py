"""The full round robin: every set of n entrants meets as a group."""

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

from arena.schedule import ScheduleError

Entrant = TypeVar("Entrant", bound=Hashable)

# Play-offs go down to two, but no table is laid for fewer than two or more than six (rules.md § 3).
TABLE_SIZES = range(2, 7)


def full(entrants: Sequence[Entrant], players: int) -> Iterator[tuple[Entrant, ...]]:
    """Every set of `players` of the entrants, once, as groups.

    Groups come in the order of `itertools.combinations`, and members in the order of `entrants`: equal input
    gives equal output. Errors are raised at the call, not at the first group.

    Raises:
        ScheduleError: an impossible table size, an entrant given twice, or too few entrants.
    """
    check_field(len(entrants), players)
    if len(set(entrants)) < len(entrants):
        doubled = next(entrant for index, entrant in enumerate(entrants) if entrant in entrants[:index])
        raise ScheduleError(f"{doubled!r} is entered twice; each entrant may be given once")
    return combinations(entrants, players)


def check_field(entrants: int, players: int) -> None:
    """Refuse a number of entrants that can't fill one table of `players` (raises ScheduleError)."""
    if players not in TABLE_SIZES:
        allowed = f"{TABLE_SIZES.start} to {TABLE_SIZES.stop - 1}"
        raise ScheduleError(f"a table can't have {players} players; {allowed} are possible")
    if entrants < players:
        raise ScheduleError(
            f"a round robin for {players} players needs at least {players} entrants, and there are {entrants}"
        )
