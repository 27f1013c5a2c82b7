"""Does a bot do better than expected when a certain other sits at the table? A report against collusion.

Expected is what a bot's own strength and those of its opponents make of it, added up, in points a deal. What
is left over in each group is dealt out anew, at random, among the groups of the same bot, many times: so much
the largest effect of the whole report may be when nobody cares who else is there.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.points import expected_points
from arena.ratings.results import Ints, Results

LEVEL = 0.005  # the chance that a report on honest bots names anybody
PERMUTATIONS = 999
CELLS = 1_000_000  # about so many numbers at a time


class Effect(StrEnum):
    """What two do to each other at one table."""

    TRANSFER = "transfer"  # the first does better, at the cost of the second
    TOGETHER = "together"  # both do better, at the cost of the rest


@dataclass(frozen=True)
class Partners:
    """A conspicuous pair, by ids.

    Attributes:
        one, other: of a transfer, `one` gains and `other` gives.
        matches, groups: where they met.
        one_gain, other_gain: points a deal that each does better than expected when they meet.
        p: the chance to see so large an effect anywhere in the report when all are honest.
    """

    effect: Effect
    one: int
    other: int
    matches: int
    groups: int
    one_gain: float
    other_gain: float
    p: float


def partner_effects(
    results: Results, seed: int, *, level: float = LEVEL, permutations: int = PERMUTATIONS
) -> tuple[Partners, ...]:
    """The pairs whose effect is too large for chance, the surest first.

    An honest pool gives an empty report, but for a chance of `level` over the whole of it.

    Args:
        seed: of the permutations; the same seed gives the same report.
    """
    if not results.matches:
        return ()
    meet = _Meet.of(results)
    # What one catches the others do not: left-overs of one group are correlated. Dealt out they are not.
    found = meet.effects(meet.scaled[None])[0] / meet.spread()[:, None]
    chance = np.random.default_rng(seed)
    batch = max(1, CELLS // len(meet.first))
    sizes = [min(batch, permutations - start) for start in range(0, permutations, batch)]
    largest = np.concatenate([meet.effects(meet.dealt_out(chance, size)).max(axis=(1, 2)) for size in sizes])
    above = permutations - np.searchsorted(np.sort(largest), found)
    p = (1 + above) / (permutations + 1)
    kind, pair = np.nonzero(p <= level)
    order = np.lexsort((pair, kind, -found[kind, pair]))
    return tuple(
        meet.told(results, int(kind[at]), int(pair[at]), float(p[kind[at], pair[at]])) for at in order
    )


@dataclass(frozen=True, eq=False)
class _Meet:
    """Groups (g of them, n members each) and the pairs (q) that meet in them.

    Attributes:
        members, gains, scaled: (g, n) who, how many points a deal better than expected, and the same in
            standard deviations of that member's results.
        deals, matches: (g,)
        first, second: (c,) for each pair of seats of each group, sorted by who they are: where it is in a
            flat (g, n).
        starts: (q,) where each pair's part of those begins.
        by_member: (g·n,) the flat (g, n) sorted by member.
    """

    members: Ints
    gains: Floats
    scaled: Floats
    deals: Floats
    matches: Ints
    first: Ints
    second: Ints
    starts: Ints
    by_member: Ints

    @classmethod
    def of(cls, results: Results) -> "_Meet":
        starts = np.flatnonzero(np.diff(results.groups, prepend=-1))
        members = results.seats[starts].astype(np.int64)
        deals = np.add.reduceat(results.deals, starts, dtype=np.int64).astype(np.float64)
        points = np.add.reduceat(results.points, starts, axis=0, dtype=np.int64)
        k, (g, n) = len(results.competitors), members.shape
        expected = expected_points(members, points.astype(np.float64), deals, k)
        gains = (expected - points) / deals[:, None]
        by_member = np.argsort(members.ravel(), kind="stable")
        # Points vary like counts: the more are expected, the more they do.
        usual = points.sum() / (n * deals.sum())
        weighted = gains * np.sqrt(deals[:, None] / np.maximum(expected / deals[:, None], 0.1 * usual))
        scaled = weighted / _typical(members.ravel()[by_member], weighted.ravel()[by_member], k)[members]
        a, b = np.triu_indices(n, 1)
        row = np.arange(g)[:, None] * n
        names = (members[:, a] * k + members[:, b]).ravel()
        order = np.argsort(names, kind="stable")
        return cls(
            members,
            gains,
            scaled,
            deals,
            np.diff(starts, append=results.matches),
            (row + a).ravel()[order],
            (row + b).ravel()[order],
            np.flatnonzero(np.diff(names[order], prepend=-1)),
            by_member,
        )

    def effects(self, scaled: Floats) -> Floats:
        """(p, 3, q) for each of p versions of `scaled` and each pair, in standard deviations: the first gains
        from the second, the second from the first, both gain."""
        flat = (scaled * np.sqrt(self.deals)[:, None]).reshape(len(scaled), -1)
        one, other = (
            np.add.reduceat(flat[:, side], self.starts, axis=1) for side in (self.first, self.second)
        )
        met = np.add.reduceat(self.deals[self.first // self.members.shape[1]], self.starts)
        found: Floats = np.stack([one - other, other - one, one + other], axis=1) / np.sqrt(2.0 * met)
        return found

    def spread(self) -> Floats:
        """(3,) the standard deviations of the effects, relative to those of uncorrelated members."""
        squares, n = (self.scaled**2).sum(), self.members.shape[1]
        together = (self.scaled.sum(axis=1) ** 2).sum() - squares
        correlation = min(0.9, max(-0.9, float(together / ((n - 1) * squares)))) if squares else 0.0
        found: Floats = np.sqrt([1.0 - correlation, 1.0 - correlation, 1.0 + correlation])
        return found

    def dealt_out(self, chance: np.random.Generator, times: int) -> Floats:
        """(times, g, n) `scaled` with each member's entries in a random order."""
        member = self.members.ravel()
        shuffled = np.argsort(member + chance.random((times, len(member))), axis=1)
        dealt = np.empty((times, len(member)))
        dealt[:, self.by_member] = self.scaled.ravel()[shuffled]
        return dealt.reshape(times, *self.scaled.shape)

    def told(self, results: Results, kind: int, pair: int, p: float) -> Partners:
        """One line of the report."""
        at = np.arange(self.starts[pair], np.append(self.starts, len(self.first))[pair + 1])
        groups = self.first[at] // self.members.shape[1]
        sides = [(where[at], self.members.ravel()[where[at[0]]]) for where in (self.first, self.second)]
        if kind == 1:
            sides.reverse()
        (one, one_is), (other, other_is) = sides
        gained = [np.average(self.gains.ravel()[side], weights=self.deals[groups]) for side in (one, other)]
        return Partners(
            effect=Effect.TOGETHER if kind == 2 else Effect.TRANSFER,
            one=int(results.competitors[one_is]),
            other=int(results.competitors[other_is]),
            matches=int(self.matches[groups].sum()),
            groups=len(groups),
            one_gain=round(float(gained[0]), 4),
            other_gain=round(float(gained[1]), 4),
            p=round(p, 4),
        )


def _typical(member: Ints, values: Floats, k: int) -> Floats:
    """(k,) a standard deviation for each member by the median of its absolute values, so that a few wild ones
    don't hide themselves; at least half of everybody's. `member` ascending."""
    sizes = np.abs(values)
    starts = np.searchsorted(member, np.arange(k))
    ordered = sizes[np.lexsort((sizes, member))]
    middle = ordered[(starts + np.append(starts[1:], len(member)) - 1) // 2] / 0.6745
    typical: Floats = np.maximum(middle, max(0.5 * float(np.sqrt(np.mean(values**2))), 1e-9))
    return typical
