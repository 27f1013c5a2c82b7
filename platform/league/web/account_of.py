"""A match told deal by deal, from its record: for readers without scripts, and for who asks why it was
lost."""

from dataclasses import dataclass
from typing import Any

from arena.record import DealRecord, Record
from arena.rules import Rules
from league.matches.replayed import Trick, tricks_of

PASS = "pass"


@dataclass(frozen=True)
class DealTold:
    """A deal. By seat: `points` (None for who sat out) and `totals` after it; `forfeit`: nobody took the last
    trick."""

    deal: DealRecord
    tricks: list[Trick]
    points: list[int | None]
    totals: list[int]

    @property
    def announced(self) -> tuple[int, str] | None:
        """The seat that announced something, and what."""
        return next(((seat, bid) for seat, bid in self.deal.bids if bid != PASS), None)

    @property
    def hands(self) -> list[tuple[int, tuple[str, ...]]]:
        """Each seat with the cards that it was dealt, from the eldest hand on."""
        return list(zip(self.deal.seats, self.deal.hands, strict=True))


def account_of(told: dict[str, Any]) -> list[DealTold]:
    """The deals of a record as the API tells it."""
    record = Record.from_json(told)
    rules = Rules.from_json(record.rules)
    totals = [0] * len(record.bots)
    deals = []
    for deal in record.deals:
        by_seat = dict(zip(deal.seats, deal.points, strict=True))
        points = [by_seat.get(seat) for seat in range(len(record.bots))]
        if not deal.playoff:
            totals = [total + (by_seat.get(seat) or 0) for seat, total in enumerate(totals)]
        last = deal is record.deals[-1]  # a forfeit raises a total besides
        deals.append(DealTold(deal, tricks_of(rules, deal), points, list(record.totals if last else totals)))
    return deals


@dataclass(frozen=True)
class Charged:
    """What a seat was charged with in a deal: its points, the costs of the tricks that it took, and what was
    announced (None: nothing)."""

    deal: int
    points: int
    costs: list[tuple[str, int]]
    announced: tuple[int, str] | None


def charges(deals: list[DealTold], seat: int) -> list[Charged]:
    """The deals that cost a seat points."""
    return [
        Charged(
            told.deal.number,
            points,
            [cost for trick in told.tricks if trick.winner == seat for cost in trick.costs],
            told.announced,
        )
        for told in deals
        if (points := told.points[seat] or 0) > 0
    ]
