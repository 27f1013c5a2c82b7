"""The match record: all that is needed to replay a match and to check it (record.md)."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import msgspec

from arena import strictjson
from arena.cards import CARD_TEXTS
from arena.match import Hand, Match
from arena.shuffle import commitment

FORMAT: Final = "polignac-record/1"
_MAX_DEPTH: Final = 8


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class TrickRecord(_Part, frozen=True):
    """One trick: ``cards`` in the order played, from ``leader`` on."""

    leader: int
    cards: tuple[str, ...]


class DealRecord(_Part, frozen=True):
    """One deal; ``hands`` and ``points`` are parallel to ``seats``."""

    number: int
    attempt: int
    dealer: int
    seats: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    bids: tuple[tuple[int, str], ...]
    tricks: tuple[TrickRecord, ...]
    revokes: tuple[tuple[int, int], ...]
    points: tuple[int, ...]
    playoff: bool


class FaultRecord(_Part, frozen=True):
    """One fault; ``action`` is the bid or card put in its place, ``None`` before the first deal."""

    deal: int
    trick: int
    seat: int
    kind: str
    detail: str
    action: str | None


class VacatedRecord(_Part, frozen=True):
    """A seat given up, and when."""

    seat: int
    deal: int
    trick: int


class Record(_Part, frozen=True):
    """A whole match. Equal matches give equal bytes."""

    match: str
    rules: dict[str, Any]
    first_dealer: int
    commitment: str | None
    seed: str | None
    bots: tuple[str, ...]
    deals: tuple[DealRecord, ...]
    ended: str
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[FaultRecord, ...]
    vacated: tuple[VacatedRecord, ...]
    format: str = FORMAT

    def to_bytes(self) -> bytes:
        """One line of JSON with sorted keys and no spaces, without the line's end."""
        return _encoder.encode(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Record":
        """The record on one line of JSON.

        Raises:
            NotARecord: not JSON, or not of the record's shape; the text says where.
        """
        try:
            return cls.from_json(strictjson.loads(data.decode("utf-8"), _MAX_DEPTH))
        except UnicodeDecodeError as error:
            raise NotARecord(f"not UTF-8: byte {error.start + 1}") from None
        except strictjson.NotStrictJson as error:
            raise NotARecord(f"not JSON: {error}") from None

    @classmethod
    def from_json(cls, data: object) -> "Record":
        """The record of a JSON value.

        Raises:
            NotARecord: not of the record's shape; the text says where.
        """
        try:
            record = msgspec.convert(data, cls)
            record.to_bytes()
        except msgspec.ValidationError as error:
            raise NotARecord(f"not a match record: {error}") from None
        except UnicodeEncodeError:
            raise NotARecord("not a match record: half a surrogate pair in a text") from None
        return record


class NotARecord(ValueError):
    """Bytes that are no match record at all; the text says what is wrong and where."""


_encoder = msgspec.json.Encoder(order="sorted")

Faults: TypeAlias = Sequence[FaultRecord]


def record_of(
    match: Match, *, name: str, seed: bytes | None, bots: Sequence[str], faults: Faults = ()
) -> Record:
    """The record of a match that is over.

    Args:
        name: the match's name.
        seed: its 32 bytes, or ``None`` where the cards were supplied.
        bots: a label for each seat.
        faults: what the referee noted, in order.
    """
    assert match.ending is not None, "a record is made of a match that has ended"
    return Record(
        match=name,
        rules=match.rules.to_json(),
        first_dealer=match.first_dealer,
        commitment=None if seed is None else commitment(seed),
        seed=None if seed is None else seed.hex(),
        bots=tuple(bots),
        deals=tuple(_deal_record(hand) for hand in match.hands),
        ended=match.ending,
        totals=tuple(match.totals),
        ranks=tuple(match.ranks()),
        faults=tuple(faults),
        vacated=tuple(VacatedRecord(seat=v.seat, deal=v.deal, trick=v.trick) for v in match.vacated),
    )


def _deal_record(hand: Hand) -> DealRecord:
    deal = hand.play
    seats = deal.seats
    return DealRecord(
        number=hand.number,
        attempt=hand.attempt,
        dealer=hand.dealer,
        seats=tuple(seats),
        hands=tuple(_texts(cards) for cards in hand.cards),
        bids=tuple((seats[place], bid.value) for place, bid in deal.bids),
        tricks=tuple(TrickRecord(leader=seats[lead], cards=_texts(cards)) for lead, cards in deal.tricks),
        revokes=tuple((trick, seats[place]) for trick, place in deal.revokes),
        points=tuple(deal.points()),
        playoff=hand.playoff,
    )


def _texts(cards: Sequence[int]) -> tuple[str, ...]:
    return tuple(CARD_TEXTS[card] for card in cards)
