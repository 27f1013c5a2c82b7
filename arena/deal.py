"""One deal as a state machine: bidding, play, points (rules.md § 4–6).

This is the one engine: the referee, replays, audits and simulations all play through :class:`Deal`.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from arena.cards import CARD_BITS, CARD_TEXTS, NO_CARDS, SAME_SUIT, Card, Cards, card_text, cards_text
from arena.errors import IllegalMove
from arena.rules import MAX_PLAYERS, Bid, FailedBid, Revoke, Rules

BID_POINTS: Final = 5
REVOKE_POINTS: Final = 5

#: For each number of players and leader, the places in the order in which they play to a trick.
_TURNS: Final = {
    players: tuple(tuple((leader + step) % players for step in range(players)) for leader in range(players))
    for players in range(2, MAX_PLAYERS + 1)
}
_QUEEN_OF_CLUBS: Final[Card] = CARD_TEXTS.index("QC")


class Phase(StrEnum):
    """What a deal waits for."""

    BIDDING = "bidding"
    PLAY = "play"
    OVER = "over"


class DealEnding(StrEnum):
    """Why a deal is over."""

    PLAYED = "played"
    QUICK_END = "quick_end"
    FORFEIT = "forfeit"


class Revoked(IllegalMove):
    """A card that does not follow suit, refused under ``revoke=correct``; it may be corrected."""


class Deal:
    """One deal, from the hands dealt to the points.

    Seats are numbers of the table, places are positions in this deal: place 0 is the eldest hand. Ask
    :attr:`phase`, :attr:`turn` and :attr:`legal`; answer with :meth:`bid` or :meth:`play`.

    Args:
        rules: the match's rules.
        seats: who plays, from the eldest hand on.
        hands: their cards, parallel to ``seats``.
        quick_end_at: parallel to ``seats``, the points of this deal that would bring each seat exactly to
            the threshold, where the match has a quick end (rules.md § 7).

    Attributes:
        phase: what the deal waits for.
        place: the place that is to bid or play.
        legal: the cards that it may play; none in the bidding and after the end.
        trick: the cards on the table, in the order played; empty once the deal is over.
        bids: what was said, ``(place, bid)``.
        tricks: the finished tricks, ``(leader's place, cards in order)``; after a forfeit the last one
            ends with the revoking card.
        winners: the places that took them.
        revokes: ``(trick from 1, place)``, under ``revoke=penalty`` only.
        ending: why the deal is over, ``None`` until it is.
    """

    __slots__ = (
        "_announcer",
        "_beaten_by",
        "_bid_failed",
        "_captured",
        "_card_points",
        "_hands",
        "_order",
        "_quick_end_at",
        "bids",
        "ending",
        "legal",
        "phase",
        "place",
        "revokes",
        "rules",
        "seats",
        "trick",
        "tricks",
        "winners",
    )
    place: int
    trick: list[Card]

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[int],
        hands: Sequence[Cards],
        quick_end_at: Sequence[int] | None = None,
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.bids: list[tuple[int, Bid]] = []
        self.tricks: list[tuple[int, list[Card]]] = []
        self.winners: list[int] = []
        self.revokes: list[tuple[int, int]] = []
        self.ending: DealEnding | None = None
        self._card_points = rules.points
        self._beaten_by = rules.beaten_by
        self._hands = list(hands)
        self._quick_end_at = quick_end_at
        self._announcer: int | None = None
        self._bid_failed = False
        self._captured = [0] * len(hands)
        self._start_trick(0)
        if rules.bids:
            self.phase = Phase.BIDDING
            self.legal = NO_CARDS
        else:
            self.phase = Phase.PLAY

    # -- looking ----------------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The seat that is to bid or play."""
        return self.seats[self.place]

    @property
    def leader(self) -> int:
        """The seat that leads, or has led, the trick on the table."""
        return self.seats[self._order[0]]

    @property
    def over(self) -> bool:
        """Whether nothing more can be bid or played."""
        return self.phase is Phase.OVER

    @property
    def trick_number(self) -> int:
        """The trick in play, from 1; 0 in the bidding."""
        return 0 if self.phase is Phase.BIDDING else len(self.tricks) + 1

    @property
    def options(self) -> tuple[Bid, ...]:
        """What may be bid."""
        return (Bid.PASS, *self.rules.bids)

    def hand(self, place: int) -> Cards:
        """The cards that a place still holds."""
        return self._hands[place]

    @property
    def safe_card(self) -> Card:
        """What the referee plays for a seat that cannot: the lowest legal card (protocol.md, Faults)."""
        legal = self.legal
        for card in self.rules.lowest_first:
            if legal >> card & 1:
                return card
        raise IllegalMove("no card is asked for now")

    def points(self) -> list[int]:
        """Points by place: of the whole deal, or while it is played of what was captured so far
        (rules.md § 6, and § 7 for the running total)."""
        if self.ending is DealEnding.FORFEIT:
            return [0] * len(self._hands)
        points = list(self._captured)
        announcer = self._announcer
        if announcer is not None and self._bid_failed:
            own = points[announcer] if self.rules.failed_bid is FailedBid.ADD else 0
            points[announcer] = BID_POINTS + own
        elif announcer is not None and self.over:
            points = [BID_POINTS] * len(points)
            points[announcer] = -BID_POINTS if self.bids[-1][1] is Bid.GENERAL else 0
        if self.ending is DealEnding.PLAYED:
            for _, place in self.revokes:
                points[place] += REVOKE_POINTS
        return points

    def copy(self) -> "Deal":
        """An independent deal in the same state, to try things out on."""
        twin = Deal.__new__(Deal)
        for name in Deal.__slots__:
            value = getattr(self, name)
            setattr(twin, name, list(value) if type(value) is list else value)
        return twin

    # -- doing ------------------------------------------------------------------------------------

    def bid(self, bid: Bid) -> None:
        """Pass or announce for the seat whose turn it is; the first announcement ends the bidding
        (rules.md § 4).

        Raises:
            IllegalMove: no bid is asked for, or this one is not offered.
        """
        if self.phase is not Phase.BIDDING:
            raise IllegalMove("no bid is asked for now")
        if bid not in self.options:
            raise IllegalMove(f"{bid} is not offered, only {', '.join(self.options)}")
        self.bids.append((self.place, bid))
        if bid is not Bid.PASS:
            self._announcer = self.place
        if self._announcer is None and len(self.bids) < len(self._hands):
            self.place += 1
        else:
            self.phase = Phase.PLAY
            self._start_trick(0)

    def play(self, card: Card) -> None:
        """Play a card for the seat whose turn it is (rules.md § 5).

        Raises:
            Revoked: the card does not follow suit and ``revoke=correct``; nothing has changed.
            IllegalMove: no card is asked for, or the seat does not hold this one; nothing has changed.
        """
        # Outside the play no card is legal, so this one test is all that a good card costs.
        if not self.legal & CARD_BITS[card] and self._revoke(card) is DealEnding.FORFEIT:
            return
        hands, order, trick = self._hands, self._order, self.trick
        hands[self.place] ^= CARD_BITS[card]
        trick.append(card)
        played = len(trick)
        if played == len(order):
            self._end_trick()
            return
        self.place = place = order[played]
        hand = hands[place]
        self.legal = hand & SAME_SUIT[trick[0]] or hand

    # -- the parts of play --------------------------------------------------------------------------

    def _start_trick(self, leader: int) -> None:
        """Begin a trick. In the last one of an uneven deal only those play who still hold a card, and
        where the winner of the trick before has none the next that has leads (rules.md § 3)."""
        hands = self._hands
        order = _TURNS[len(hands)][leader]
        if NO_CARDS in hands:
            order = tuple(place for place in order if hands[place])
        self._order = order
        self.trick = []
        self.place = order[0]
        self.legal = hands[order[0]]

    def _end_trick(self) -> None:
        order, trick, hands = self._order, self.trick, self._hands
        beaten_by, card_points = self._beaten_by, self._card_points
        best, points = trick[0], 0
        for card in trick:
            points += card_points[card]
            if beaten_by[best] & CARD_BITS[card]:
                best = card
        winner = order[trick.index(best)]
        if not self.tricks:
            points += self.rules.first_trick
        self.tricks.append((order[0], trick))
        self.winners.append(winner)
        self._captured[winner] += points
        announcer = self._announcer
        if announcer is not None and announcer != winner and announcer in order:
            self._bid_failed = True
        if NO_CARDS in hands and not any(hands):
            self._captured[winner] += self.rules.last_trick + self._bonus()
            self._end(DealEnding.PLAYED)
        elif self._quick_end_at is not None and self._at_quick_end(self._quick_end_at):
            self._end(DealEnding.QUICK_END)
        else:
            self._start_trick(winner)

    def _end(self, ending: DealEnding) -> None:
        self.ending = ending
        self.phase = Phase.OVER
        self.legal = NO_CARDS
        self.trick = []

    def _bonus(self) -> int:
        """One seat took the first trick, the last one and the queen of clubs (rules.md § 6)."""
        if not self.rules.all_three_bonus or self.winners[0] != self.winners[-1]:
            return 0
        queen = next(i for i, (_, cards) in enumerate(self.tricks) if _QUEEN_OF_CLUBS in cards)
        return self.rules.all_three_bonus if self.winners[queen] == self.winners[0] else 0

    def _at_quick_end(self, wanted: Sequence[int]) -> bool:
        """Whether a running total is exactly the threshold; while a bid is undecided it waits
        (rules.md § 7)."""
        if self._announcer is not None and not self._bid_failed:
            return False
        return any(points == at for points, at in zip(self.points(), wanted, strict=True))

    def _revoke(self, card: Card) -> DealEnding | None:
        """A card that is not legal: refused, noted or fatal, as ``revoke`` says (rules.md § 6)."""
        if self.phase is not Phase.PLAY:
            raise IllegalMove("no card is asked for now")
        if not self._hands[self.place] >> card & 1:
            raise IllegalMove(f"{card_text(card)} is not in the hand")
        if self.rules.revoke is Revoke.CORRECT:
            raise Revoked(
                f"{card_text(card)} does not follow suit; play one of {' '.join(cards_text(self.legal))}"
            )
        if self.rules.revoke is Revoke.PENALTY:
            self.revokes.append((self.trick_number, self.place))
            return None
        self.trick.append(card)
        self._hands[self.place] ^= 1 << card
        self.tricks.append((self._order[0], self.trick))
        self._end(DealEnding.FORFEIT)
        return DealEnding.FORFEIT
