"""What each decision of a match was charged: evidence beside the record, which holds no times."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import msgspec

from arena.clock import MatchClock
from arena.record import DealRecord, Record

#: Times are kept in hundredths of a millisecond: finer than what the kernel's statistics say.
STEP_MS: Final = 0.01


class ClockUse(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a match's decisions were charged, in steps of a hundredth of a millisecond.

    Attributes:
        move_ms, bank_ms: the limits.
        charged: for each bid and card, in the order of the record; None where the referee played for a seat
            that was vacated.
        off_turn: (decision from 0, charged): what its seat was charged before it for processor time that it
            used while it was not asked.
    """

    move_ms: int
    bank_ms: int
    charged: tuple[int | None, ...]
    off_turn: tuple[tuple[int, int], ...] = ()

    def to_bytes(self) -> bytes:
        """One line of JSON."""
        return msgspec.json.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> "ClockUse":
        """What `to_bytes` gave. Raises msgspec.ValidationError."""
        return msgspec.json.decode(data, type=cls)


def clock_use(clock: MatchClock) -> ClockUse:
    """What a clock was charged so far."""
    return ClockUse(
        move_ms=clock.limits.move_ms,
        bank_ms=clock.limits.bank_ms,
        charged=tuple(None if ms is None else round(ms / STEP_MS) for ms in clock.charged_ms),
        off_turn=tuple((at, round(ms / STEP_MS)) for at, ms in clock.off_turn_ms),
    )


@dataclass(frozen=True, slots=True)
class Timed:
    """A decision and its time.

    Attributes:
        deal, trick, place: from 1; trick 0 is the bidding; the place is among the bids, or the trick's cards.
        charged_ms: None where the referee played for the seat.
        off_turn_ms: what the seat was charged before it.
        bank_ms: what is left of the seat's bank after it.
    """

    deal: int
    trick: int
    place: int
    seat: int
    charged_ms: float | None
    off_turn_ms: float
    bank_ms: float


def timed(record: Record, use: ClockUse) -> list[Timed]:
    """The decisions of a match with their times. Raises ValueError when they are not this record's."""
    decisions = list(_decisions(record))
    if len(decisions) != len(use.charged):
        raise ValueError(f"times of {len(use.charged)} decisions, and the record has {len(decisions)}")
    off_turn = dict(use.off_turn)
    move, full = round(use.move_ms / STEP_MS), round(use.bank_ms / STEP_MS)
    banks = [full] * len(record.bots)
    rows = []
    for at, ((deal, trick, place, seat), charged) in enumerate(zip(decisions, use.charged, strict=True)):
        before = off_turn.get(at, 0)
        banks[seat] = max(0, banks[seat] - before - max(0, (charged or 0) - move))
        taken = None if charged is None else _ms(charged)
        rows.append(Timed(deal, trick, place, seat, taken, _ms(before), _ms(banks[seat])))
    return rows


def _ms(steps: int) -> float:
    return round(steps * STEP_MS, 2)


def _decisions(record: Record) -> Iterator[tuple[int, int, int, int]]:
    """(deal, trick, place, seat) of each bid and card."""
    for number, deal in enumerate(record.deals, start=1):
        for place, (seat, _) in enumerate(deal.bids, start=1):
            yield number, 0, place, seat
        for number_of_trick, trick in enumerate(deal.tricks, start=1):
            for place, seat in enumerate(_turns(deal, number_of_trick, trick.leader), start=1):
                if place > len(trick.cards):
                    break
                yield number, number_of_trick, place, seat


def _turns(deal: DealRecord, trick: int, leader: int) -> list[int]:
    """Who plays to a trick, from its leader on: all that have a card left."""
    first = deal.seats.index(leader)
    sizes = dict(zip(deal.seats, deal.hands, strict=True))
    return [seat for seat in (*deal.seats[first:], *deal.seats[:first]) if len(sizes[seat]) >= trick]


@dataclass(frozen=True, slots=True)
class SeatClock:
    """A seat's time in a match.

    Attributes:
        decisions: how many it was asked for.
        total_ms, mean_ms: charged for them; no mean where there was none.
        longest: the decision that took longest, None where there was none.
        off_turn_ms: charged for processor time that it used while it was not asked.
        bank_ms: what is left of its bank.
    """

    seat: int
    decisions: int
    total_ms: float
    mean_ms: float | None
    longest: Timed | None
    off_turn_ms: float
    bank_ms: float


def by_seat(rows: list[Timed], use: ClockUse, players: int) -> list[SeatClock]:
    """The times of each seat together."""
    seats = []
    for seat in range(players):
        own = [row for row in rows if row.seat == seat]
        asked = [(row.charged_ms, row) for row in own if row.charged_ms is not None]
        total = sum(charged for charged, _ in asked)
        longest = max(asked, key=lambda pair: pair[0], default=None)
        seats.append(
            SeatClock(
                seat,
                len(asked),
                round(total, 2),
                round(total / len(asked), 3) if asked else None,
                longest[1] if longest else None,
                round(sum(row.off_turn_ms for row in own), 2),
                own[-1].bank_ms if own else float(use.bank_ms),
            )
        )
    return seats
