"""A duel's sequential test as a picture: the difference board by board, and the bounds that settle it.

What is drawn is placed in percent of the picture, polygons in its UNITS, as in league.web.chart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from league.web.chart import BOTTOM, UNITS, Mark

#: More steps than that are not told apart in a picture, nor read in a table.
MOST = 200
#: How high the picture is, in differences as the test has them at its end; the first bounds are far outside.
HEADROOM = 1.6
LINES = 3


@dataclass(frozen=True)
class DuelChart:
    """What is drawn, the first one's side above.

    Attributes:
        line: the difference so far, as points in UNITS.
        first, second: where either is named the better one; `neither`: where the duel is given up, or "".
        at: the last difference, in percent across and down.
        up, across: the grid's marks, differences without their sign, and boards.
        middle: where there is no difference.
    """

    line: str
    first: str
    second: str
    neither: str
    at: tuple[str, str]
    up: list[tuple[str, str]]
    across: list[Mark]
    middle: str


def steps(trace: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The trace, or so much of it, evenly and to its end, as is shown."""
    every = -(-len(trace) // MOST)
    return [step for at, step in enumerate(trace) if (len(trace) - 1 - at) % every == 0] if trace else []


def duel_chart(duel: dict[str, Any]) -> DuelChart | None:
    """The chart of a duel as the API tells it; None before there are two steps to draw a line between."""
    trace = steps(duel["trace"])
    if len(trace) < 2:
        return None
    last = trace[-1]
    height: float = HEADROOM * max([last["outer"], *(abs(step["mean"]) for step in trace)]) or 1.0
    begin: int = trace[0]["boards"]
    planned: int = duel["planned"]

    def x(boards: int) -> float:
        return 100 * (boards - begin) / max(planned - begin, 1)

    def y(gain: float) -> float:
        """Fewer penalty points are better: the first one's side is above."""
        return BOTTOM * (1 - min(max(gain / height, -1.0), 1.0)) / 2

    def points(pairs: Sequence[tuple[int, float]]) -> str:
        return " ".join(f"{UNITS / 100 * x(at):.1f},{UNITS / 100 * y(gain):.1f}" for at, gain in pairs)

    def area(low: Sequence[float], high: Sequence[float]) -> str:
        at = [step["boards"] for step in trace]
        return points([*zip(at, low, strict=True), *zip(reversed(at), reversed(high), strict=True)])

    outer, inner = ([step[name] for step in trace] for name in ("outer", "inner"))
    edge = [height] * len(trace)
    return DuelChart(
        line=points([(step["boards"], -step["mean"]) for step in trace]),
        first=area(outer, edge),
        second=area([-bound for bound in outer], [-each for each in edge]),
        neither=area([-bound for bound in inner], inner) if any(inner) else "",
        at=(f"{x(last['boards']):.2f}%", f"{y(-last['mean']):.2f}%"),
        up=[(f"{y(gain):.2f}%", text) for gain, text in _heights(height)],
        across=[Mark(f"{x(boards):.2f}%", boards) for boards in _boards(begin, planned)],
        middle=f"{y(0.0):.2f}%",
    )


def _heights(height: float) -> list[tuple[float, str]]:
    """Round differences on both sides, with how they are written: without a sign."""
    step = _round_step(height / LINES)
    digits = max(0, -floor(log10(step)))
    found = [step * number for number in range(1, floor(height / step) + 1) if step * number < height * 0.95]
    return [(sign * gain, f"{gain:.{digits}f}") for gain in found for sign in (1, -1)]


def _boards(begin: int, planned: int) -> list[int]:
    """Some round numbers of boards between, the ends excluded, where the axis has its words."""
    step = int(_round_step(max((planned - begin) / LINES, 1.0)))
    found = range((begin // step + 1) * step, planned, step)
    return [boards for boards in found if begin + 0.1 * (planned - begin) < boards < planned]


def _round_step(rough: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
