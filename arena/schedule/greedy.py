"""Building an even design: choose who met least, then swap members while pairs meet more evenly for it."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, pairwise

# The greedy choice looks at so many candidates for a seat, drawn among those who need groups most.
CANDIDATES = 40
# Swaps tried for each group, and altogether: a second.
SWAPS_A_GROUP = 4_000
MOST_SWAPS = 120_000
# How readily a swap is made that is worse for now; falls to nothing (simulated annealing).
HEAT = 1.4
# How much dearer it is when a pair meets more than once more, or less, than the mean: with squares alone a
# few pairs stay far off where most are even.
FAR = 8
# Less than any change of the cost, and more than what adding up numbers with fractions is off by.
NOTHING = 1e-6


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

    def cost(self) -> float:
        """The sum of the prices of all pairs that may meet: the more even their meetings, the less."""
        price, counts = self._prices(), Counter(chain.from_iterable(self.met))
        counts[0] -= len(self.sides) + 2 * self._apart()
        return sum(number * price[count] for count, number in counts.items()) / 2

    def bound(self) -> float:
        """The least that `cost` can be with so many groups: no two pairs differ by more than 1."""
        price, pairs = self._prices(), self._pairs()
        low, rest = divmod(self._meetings(), pairs) if pairs else (0, 0)
        return (pairs - rest) * price[low] + rest * price[low + 1]

    def _prices(self) -> list[float]:
        """What a pair costs that meets 0, 1, … times: the square of how far that is from the mean, and more
        for what is further from it than 1."""
        mean = self._meetings() / max(1, self._pairs())
        far = [abs(count - mean) for count in range(len(self.groups) + 2)]
        return [off * off + FAR * max(0.0, off - 1) ** 2 for off in far]

    def _meetings(self) -> int:
        return sum(map(sum, self.met)) // 2

    def _apart(self) -> int:
        """How many pairs of one side there are, which never meet."""
        return sum(count * (count - 1) for count in Counter(self.sides).values()) // 2

    def _pairs(self) -> int:
        return len(self.sides) * (len(self.sides) - 1) // 2 - self._apart()

    def swap(self) -> None:
        """Swap members between groups until pairs meet evenly or patience ends."""
        left = self.cost() - self.bound()
        more = [after - before for before, after in pairwise(self._prices())]
        tries = min(SWAPS_A_GROUP * len(self.groups), MOST_SWAPS)
        for step in range(tries):
            if left < NOTHING:
                break
            one, two = self.chance.sample(self.groups, 2)
            i, j = self.chance.randrange(len(one)), self.chance.randrange(len(two))
            x, y = one[i], two[j]
            with_x, with_y = one[:i] + one[i + 1 :], two[:j] + two[j + 1 :]
            if x == y or not (self._fits(y, with_x) and self._fits(x, with_y)):
                continue
            met_x, met_y = self.met[x], self.met[y]
            change = sum(more[met_y[z]] - more[met_x[z] - 1] for z in with_x)
            change += sum(more[met_x[z]] - more[met_y[z] - 1] for z in with_y)
            if change > 0 and self.chance.random() >= math.exp(-change / (HEAT * (1 - step / tries))):
                continue
            one[i], two[j] = y, x
            left += change
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
