"""Checking a match record without trusting whoever played it (record.md).

The record's decisions are played again through the engine; all that can be recomputed (commitment,
shuffles, legality, winners, points, totals, ranks) is, and the first difference is told.
"""

from collections import Counter
from typing import NoReturn

import msgspec

from arena.cards import card_text, parse_card
from arena.faults import BEFORE_FIRST_DEAL, MAX_FAULTS, vacates
from arena.match import Dealt, Match
from arena.record import (
    FORMAT,
    DealRecord,
    FaultRecord,
    NotARecord,
    Record,
    TrickRecord,
    VacatedRecord,
    record_of,
)
from arena.rules import Bid, Revoke, Rules
from arena.seat import FaultKind
from arena.shuffle import SEED_BYTES, deal_cards


class Unsound(ValueError):
    """A record that does not check.

    Attributes:
        deal: the deal's number from 1, 0 before the first, ``None`` where no deal is concerned.
        trick: the trick from 1, 0 in the bidding, ``None`` where no trick is concerned.
        seat: the seat, or ``None``.
        what: what differs.
    """

    def __init__(
        self, what: str, *, deal: int | None = None, trick: int | None = None, seat: int | None = None
    ) -> None:
        places = [
            f"{name} {n}" for name, n in (("deal", deal), ("trick", trick), ("seat", seat)) if n is not None
        ]
        super().__init__(", ".join(places) + ": " + what if places else what)
        self.deal = deal
        self.trick = trick
        self.seat = seat
        self.what = what


def audit(record: Record, max_faults: int = MAX_FAULTS) -> None:
    """Check a whole record.

    Args:
        max_faults: the fault at which a seat was vacated; a record does not say.

    Raises:
        Unsound: the first difference, with deal, trick and seat.
    """
    again = replay(record, max_faults)
    for name in ("commitment", "ended", "totals", "ranks"):
        stated, found = getattr(record, name), getattr(again, name)
        if stated != found:
            seats = [seat for seat, pair in enumerate(zip(stated, found, strict=False)) if pair[0] != pair[1]]
            seat = seats[0] if seats and name in {"totals", "ranks"} else None
            raise Unsound(f"{name}: {_shown(stated)}, and should be {_shown(found)}", seat=seat)
    if record.to_bytes() != again.to_bytes():
        raise Unsound("the record is not what its own decisions give")


def audit_bytes(data: bytes) -> Record:
    """Check the bytes of a record; gives it back.

    Raises:
        Unsound: as :func:`audit`, or the bytes are no record at all.
    """
    try:
        record = Record.from_bytes(data)
    except NotARecord as error:
        raise Unsound(str(error)) from None
    audit(record)
    return record


def replay(record: Record, max_faults: int = MAX_FAULTS) -> Record:
    """Play the decisions of a record again; gives the record that follows from them.

    Raises:
        Unsound: a decision that is not possible, or something on the way that differs.
    """
    return _Replay(record, max_faults).run()


class _Replay:
    """One record's decisions, played once more.

    ``deal``, ``trick`` and ``seat`` are where the replay has come to: what :class:`Unsound` tells.
    """

    def __init__(self, record: Record, max_faults: int) -> None:
        self.record = record
        self.max_faults = max_faults
        self.deal: int | None = None
        self.trick: int | None = None
        self.seat: int | None = None
        self.faults = list(record.faults)
        self.vacated = list(record.vacated)
        self.counts: Counter[int] = Counter()

    def run(self) -> Record:
        try:
            self._begin()
            for stated in self.record.deals:
                self._play_deal(stated)
        except Unsound:
            raise
        except ValueError as error:
            # The engine's own words: an illegal card, a misdeal, rules that cannot be played.
            self._fail(str(error))
        self._check_nothing_left()
        again = record_of(
            self.match,
            name=self.record.match,
            seed=self.seed,
            bots=self.record.bots,
            faults=self.record.faults,
        )
        # Without a seed there is nothing to check a commitment against.
        return again if self.seed else msgspec.structs.replace(again, commitment=self.record.commitment)

    # -- before the first deal ----------------------------------------------------------------------

    def _begin(self) -> None:
        record = self.record
        self._same("format", record.format, FORMAT)
        self.rules = Rules.from_json(record.rules)
        self._same("rules", record.rules, self.rules.to_json())
        if len(record.bots) != self.rules.players:
            self._fail(f"{len(record.bots)} bots at a table of {self.rules.players}")
        self.seed = None if record.seed is None else bytes.fromhex(record.seed)
        if self.seed is not None and len(self.seed) != SEED_BYTES:
            self._fail(f"a seed of {len(self.seed)} bytes, and it should have {SEED_BYTES}")
        self.match = Match(self.rules, self._deal_cards, record.first_dealer)
        for fault in record.faults:
            if fault.deal == 0:
                self._at(0, 0, fault.seat)
                if not 0 <= fault.seat < self.rules.players:
                    self._fail("there is no such seat")
                if not self._take_fault(action=None):
                    self._fail("faults are not in order")
        self.match.next_deal()

    def _deal_cards(self, number: int, players: int) -> Dealt:
        if number > len(self.record.deals):
            self._fail("the match is not over: a deal is missing")
        self._at(number)
        stated = self.record.deals[number - 1]
        if self.seed is None:
            # Supplied boards: the deal is checked, but nothing says where it came from.
            return Dealt(stated.attempt, [[parse_card(card) for card in hand] for hand in stated.hands])
        # Dealing from the shuffle never misdeals; a choice of attempts would be a choice of cards.
        self._same("attempt", stated.attempt, 0)
        return Dealt(0, deal_cards(self.seed, number, 0, players, self.rules.deal))

    # -- one deal ---------------------------------------------------------------------------------

    def _play_deal(self, stated: DealRecord) -> None:
        match = self.match
        if match.over:
            self._at(stated.number)
            self._fail("the match was over before this deal")
        hand = match.hands[-1]
        play = hand.play
        self._at(hand.number)
        self._same("number", stated.number, hand.number)
        self._same("playoff", stated.playoff, hand.playoff)
        self._same("dealer", stated.dealer, hand.dealer)
        self._same("seats", stated.seats, tuple(play.seats))
        self._same("number of hands", len(stated.hands), len(hand.cards))
        for seat, texts, cards in zip(play.seats, stated.hands, hand.cards, strict=True):
            self._at(hand.number, seat=seat)
            self._same("hand", texts, tuple(map(card_text, cards)))
        self._play_bids(stated)
        for number, trick in enumerate(stated.tricks, start=1):
            self._play_trick(number, trick)
        self._at(hand.number, len(stated.tricks) + 1)
        if not play.over:
            self._fail("a trick is missing")
        self._check_counted(stated)
        self._at(hand.number)
        match.next_deal()

    def _play_bids(self, stated: DealRecord) -> None:
        play = self.match.deal
        for seat, text in stated.bids:
            self._at(self.deal, 0, seat)
            if play.trick_number:
                self._fail("the bidding was over before this bid")
            self._same("the seat to bid", seat, play.turn)
            self._decide(text, Bid.PASS.value)
            play.bid(Bid(text))
        if play.trick_number == 0:
            self._at(self.deal, 0, play.turn)
            self._fail("a bid is missing")

    def _play_trick(self, number: int, stated: TrickRecord) -> None:
        play = self.match.deal
        self._at(self.deal, number)
        if play.over:
            self._fail("the deal was over before this trick")
        self._same("leader", stated.leader, play.leader)
        for text in stated.cards:
            if play.over or play.trick_number != number:
                self._fail(f"{text} is a card too many")
            self._at(self.deal, number, play.turn)
            self._decide(text, card_text(play.safe_card))
            play.play(parse_card(text))
        if not play.over and play.trick_number == number:
            self._at(self.deal, number, play.turn)
            self._fail("a card is missing")

    def _check_counted(self, stated: DealRecord) -> None:
        play = self.match.deal
        self._at(self.deal)
        found = tuple((trick, play.seats[place]) for trick, place in play.revokes)
        self._same("revokes", stated.revokes, found)
        self._same("number of points", len(stated.points), len(play.seats))
        for seat, given, points in zip(play.seats, stated.points, play.points(), strict=True):
            self._at(self.deal, seat=seat)
            self._same("points", given, points)

    def _check_nothing_left(self) -> None:
        if not self.match.over:
            self._fail("the match is not over: a deal is missing")
        left: list[FaultRecord | VacatedRecord] = [*self.faults, *self.vacated]
        for item in left:
            self._at(item.deal, item.trick, item.seat)
            kind = "a fault" if isinstance(item, FaultRecord) else "a seat vacated"
            self._fail(f"{kind} where no such decision was asked for")

    # -- decisions and faults -------------------------------------------------------------------------

    def _decide(self, text: str, safe: str) -> None:
        """What faults and vacating say of the decision that the replay has come to: after either it is
        the referee's, and the referee always acts in the same way (protocol.md, Faults)."""
        assert self.seat is not None
        if self._take_fault(safe) or self.match.is_vacated(self.seat):
            self._same("the referee's action", text, safe)

    def _take_fault(self, action: str | None) -> bool:
        """Take the fault noted here off the list, if there is one; vacate the seat where one is noted."""
        assert self.seat is not None
        if not self.faults or not self._is_here(self.faults[0]):
            return False
        fault = self.faults.pop(0)
        kind = self._possible(fault.kind)
        if self.match.is_vacated(self.seat):
            self._fail("a fault of a seat that was vacated before")
        self._same("action", fault.action, action)
        self.counts[self.seat] += 1
        noted = bool(self.vacated) and self._is_here(self.vacated[0])
        count = self.counts[self.seat]
        due = vacates(kind, deal=fault.deal, count=count, max_faults=self.max_faults)
        if noted != due:
            self._fail(f"a {kind} fault, number {count}: the seat is {'not ' * (not due)}to be vacated")
        if due:
            del self.vacated[0]
            self.match.vacate(self.seat)
        return True

    def _possible(self, text: str) -> FaultKind:
        """The kind of a fault, which must be one that can happen at this decision."""
        try:
            kind = FaultKind(text)
        except ValueError:
            self._fail(f"{_shown(text)} is no kind of fault")
        possible = kind in BEFORE_FIRST_DEAL
        if self.deal:
            play = self.match.deal
            refusable = self.rules.revoke is Revoke.CORRECT and play.legal not in (0, play.hand(play.place))
            possible = refusable if kind is FaultKind.REVOKE else kind is not FaultKind.START
        if not possible:
            self._fail(f"no {kind} fault is possible here")
        return kind

    def _is_here(self, item: FaultRecord | VacatedRecord) -> bool:
        return (item.deal, item.trick, item.seat) == (self.deal, self.trick, self.seat)

    # -- telling ----------------------------------------------------------------------------------

    def _at(self, deal: int | None, trick: int | None = None, seat: int | None = None) -> None:
        self.deal, self.trick, self.seat = deal, trick, seat

    def _same(self, name: str, stated: object, found: object) -> None:
        if stated != found:
            self._fail(f"{name}: {_shown(stated)}, and should be {_shown(found)}")

    def _fail(self, what: str) -> NoReturn:
        raise Unsound(what, deal=self.deal, trick=self.trick, seat=self.seat)


def _shown(value: object) -> str:
    text = repr(list(value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) <= 120 else text[:117] + "..."
