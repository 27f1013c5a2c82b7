"""Does a bot do better than expected when a certain other sits at the table? A report against collusion.

Expected is the share of a group's points that a bot's weight makes among those of its opponents. What is
left over, in units of how much a share of that size varies, is dealt out anew, at random, among the groups of
the same bot, and evened out over each table, many times: so much may the largest effect of the whole report
be when nobody cares who else is there.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from arena.ratings.meetings import Floats
from arena.ratings.results import Ints, Results
from arena.ratings.shares import shares

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
    found = meet.effects(meet.over[None])[0]
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

    What a member catches the others don't, the more so the more they take: so left-overs of one group hang
    together, two weak bots' most. As in a multinomial, they are taken for what each varies `alone`,
    independent of the others, less its share of the sum of that.

    Attributes:
        members, share, over: (g, n) who, the share of the group's points expected of it, and how many points
            fewer it took.
        alone: (g, n) by how many points each varies alone (standard deviation, if points were random).
        scaled: (g, n) `over` in standard deviations, if points were random.
        deals, matches: (g,)
        first, second: (c,) for each pair of seats of each group, sorted by who they are: where it is in a
            flat (g, n).
        starts: (q,) where each pair's part of those begins.
        deviation: (3, q) the standard deviations of the pairs' effects, in points.
        by_member: (g·n,) the flat (g, n) sorted by member.
    """

    members: Ints
    share: Floats
    over: Floats
    alone: Floats
    scaled: Floats
    deals: Floats
    matches: Ints
    first: Ints
    second: Ints
    starts: Ints
    deviation: Floats
    by_member: Ints

    @classmethod
    def of(cls, results: Results) -> "_Meet":
        begins = np.flatnonzero(np.diff(results.groups, prepend=-1))
        members = results.seats[begins].astype(np.int64)
        deals = np.add.reduceat(results.deals, begins, dtype=np.int64).astype(np.float64)
        points = np.add.reduceat(results.points, begins, axis=0, dtype=np.int64).astype(np.float64)
        # Who makes a general may end below nothing, and nothing has shares below nothing.
        points += max(0.0, -float((points / deals[:, None]).min())) * deals[:, None]
        k, (g, n) = len(results.competitors), members.shape
        given = points.sum(axis=1, keepdims=True)
        share = shares(members, points, k)
        over = given * share - points
        alone = np.sqrt(np.maximum(given, 1.0) * np.maximum(share, 0.1 / n))
        scaled = over / (alone * np.sqrt(1.0 - np.minimum(share, 1.0 - 0.1 / n)))
        by_member = np.argsort(members.ravel(), kind="stable")
        typical = _typical(members.ravel()[by_member], scaled.ravel()[by_member], k)[members]
        a, b = np.triu_indices(n, 1)
        row = np.arange(g)[:, None] * n
        names = (members[:, a] * k + members[:, b]).ravel()
        order = np.argsort(names, kind="stable")
        starts = np.flatnonzero(np.diff(names[order], prepend=-1))
        variances = _variances(share, (alone * typical) ** 2, a, b).reshape(3, -1)[:, order]
        return cls(
            members,
            share,
            over,
            alone,
            scaled,
            deals,
            np.diff(begins, append=results.matches),
            (row + a).ravel()[order],
            (row + b).ravel()[order],
            starts,
            np.sqrt(np.add.reduceat(variances, starts, axis=1)),
            by_member,
        )

    def effects(self, over: Floats) -> Floats:
        """(p, 3, q) for each of p versions of `over` and each pair, in standard deviations: the first gains
        from the second, the second from the first, both gain."""
        flat = over.reshape(len(over), -1)
        one, other = (
            np.add.reduceat(flat[:, side], self.starts, axis=1) for side in (self.first, self.second)
        )
        found: Floats = np.stack([one - other, other - one, one + other], axis=1) / self.deviation
        return found

    def dealt_out(self, chance: np.random.Generator, times: int) -> Floats:
        """(times, g, n) `over` as chance might have it: each member's `scaled` in a random order."""
        member = self.members.ravel()
        shuffled = np.argsort(member + chance.random((times, len(member))), axis=1)
        dealt = np.empty((times, len(member)))
        dealt[:, self.by_member] = self.scaled.ravel()[shuffled]
        varied = dealt.reshape(times, *self.scaled.shape) * self.alone
        over: Floats = varied - self.share * varied.sum(axis=2, keepdims=True)
        return over

    def told(self, results: Results, kind: int, pair: int, p: float) -> Partners:
        """One line of the report."""
        at = np.arange(self.starts[pair], np.append(self.starts, len(self.first))[pair + 1])
        groups = self.first[at] // self.members.shape[1]
        sides = [(where[at], self.members.ravel()[where[at[0]]]) for where in (self.first, self.second)]
        if kind == 1:
            sides.reverse()
        (one, one_is), (other, other_is) = sides
        gained = [self.over.ravel()[side].sum() / self.deals[groups].sum() for side in (one, other)]
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


def _variances(share: Floats, alone: Floats, a: Ints, b: Ints) -> Floats:
    """(3, g, c) of the difference, the difference and the sum of what is left over of each two (a, b) of a
    group. `alone` (g, n): the variance of what each varies alone."""
    one, other, whole = alone[:, a], alone[:, b], alone.sum(axis=1, keepdims=True)
    apart, both = share[:, a] - share[:, b], share[:, a] + share[:, b]
    differ = one + other - 2.0 * apart * (one - other) + apart**2 * whole
    add = (1.0 - 2.0 * both) * (one + other) + both**2 * whole
    return np.stack([differ, differ, np.maximum(add, 0.01 * (one + other))])


def _typical(member: Ints, values: Floats, k: int) -> Floats:
    """(k,) a standard deviation for each member by the median of its absolute values, so that a few wild ones
    don't hide themselves; at least half of everybody's. `member` ascending."""
    sizes = np.abs(values)
    starts = np.searchsorted(member, np.arange(k))
    ordered = sizes[np.lexsort((sizes, member))]
    middle = ordered[(starts + np.append(starts[1:], len(member)) - 1) // 2] / 0.6745
    typical: Floats = np.maximum(middle, max(0.5 * float(np.sqrt(np.mean(values**2))), 1e-9))
    return typical
