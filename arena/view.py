"""What one seat may know: the only thing that reaches a bot (protocol.md).

A view makes every message of a seat from the public course of play and that seat's own hand. Nothing here
looks at another hand, so swapping hidden cards among the others can't change a byte.
"""

from collections.abc import Sequence

from arena.cards import CARD_TEXTS, cards_text, set_of
from arena.match import Hand
from arena.protocol import BidQuestion, DealEnd, DealStart, Event, PlayQuestion


class View:
    """One seat's view of a match.

    Args:
        seat: whose view it is.
        course: what everybody sees: who bid, played a card or took a trick, in order. One list for all
            seats, which grows while they play.
    """

    def __init__(self, seat: int, course: Sequence[Event]) -> None:
        self.seat = seat
        self._course = course
        self._told = 0

    def deal_start(self, hand: Hand, totals: Sequence[int], luck: str) -> DealStart:
        """The beginning of a deal; a seat that sits out a play-off is told of it with an empty hand."""
        seats = tuple(hand.play.seats)
        own = hand.cards[seats.index(self.seat)] if self.seat in seats else ()
        return DealStart(
            deal=hand.number,
            dealer=hand.dealer,
            seats=seats,
            playoff=hand.playoff,
            hand=cards_text(set_of(own)),
            totals=list(totals),
            luck=luck,
        )

    def bid_question(self, question_id: str, hand: Hand, bank_ms: float) -> BidQuestion:
        """The question for a bid, with all that has happened since the last message."""
        deal = hand.play
        return BidQuestion(
            id=question_id,
            options=[bid.value for bid in deal.options],
            hand=cards_text(deal.hand(deal.place)),
            events=self._take_events(),
            bank_ms=int(bank_ms),
        )

    def play_question(self, question_id: str, hand: Hand, bank_ms: float) -> PlayQuestion:
        """The question for a card, with all that has happened since the last message."""
        deal = hand.play
        legal, own, trick = deal.legal, deal.hand(deal.place), deal.trick
        legal_texts = cards_text(legal)
        return PlayQuestion(
            id=question_id,
            legal=legal_texts,
            hand=legal_texts if own == legal else cards_text(own),
            trick=[CARD_TEXTS[card] for card in trick] if trick else [],
            leader=deal.leader,
            events=self._take_events(),
            bank_ms=int(bank_ms),
        )

    def deal_end(self, hand: Hand, totals: Sequence[int]) -> DealEnd:
        """The end of a deal: its last events, its points and the totals, both by seat."""
        points = [0] * len(totals)
        for seat, got in zip(hand.play.seats, hand.play.points(), strict=True):
            points[seat] = got
        return DealEnd(events=self._take_events(), points=points, totals=list(totals))

    def _take_events(self) -> Sequence[Event]:
        course, told = self._course, self._told
        self._told = len(course)
        return course[told:]
