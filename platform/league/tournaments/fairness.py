"""Whose table is played next, and how many go before another: pure functions.

Workers are shared by organisers, not by tables: the next table is one of whoever has fewest in play now;
among equals, of whoever was served longest ago. One organiser's own tables go in the order of the plan.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One organiser's tables.

    Attributes:
        waiting, playing: how many.
        served: when one was last begun: any number that grows with time, 0 for never.
    """

    organiser: int
    waiting: int
    playing: int
    served: float = 0.0

    def turn(self, index: int) -> tuple[int, int, float, int]:
        """When the table at this index (from 0) of those that wait is served: lower is sooner, in all lines.

        As if no table in play ended before: each that is begun counts against the next. Whoever had as many
        in play from the start was served longer ago than who has come to as many since: so the second number.
        """
        return self.playing + index, -self.playing, self.served, self.organiser


def in_order(lines: Iterable[Line]) -> list[Line]:
    """The lines in which something waits, the one that is served next first."""
    return sorted((line for line in lines if line.waiting), key=lambda line: line.turn(0))


def place(lines: Iterable[Line], line: Line, index: int) -> int:
    """The place in the queue, from 1, of the table at this index of those that wait in one of the lines."""
    level, *rest = line.turn(index)
    before = index
    for other in lines:
        if other.organiser != line.organiser:
            ties = [*other.turn(0)[1:]] < rest
            before += min(max(level - other.playing + ties, 0), other.waiting)
    return before + 1
