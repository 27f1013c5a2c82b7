"""A recorded match, played again: every decision as it was taken, and what another bot would have done."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.protocol import BidQuestion, Hello, Message, PlayQuestion, Question
from arena.record import FaultRecord, Record
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import Answer, Failure, FaultKind, Reply, ScriptedSeat, Seat


@dataclass(frozen=True)
class Decision:
    """One decision of a record; trick 0 is the bidding."""

    deal: int
    trick: int
    key: str
    text: str
    fault: FaultRecord | None

    def answer(self) -> Answer:
        """What the referee was answered then."""
        if self.fault is not None:
            return Failure(FaultKind(self.fault.kind), self.fault.detail)
        return Reply({self.key: self.text})


@dataclass(frozen=True)
class Difference:
    """A decision that a bot would take otherwise.

    Attributes:
        found: its card or bid; a fault in words where ``failed``.
        choice: what it could choose from.
        table: the cards in the trick so far.
    """

    deal: int
    trick: int
    recorded: str
    found: str
    failed: bool
    choice: tuple[str, ...]
    table: tuple[str, ...]


class Recorded(ScriptedSeat):
    """A seat that does again what it did in a record."""

    def __init__(self, record: Record, seat: int) -> None:
        self.decisions = decisions(record, seat)
        super().__init__(decision.answer() for decision in self.decisions)
        starts = (fault for fault in record.faults if fault.seat == seat and fault.deal == 0)
        self._start = next(starts, None)

    def ask(self, question: Question, budget_ms: float) -> Answer:
        if isinstance(question, Hello) and self._start is not None:
            return Failure(FaultKind(self._start.kind), self._start.detail)
        return super().ask(question, budget_ms)


class Compared(Recorded):
    """The same, with a bot beside it that is asked everything and whose answers change nothing.

    Attributes:
        asked: how many decisions the bot was asked for.
        differences: those that it would take otherwise; a fault of its own is one, too.
    """

    def __init__(self, record: Record, seat: int, bot: Seat) -> None:
        super().__init__(record, seat)
        self.bot = bot
        self.asked = 0
        self.differences: list[Difference] = []
        self._next = iter(self.decisions)

    def tell(self, message: Message) -> None:
        super().tell(message)
        if self.bot.live:
            self.bot.tell(message)

    def ask(self, question: Question, budget_ms: float) -> Answer:
        recorded = super().ask(question, budget_ms)
        if isinstance(question, Hello):
            self._greet(question, budget_ms)
        elif isinstance(question, PlayQuestion | BidQuestion):
            self._compare(next(self._next), question, budget_ms)
        return recorded

    def stop(self) -> None:
        super().stop()
        self.bot.stop()

    def close(self) -> None:
        super().close()
        self.bot.close()

    def _greet(self, question: Hello, budget_ms: float) -> None:
        answer = self.bot.ask(question, budget_ms)
        if isinstance(answer, Failure):
            self._note(Decision(0, 0, "", "ready", None), answer, (), ())

    def _compare(self, decision: Decision, question: PlayQuestion | BidQuestion, budget_ms: float) -> None:
        if not self.bot.live:
            return
        self.asked += 1
        answer = self.bot.ask(question, budget_ms)
        if isinstance(question, PlayQuestion):
            choice, table = question.legal, question.trick
        else:
            choice, table = question.options, []
        if isinstance(answer, Failure) or answer.value.get(decision.key) != decision.text:
            self._note(decision, answer, tuple(choice), tuple(table))

    def _note(
        self, decision: Decision, answer: Answer, choice: tuple[str, ...], table: tuple[str, ...]
    ) -> None:
        failed = isinstance(answer, Failure)
        if isinstance(answer, Failure):
            found = f"{answer.kind}: {answer.detail}"
        else:
            found = str(answer.value.get(decision.key))
            failed = found not in choice
        where = (decision.deal, decision.trick)
        self.differences.append(Difference(*where, decision.text, found, failed, choice, table))


def decisions(record: Record, seat: int) -> list[Decision]:
    """All decisions of a seat, in order."""
    faults = {(f.deal, f.trick): f for f in record.faults if f.seat == seat}
    return [
        Decision(deal, trick, "card" if trick else "bid", text, faults.get((deal, trick)))
        for deal, trick, text in _taken(record, seat)
    ]


def _taken(record: Record, seat: int) -> Iterator[tuple[int, int, str]]:
    for deal in record.deals:
        yield from ((deal.number, 0, bid) for bidder, bid in deal.bids if bidder == seat)
        for number, trick in enumerate(deal.tricks, start=1):
            first = deal.seats.index(trick.leader)
            order = deal.seats[first:] + deal.seats[:first]
            # In an uneven deal some have no card left for the last trick.
            held = {
                player for player, hand in zip(deal.seats, deal.hands, strict=True) if len(hand) >= number
            }
            playing = [player for player in order if player in held]
            yield from (
                (deal.number, number, card)
                for player, card in zip(playing, trick.cards, strict=False)
                if player == seat
            )


def play_again(record: Record, seats: list[Recorded]) -> Record:
    """The record that follows when every seat does what it did: the same one, if all is well.

    The record must have its seed.
    """
    assert record.seed is not None
    numbers = iter(range(1_000_000_000))
    table = Table(Rules.from_json(record.rules), seats, new_id=lambda: f"r{next(numbers)}")
    try:
        again = table.play(
            Board(bytes.fromhex(record.seed), record.first_dealer), match=record.match, bots=record.bots
        )
        table.close()
    finally:
        for seat in seats:
            seat.stop()
    return again
