"""Building an even design: choose who met least, then swap members while pairs meet more evenly for it."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

# The greedy choice looks at so many candidates for a seat, drawn among those who need groups most.
CANDIDATES = 40
# Swaps tried for each group, and altogether: half a second.
SWAPS_A_GROUP = 800
MOST_SWAPS = 120_000
# How readily a swap is made that is worse for now; falls to nothing (simulated annealing).
HEAT = 0.7


class Builder:
    """Groups in the making. Entrants are places 0, 1, …

    Attributes:
        groups: those chosen so far.
        met: how often each two share a group.
    """

    def __init__(self, sides: Sequence[int], groups: list[list[int]], chance: random.Random) -> None:
        self.sides = sides
        self.chance = chance
        self.groups: list[list[int]] = []
        self.met = [[0] * len(sides) for _ in sides]
        for group in groups:
            self._add(group)

    def fill(self, need: Sequence[int], size: int, groups: int) -> None:
        """Add `groups` groups of `size`, in which each place appears as often as it needs.

        The needs add up to groups × size, no side needs more than `groups`. That stays true from group to
        group, if each takes in the sides that need all groups that are left: so there always is one.
        """
        shelves = _Shelves(need)
        side_need: Counter[int] = Counter()
        for side, count in zip(self.sides, need, strict=True):
            side_need[side] += count
        for left in range(groups, 0, -1):
            must = []
            if left in side_need.values():
                must = [side for side, count in side_need.items() if count == left]
            group: list[int] = []
            while len(group) < size:
                if must:
                    side = must.pop()
                    free = [place for place in shelves.all() if self.sides[place] == side]
                else:
                    free = self._candidates(shelves, {self.sides[place] for place in group})
                rows = [self.met[member] for member in group]
                group.append(min(free, key=lambda p: (sum(row[p] for row in rows), -shelves.need[p])))
            for place in group:
                shelves.take(place)
                side_need[self.sides[place]] -= 1
            self._add(group)

    def _candidates(self, shelves: "_Shelves", used: set[int]) -> list[int]:
        """Some of those who need groups most, from sides not yet in the group: one at the least."""
        found: list[int] = []
        for shelf in reversed(shelves.by_need[1:]):
            drawn = self.chance.sample(shelf, CANDIDATES) if len(shelf) > CANDIDATES else shelf
            found += [place for place in drawn if self.sides[place] not in used]
            if len(found) >= CANDIDATES // 2:
                return found
        return found or [place for place in shelves.all() if self.sides[place] not in used]

    def _add(self, group: list[int]) -> None:
        self.groups.append(group)
        for one, two in combinations(group, 2):
            self.met[one][two] += 1
            self.met[two][one] += 1

    def cost(self) -> int:
        """The sum over all pairs of the square of their meetings: the more even, the less."""
        return sum(count * count for row in self.met for count in row) // 2

    def bound(self) -> int:
        """The least that `cost` can be with so many groups: no two pairs differ by more than 1."""
        met = sum(map(sum, self.met)) // 2
        pairs = (len(self.sides) ** 2 - sum(n * n for n in Counter(self.sides).values())) // 2
        low, rest = divmod(met, pairs) if pairs else (0, 0)
        return (pairs - rest) * low * low + rest * (low + 1) ** 2

    def swap(self) -> None:
        """Swap members between groups until pairs meet evenly or patience ends."""
        cost, bound = self.cost(), self.bound()
        tries = min(SWAPS_A_GROUP * len(self.groups), MOST_SWAPS)
        for step in range(tries):
            if cost <= bound:
                break
            one, two = self.chance.sample(self.groups, 2)
            i, j = self.chance.randrange(len(one)), self.chance.randrange(len(two))
            x, y = one[i], two[j]
            with_x, with_y = one[:i] + one[i + 1 :], two[:j] + two[j + 1 :]
            if x == y or not (self._fits(y, with_x) and self._fits(x, with_y)):
                continue
            met_x, met_y = self.met[x], self.met[y]
            change = sum(met_y[z] - met_x[z] + 1 for z in with_x)
            change += sum(met_x[z] - met_y[z] + 1 for z in with_y)
            if change > 0 and self.chance.random() >= math.exp(-change / (HEAT * (1 - step / tries))):
                continue
            one[i], two[j] = y, x
            cost += 2 * change
            for others, gone, come in ((with_x, x, y), (with_y, y, x)):
                for z in others:
                    self.met[gone][z] -= 1
                    self.met[z][gone] -= 1
                    self.met[come][z] += 1
                    self.met[z][come] += 1

    def _fits(self, place: int, others: list[int]) -> bool:
        side = self.sides[place]
        return all(self.sides[other] != side for other in others)


class _Shelves:
    """Who still needs how many groups, quick to draw from and to update."""

    def __init__(self, need: Sequence[int]) -> None:
        self.need = list(need)
        self.by_need: list[list[int]] = [[] for _ in range(max(need) + 1)]
        self._index = [0] * len(need)
        for place in range(len(need)):
            self._put(place)

    def take(self, place: int) -> None:
        """One group less for this place."""
        shelf = self.by_need[self.need[place]]
        last = shelf.pop()
        if last != place:
            shelf[self._index[place]] = last
            self._index[last] = self._index[place]
        self.need[place] -= 1
        self._put(place)

    def _put(self, place: int) -> None:
        shelf = self.by_need[self.need[place]]
        self._index[place] = len(shelf)
        shelf.append(place)

    def all(self) -> list[int]:
        """Everyone who needs a group."""
        return [place for place, count in enumerate(self.need) if count]
