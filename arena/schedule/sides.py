"""Who may sit with whom. A side is what no group has twice: an owner, or each entrant where owners mix."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena.schedule import ScheduleError
from arena.schedule.plan import Entrant, Setup

#: The side of each entrant, by id.
Sides = Mapping[int, int]


def sides_of(setup: Setup, field: Sequence[Entrant]) -> dict[int, int]:
    """The sides of those who are in, in the order of the field."""
    return {each.id: each.owner if setup.owners_apart else each.id for each in field if each.active}


def require_table(sides: Sides, players: int, apart: bool, what: str = "entrants") -> None:
    """Refuse a field in which not even one table can be laid.

    Args:
        players: how many of `what` that table needs.
        apart: whether sides are owners, for the message.

    Raises:
        ScheduleError: `too_few_entrants` or `too_few_owners`, with the numbers.
    """
    if len(sides) < players:
        raise ScheduleError("too_few_entrants", f"a table needs {players} {what}, and there are {len(sides)}")
    owners = Counter(sides.values())
    if apart and len(owners) < players:
        most = max(owners.values())
        raise ScheduleError(
            "too_few_owners",
            f"{most} of the {len(sides)} {what} are one owner's; owners are kept apart, so a table "
            f"needs {what} of {players} owners, and there are {len(owners)}",
        )


def most_tables(sides: Iterable[int], players: int) -> int:
    """How many tables can be laid at once, each entrant at one at the most, no side twice at a table."""
    counts = Counter(sides).values()
    tables = sum(counts) // players
    while sum(min(count, tables) for count in counts) < players * tables:
        tables -= 1
    return tables


def sitting_out(sides: Sides, players: int, tables: int, first: Sequence[int]) -> list[int]:
    """Who has no seat when `tables` tables are laid (at the most `most_tables`): the rest fill them exactly.

    Args:
        first: everyone, in the order in which to sit out. A side with more entrants than there are tables
            gives up the surplus before anyone else is asked.
    """
    surplus = {side: count - tables for side, count in Counter(sides.values()).items() if count > tables}
    out = []
    for each in first:
        if surplus.get(sides[each], 0) > 0:
            surplus[sides[each]] -= 1
            out.append(each)
    forced = set(out)
    rest = len(sides) - players * tables - len(out)
    return out + [each for each in first if each not in forced][:rest]


def deal_out(entrants: Sequence[int], sides: Sides, tables: int) -> list[list[int]]:
    """Tables without a side twice, for entrants who fill them exactly and no side more than `tables`.

    Dealt side after side, table after table, so a side's entrants land on different tables.
    """
    sizes = Counter(sides[each] for each in entrants)
    dealt = sorted(entrants, key=lambda each: (-sizes[sides[each]], sides[each]))
    return [dealt[table::tables] for table in range(tables)]


def count_sets(sides: Sides, size: int) -> int:
    """How many sets of `size` entrants have no side twice."""
    ways = [1] + [0] * size
    for count in Counter(sides.values()).values():
        for chosen in range(size, 0, -1):
            ways[chosen] += ways[chosen - 1] * count
    return ways[size]
