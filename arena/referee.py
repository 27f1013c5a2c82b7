"""The referee: asks the seats, keeps the time, judges faults (protocol.md)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from arena.cards import card_text, parse_card
from arena.clock import MatchClock
from arena.clock_use import ClockUse, clock_use
from arena.deal import Deal, Revoked
from arena.errors import IllegalMove, PlatformFailure
from arena.faults import MAX_FAULTS, vacates
from arena.match import Hand, Match, shuffled
from arena.protocol import Bye, ClockLimits, Event, Hello, MatchEnd, MatchStart, Refused
from arena.record import FaultRecord, Record, record_of
from arena.rules import Bid, Rules
from arena.seat import Failure, FaultKind, Reply, Seat
from arena.shuffle import luck
from arena.view import View

MAX_DETAIL: Final = 300


@dataclass(frozen=True, slots=True)
class Board:
    """One match seed: the shuffles of a whole match.

    Attributes:
        seed: 32 bytes.
        first_dealer: a seat.
    """

    seed: bytes
    first_dealer: int = 0


class Table:
    """One seating: ``n`` seats that play boards one after another.

    Args:
        rules: what is played.
        seats: who plays, one for each seat; the table closes them.
        new_id: gives short unpredictable strings, one for each question.
        clock: what each bot's time is.
        max_faults: the fault of a match at which a seat is vacated.
        luck: gives `luck` (protocol.md) from a board's seed, the deal's number and the place; by default the
            same wherever a hand is played.
    """

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[Seat],
        *,
        new_id: Callable[[], str],
        clock: ClockLimits | None = None,
        max_faults: int = MAX_FAULTS,
        luck: Callable[[bytes, int, int], str] = luck,
    ) -> None:
        if len(seats) != rules.players:
            raise ValueError(f"{len(seats)} seats at a table of {rules.players}")
        self.rules = rules
        self.seats = list(seats)
        self.new_id = new_id
        self.clock = clock or ClockLimits()
        self.max_faults = max_faults
        self.luck = luck
        self._last: _Refereed | None = None

    def play(self, board: Board, *, match: str, bots: Sequence[str]) -> Record:
        """Play one match to its end.

        Args:
            board: the cards.
            match: the match's name, as the bots and the record see it.
            bots: a label for each seat, for the record alone.

        Raises:
            PlatformFailure: the platform could not do its part; the match is void.
        """
        self._last = _Refereed(self, board, match, bots)
        return self._last.run()

    def clock_use(self) -> ClockUse:
        """What each decision of the match played last was charged: evidence beside its record."""
        assert self._last is not None, "no match has been played"
        return clock_use(self._last.clock)

    def close(self) -> None:
        """Say goodbye to every seat and end it.

        Raises:
            PlatformFailure: a seat could not be ended; the others are.
        """
        failures: list[PlatformFailure] = []
        for seat in self.seats:
            if seat.live:
                seat.tell(Bye())
            try:
                seat.close()
            except PlatformFailure as failure:
                failures.append(failure)
        if failures:
            raise failures[0]


class _Refereed:
    """One match at a table."""

    def __init__(self, table: Table, board: Board, name: str, bots: Sequence[str]) -> None:
        self.table = table
        self.board = board
        self.name = name
        self.bots = bots
        self.match = Match(table.rules, shuffled(board.seed, table.rules), board.first_dealer)
        self.clock = MatchClock(table.clock, table.rules.players)
        self.course: list[Event] = []
        self.views = [View(seat, self.course) for seat in range(table.rules.players)]
        self.faults: list[FaultRecord] = []
        self.held = set(range(table.rules.players))

    def run(self) -> Record:
        for seat in range(self.match.rules.players):
            self._greet(seat)
        self.match.next_deal()
        while not self.match.over:
            self._play_deal()
        totals, ranks = self.match.totals, self.match.ranks()
        for seat in self.held:
            self.table.seats[seat].tell(MatchEnd(totals=list(totals), ranks=ranks))
        return record_of(self.match, name=self.name, seed=self.board.seed, bots=self.bots, faults=self.faults)

    def _greet(self, seat: int) -> None:
        """Start the seat's process where none is running, then tell it of the match."""
        holder = self.table.seats[seat]
        if not holder.live:
            rules, limits = self.match.rules, self.table.clock
            hello = Hello(id=self.table.new_id(), rules=rules.to_json(), players=rules.players, clock=limits)
            answer = holder.ask(hello, limits.start_ms)
            if isinstance(answer, Reply) and answer.value.get("ready") is not True:
                answer = Failure(FaultKind.START, 'the reply to hello has no "ready": true')
            if isinstance(answer, Failure):
                if answer.kind is FaultKind.TIMEOUT:
                    answer = Failure(FaultKind.START, answer.detail)
                self._note(seat, answer, action=None)
                return
        holder.tell(MatchStart(match=self.name, seat=seat))

    # -- one deal ---------------------------------------------------------------------------------

    def _play_deal(self) -> None:
        match = self.match
        hand = match.hands[-1]
        deal = hand.play
        for seat in self.held:
            place = deal.seats.index(seat) if seat in deal.seats else None
            seed = "" if place is None else self.table.luck(self.board.seed, hand.number, place)
            self.table.seats[seat].tell(self.views[seat].deal_start(hand, match.totals, seed))
        while deal.ending is None:
            self._ask(hand)
        match.next_deal()
        for seat in self.held:
            self.table.seats[seat].tell(self.views[seat].deal_end(hand, match.totals))

    def _ask(self, hand: Hand) -> None:
        """One decision: the seat's own, or at a fault the referee's in its place."""
        deal = hand.play
        seat, taken = deal.turn, len(deal.winners)
        key = "card" if deal.legal else "bid"
        action = None
        if seat in self.held:
            action = self._decide(seat, hand, key)
        else:
            self.clock.nobody_asked()
        if action is None:
            action = _act(deal, key, _safe(deal))
        self.course.append((key, seat, action))
        if len(deal.winners) > taken:
            self.course.append(("trick", deal.seats[deal.winners[-1]]))

    def _decide(self, seat: int, hand: Hand, key: str) -> str | None:
        """Put the question until it is answered or failed; a revoke may be corrected once, on the same
        clock. Gives the action taken, or ``None`` after a fault."""
        holder, view, clock = self.table.seats[seat], self.views[seat], self.clock
        ask = view.play_question if key == "card" else view.bid_question
        if off_turn_ms := holder.off_turn_ms():
            clock.charge_off_turn(seat, off_turn_ms)
        bank_ms, budget_ms, used_ms = clock.bank_ms(seat), clock.budget_ms(seat), 0.0
        failure: Failure | None = None
        action: str | None = None
        refused = False
        while failure is None and action is None:
            question = ask(self.table.new_id(), hand, bank_ms)
            answer = holder.ask(question, budget_ms - used_ms)
            used_ms += answer.charged_ms
            if not isinstance(answer, Reply):
                failure = answer
                break
            try:
                action = _act(hand.play, key, answer.value.get(key))
            except Revoked as error:
                if refused:
                    failure = Failure(FaultKind.REVOKE, f"again: {error}")
                else:
                    refused = True
                    holder.tell(Refused(reason=str(error)))
            except IllegalMove as error:
                failure = Failure(FaultKind.INVALID, str(error))
        clock.charge(seat, used_ms)
        if failure is not None:
            self._note(seat, failure, _safe(hand.play))
        return action

    # -- faults -----------------------------------------------------------------------------------

    def _note(self, seat: int, failure: Failure, action: str | None) -> None:
        """Record a fault, before the action in its place is taken; vacate the seat where it must be."""
        match = self.match
        self.faults.append(
            FaultRecord(
                deal=len(match.hands),
                trick=match.deal.trick_number if match.hands else 0,
                seat=seat,
                kind=failure.kind.value,
                detail=_one_line(failure.detail),
                action=action,
            )
        )
        count = sum(fault.seat == seat for fault in self.faults)
        if vacates(failure.kind, deal=len(match.hands), count=count, max_faults=self.table.max_faults):
            match.vacate(seat)
            self.held.discard(seat)
            self.table.seats[seat].stop()


def _safe(deal: Deal) -> str:
    """What the referee does for a seat that cannot (protocol.md, Faults)."""
    return card_text(deal.safe_card) if deal.legal else Bid.PASS.value


def _act(deal: Deal, key: str, text: object) -> str:
    """Bid or play what a reply holds; gives it back as the text that it is.

    Raises:
        Revoked: it doesn't follow suit and may be corrected.
        IllegalMove: it is no possible action.
    """
    if not isinstance(text, str):
        given = "missing" if text is None else f"{_shown(text)}, no string"
        raise IllegalMove(f'"{key}" is {given}')
    if key == "bid":
        if text not in deal.options:
            raise IllegalMove(f"bid {_shown(text)} is not offered, only {', '.join(deal.options)}")
        deal.bid(Bid(text))
        return text
    try:
        card = parse_card(text)
    except ValueError:
        raise IllegalMove(f"card {_shown(text)} is no card") from None
    deal.play(card)
    return text


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _one_line(text: str) -> str:
    """A detail as it may be stored anywhere: one line, no control characters, no halves of surrogates."""
    clean = "".join(char if char.isprintable() else " " for char in text)
    return clean if len(clean) <= MAX_DETAIL else clean[: MAX_DETAIL - 3] + "..."
