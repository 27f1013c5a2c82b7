"""A cross table as a square of cells, each with how warm it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

#: Standard errors away from a half that are a step warmer: what may well be chance, what chance does once in
#: twenty times, and once in a thousand.
STEPS = (1.0, 1.96, 3.3)
#: The standard error of one match's score is no more.
ERROR = 0.5


@dataclass(frozen=True)
class Cell:
    """How the row's bot did against the column's. `heat`: from -3 to 3, the warmer, the less chance explains
    it."""

    score: float
    matches: int
    won: int
    drawn: int
    lost: int

    @property
    def heat(self) -> int:
        """Good or bad for whom the row is."""
        off = (self.score - 0.5) * sqrt(self.matches) / ERROR
        step = sum(abs(off) >= least for least in STEPS)
        return step if off > 0 else -step


def cell_of(meeting: Mapping[str, Any]) -> Cell:
    """A meeting as the API tells it, from the side of `one`."""
    return Cell(*(meeting[name] for name in ("score", "matches", "won", "drawn", "lost")))


def square(
    rows: Sequence[Mapping[str, Any]], meetings: Iterable[Mapping[str, Any]]
) -> list[list[Cell | None]]:
    """A line of cells for each row, a cell for each row again; None for itself, and where two never met."""
    cells: dict[tuple[int, int], Cell] = {}
    for meeting in meetings:
        one, other, cell = meeting["one"]["version_id"], meeting["other"]["version_id"], cell_of(meeting)
        cells[one, other] = cell
        cells[other, one] = Cell(1 - cell.score, cell.matches, cell.lost, cell.drawn, cell.won)
    ids = [row["version_id"] for row in rows]
    return [[cells.get((one, other)) for other in ids] for one in ids]
