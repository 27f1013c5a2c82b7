"""Laying tables for one round: near to a wished order, no side twice, few who have met before."""

import random
from collections.abc import Mapping, Sequence

from arena.schedule.sides import Sides, deal_out

# What a table costs: a side twice weighs more than anything, a repeated meeting more than the order.
CLASH = 1_000_000.0
REPEAT = 1_000.0
# Swaps are looked for among the so many nearest tables, and going round so often at the most.
NEAR = 24
ROUNDS = 12
# Other beginnings: so many, fewer in large fields.
AGAIN = 20
AGAIN_ENTRANTS = 800

#: How often two have met: by each, then by the other.
Met = Mapping[int, Mapping[int, int]]


def lay(wished: Sequence[Sequence[int]], sides: Sides, met: Met, chance: random.Random) -> list[list[int]]:
    """The wished tables, changed as little as will do.

    Members are swapped between near tables where that ends a clash of sides or a repeated meeting, until no
    single swap betters anything. Where a repeated meeting is left, or a clash, it is tried again from other
    beginnings, and the best is taken; no side is ever left twice at a table.

    Args:
        wished: tables of one size; no side has more members than there are tables.
    """
    laying = _Laying(wished, sides, met)
    everyone = [each for table in wished for each in table]
    best = laying.settle([list(table) for table in wished])
    for attempt in range(min(AGAIN, AGAIN_ENTRANTS // len(everyone)) + 1):
        if laying.cost(best) < REPEAT:
            break
        if attempt == 0:
            start = deal_out(everyone, sides, len(wished))
        else:
            chance.shuffle(everyone)
            start = [everyone[table :: len(wished)] for table in range(len(wished))]
        best = min(best, laying.settle(start), key=laying.cost)
    return best


class _Laying:
    """What tables cost, and how to make them cost less."""

    def __init__(self, wished: Sequence[Sequence[int]], sides: Sides, met: Met) -> None:
        self.home = {each: at for at, table in enumerate(wished) for each in table}
        self.sides = sides
        self.met = met

    def with_others(self, each: int, others: Sequence[int]) -> float:
        """What the company costs."""
        before = self.met.get(each, {})
        return sum(
            CLASH * (self.sides[each] == self.sides[other]) + REPEAT * before.get(other, 0) ** 2
            for other in others
        )

    def seat(self, each: int, at: int, others: Sequence[int]) -> float:
        """What it costs to seat this one at that table with these others."""
        return self.with_others(each, others) + float((self.home[each] - at) ** 2)

    def cost(self, tables: Sequence[Sequence[int]]) -> float:
        """What all tables cost together; under `REPEAT` there is neither a clash nor a repeated meeting, or
        the order was hardly kept."""
        cost = 0.0
        for at, table in enumerate(tables):
            for seat, each in enumerate(table):
                cost += self.with_others(each, table[:seat]) + (self.home[each] - at) ** 2
        return cost

    def settle(self, tables: list[list[int]]) -> list[list[int]]:
        """Make the best swap for each member in turn, until there is none (or for `ROUNDS` rounds)."""
        for _ in range(ROUNDS):
            moves = [
                self._move(tables, at, seat) for at, table in enumerate(tables) for seat in range(len(table))
            ]
            if not any(moves):
                break
        return tables

    def _move(self, tables: list[list[int]], at: int, seat: int) -> bool:
        """Swap this member with whom it is best to; whether it was swapped."""
        each = tables[at][seat]
        others = tables[at][:seat] + tables[at][seat + 1 :]
        now = self.seat(each, at, others)
        if now == 0:
            return False
        best, swap = -1e-9, None
        low = max(0, min(at - NEAR // 2, len(tables) - NEAR - 1))
        for to in range(low, min(low + NEAR + 1, len(tables))):
            if to == at:
                continue
            for chair, guest in enumerate(tables[to]):
                rest = tables[to][:chair] + tables[to][chair + 1 :]
                change = self.seat(guest, at, others) + self.seat(each, to, rest)
                change -= now + self.seat(guest, to, rest)
                if change < best:
                    best, swap = change, (to, chair)
        if swap is None:
            return False
        to, chair = swap
        tables[at][seat], tables[to][chair] = tables[to][chair], each
        return True
