"""A rating's history as a picture: the numbers that the page's SVG is drawn from, in percent of its area."""

from dataclasses import dataclass
from math import floor, log10
from typing import Any

#: The part of the height that the curves have; below stand the numbers of the axis.
BOTTOM = 90.0
LINES = 4
#: The first ratings know little: no interval stretches the picture by more than so many widths of the newest.
REACH = 1.5
#: Above so many snapshots the band tells enough: dots would hide it.
DOTS = 40
#: The polygons' own units, for a picture that is stretched.
UNITS = 1000


@dataclass(frozen=True)
class Mark:
    """A line of the grid: where it is, and its number."""

    at: str
    label: int


@dataclass(frozen=True)
class Dot:
    """A published rating: where it is, and its interval."""

    x: str
    y: str
    low: str
    high: str


@dataclass(frozen=True)
class Chart:
    """What is drawn. `live` and `band` are lists of points in UNITS; `across` and `up` the grid's marks."""

    live: str
    band: str
    dots: list[Dot]
    across: list[Mark]
    up: list[Mark]


def rating_chart(history: dict[str, Any]) -> Chart | None:
    """The chart of a version's history as the API tells it; None without a point."""
    live, published = history["live"], history["published"]
    if not live and not published:
        return None
    most: int = max(each["matches"] for each in (*live, *published))
    heights = [each["elo"] for each in live]
    reach = REACH * (published[-1]["elo_high"] - published[-1]["elo_low"]) if published else 0.0
    heights += [max(each["elo_low"], each["elo"] - reach) for each in published]
    heights += [min(each["elo_high"], each["elo"] + reach) for each in published]
    low, high = float(min(heights)), float(max(heights))
    room = max(high - low, 20.0) / 12
    low, high = low - room, high + room

    def x(matches: int) -> float:
        return 100 * matches / most

    def y(elo: float) -> float:
        return BOTTOM * (high - min(max(elo, low), high)) / (high - low)

    def points(pairs: list[tuple[float, float]]) -> str:
        scale = UNITS / 100
        return " ".join(f"{scale * across:.1f},{scale * up:.1f}" for across, up in pairs)

    edge = [(x(each["matches"]), y(each["elo_high"])) for each in published]
    edge += [(x(each["matches"]), y(each["elo_low"])) for each in reversed(published)]
    dots = [
        Dot(
            *(
                f"{at:.2f}%"
                for at in (x(each["matches"]), *(y(each[f"elo{end}"]) for end in ("", "_low", "_high")))
            )
        )
        for each in published
    ]
    return Chart(
        points([(x(each["matches"]), y(each["elo"])) for each in live]),
        points(edge) if len(published) > 1 else "",
        dots if len(dots) <= DOTS else dots[-1:],
        [Mark(f"{x(matches):.2f}%", matches) for matches in _marks(0, most)],
        [Mark(f"{y(elo):.2f}%", elo) for elo in _marks(low, high)],
    )


def _marks(low: float, high: float) -> list[int]:
    """Some round numbers between, both ends excluded."""
    rough = max((high - low) / LINES, 1.0)
    power = 10 ** floor(log10(rough))
    step = next(int(power * factor) for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = floor(low / step) + 1
    return [number * step for number in range(first, floor(high / step) + 1) if number * step < high]
