"""Even designs: sets of a field in which everyone, and every pair, appears equally often, or nearly.

How even: everyone appears equally often, ± 1, always — but where one side has more entrants than can be
shared out over the groups (each takes one of them at the most), its entrants appear as often as they can
and the others as often as that leaves. Pairs come out within ± 1 of each other where a search finds such a
design: in small fields often, and in large ones that meet seldom. Else equally often give or take one: so
in 58 of 60 drawn fields of 7 to 32 in groups of 3 to 6; the other two, of 10 and 11 in groups of six, were
one meeting further apart. `evenness` says what was reached.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from arena.schedule.cyclic import base_blocks, turned
from arena.schedule.greedy import NOTHING, Builder
from arena.schedule.sides import Sides

# Up to so many groups both ways of building are tried, and the more even one taken.
BOTH_WAYS = 300


@dataclass(frozen=True)
class Evenness:
    """The fewest and the most groups of one entrant, and meetings of one pair that may meet."""

    groups_each: tuple[int, int]
    meetings: tuple[int, int]


def evenness(groups: Iterable[Sequence[int]], sides: Sides) -> Evenness:
    """How even these groups are, over all entrants in `sides`; at least two of them on different sides."""
    each: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for group in groups:
        each.update(group)
        pairs.update(combinations(sorted(group), 2))
    played = [each[one] for one in sides]
    met = [pairs[a, b] for a, b in combinations(sorted(sides), 2) if sides[a] != sides[b]]
    return Evenness((min(played), max(played)), (min(met), max(met)))


def all_sets(sides: Sides, size: int) -> Iterator[tuple[int, ...]]:
    """Every set of `size` entrants without a side twice, in the order of `sides`."""
    entrants = list(sides)

    def longer(start: int, chosen: tuple[int, ...], used: frozenset[int]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == size:
            yield chosen
            return
        for place in range(start, len(entrants)):
            if sides[entrants[place]] not in used:
                yield from longer(place + 1, (*chosen, entrants[place]), used | {sides[entrants[place]]})

    return longer(0, (), frozenset())


def quotas(sides: Sides, size: int, groups: int, chance: random.Random) -> dict[int, int]:
    """How often each entrant appears: equally often, ± 1, where no side has to be in every group.

    They add up to size × groups, and to `groups` at the most for a side. There are `size` sides at the least.
    """
    room = dict.fromkeys(sides.values(), groups)
    quota = dict.fromkeys(sides, 0)
    order = list(sides)
    chance.shuffle(order)
    left = size * groups
    # Whole turns at once, while everybody surely has room; then one by one.
    level = max(0, groups // max(Counter(sides.values()).values()) - 1)
    level = min(level, left // len(sides))
    for each in order:
        quota[each] += level
        room[sides[each]] -= level
        left -= level
    while left:
        for each in order:
            if left and room[sides[each]]:
                quota[each] += 1
                room[sides[each]] -= 1
                left -= 1
    return quota


def even_groups(sides: Sides, size: int, groups: int, chance: random.Random) -> list[tuple[int, ...]]:
    """`groups` sets of `size` entrants, no side twice in one, everyone and every pair as evenly as can be.

    There are `size` sides at the least. A thousand entrants in 7,500 groups of four take two seconds at the
    most, a small field a second or two. Where everybody is on a side of its own, as many groups as come out
    whole are a cyclic design; the rest, and all of them otherwise, are built one by one.
    """
    entrants = list(sides)
    chance.shuffle(entrants)
    sided = [sides[each] for each in entrants]
    alone = len(set(sided)) == len(sided) and 2 <= size < len(sided)
    best: Builder | None = None
    for blocks in (groups // len(sided) if alone else 0, 0):
        found = base_blocks(len(sided), size, blocks, chance) if blocks else []
        builder = Builder(sided, turned(found, len(sided)), chance)
        left = groups - len(builder.groups)
        quota = quotas(sides, size, left, chance)
        builder.fill([quota[each] for each in entrants], size, left)
        builder.swap()
        if best is None or builder.cost() < best.cost():
            best = builder
        if best.cost() - best.bound() < NOTHING or not blocks or groups > BOTH_WAYS:
            break
    assert best is not None
    chance.shuffle(best.groups)
    return [tuple(entrants[place] for place in group) for group in best.groups]
