"""What one seat knows of the deal in progress, kept from the events it is told.

Everything here is public, except the seat's own hand: a player that looks at nothing else can't cheat.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.cards import NO_CARDS, SAME_SUIT, Card, Cards, parse_card, parse_cards
from arena.rules import Bid, Rules, pack_for


@dataclass
class KnownDeal:
    """One deal as seen from `seat`.

    Attributes:
        seats: who plays, from the eldest hand on.
        dealt: the own hand as dealt; `hand` is what is left of it.
        out: cards that others still hold, as far as this seat knows: not played, not in the own hand.
        left: for each seat, how many cards it still holds.
        void: for each seat, suits (as their eight cards) in which it has shown that it holds no card.
        trick: cards on the table, in the order played; `leader` led it.
        points: for each seat, the penalty points it has captured so far.
        tricks: the winners of the tricks so far.
        bids, cards: all that was said and played, in order.
    """

    rules: Rules
    seat: int
    seats: tuple[int, ...]
    dealt: Cards
    hand: Cards
    out: Cards
    left: dict[int, int]
    leader: int
    void: dict[int, Cards]
    points: dict[int, int]
    trick: list[Card] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    bids: list[tuple[int, Bid]] = field(default_factory=list)
    cards: list[tuple[int, Card]] = field(default_factory=list)

    @classmethod
    def begin(cls, rules: Rules, seat: int, seats: Sequence[int], hand: Cards) -> "KnownDeal":
        """The state at the start of a deal (protocol.md, `deal`)."""
        pack = pack_for(len(seats), rules.deal)
        each, spare = divmod(len(pack), len(seats))
        return cls(
            rules=rules,
            seat=seat,
            seats=tuple(seats),
            dealt=hand,
            hand=hand,
            out=sum(1 << card for card in pack) & ~hand,
            left={other: each + (place < spare) for place, other in enumerate(seats)},
            leader=seats[0],
            void=dict.fromkeys(seats, NO_CARDS),
            points=dict.fromkeys(seats, 0),
        )

    # -- taking in what happened ----------------------------------------------------------------------

    def take_in(self, events: Iterable[Sequence[Any]]) -> None:
        """Bring the state up to date with `events` of a message; kinds of event not known are passed over."""
        for event in events:
            match event:
                case ["bid", seat, bid]:
                    self.bids.append((seat, Bid(bid)))
                case ["card", seat, text]:
                    self._card(seat, parse_card(text))
                case ["trick", seat]:
                    self._trick(seat)

    def correct(self, question: Mapping[str, Any]) -> None:
        """Take the own hand and the table from a `play` question, which says them in full."""
        self.hand = parse_cards(question["hand"])
        self.trick = [parse_card(text) for text in question["trick"]]
        self.leader = question["leader"]

    def _card(self, seat: int, card: Card) -> None:
        if self.trick and not SAME_SUIT[self.trick[0]] >> card & 1:
            self.void[seat] |= SAME_SUIT[self.trick[0]]
        self.trick.append(card)
        self.cards.append((seat, card))
        self.left[seat] -= 1
        self.hand &= ~(1 << card)
        self.out &= ~(1 << card)

    def _trick(self, winner: int) -> None:
        self.points[winner] += self.at_stake() + self._for_the_trick()
        self.tricks.append(winner)
        self.trick.clear()
        self.leader = winner

    def _for_the_trick(self) -> int:
        first = self.rules.first_trick if not self.tricks else 0
        return first + (self.rules.last_trick if not any(self.left.values()) else 0)

    # -- looking at it --------------------------------------------------------------------------------

    def whole(self) -> bool:
        """Whether the events have told the deal from its start; otherwise it can't be played again."""
        bidding_over = len(self.bids) == len(self.seats) or any(bid is not Bid.PASS for _, bid in self.bids)
        all_cards = sum(self.left.values()) == (self.out | self.hand).bit_count()
        return all_cards and (bidding_over or not self.rules.bids)

    def at_stake(self) -> int:
        """Penalty points of the cards on the table."""
        return sum(self.rules.points[card] for card in self.trick)

    def best(self) -> Card:
        """The card that is winning the trick on the table (there must be one)."""
        best = self.trick[0]
        for card in self.trick:
            if self.rules.beaten_by[best] >> card & 1:
                best = card
        return best

    def in_trick_order(self) -> list[int]:
        """The seats that play to this trick, from its leader on.

        In an uneven deal those who had no card left when it began are not among them.
        """
        start = self.seats.index(self.leader)
        order = self.seats[start:] + self.seats[:start]
        played = {seat for seat, _ in self.cards[len(self.cards) - len(self.trick) :]}
        return [seat for seat in order if seat in played or self.left[seat]]

    def still_to_play(self) -> list[int]:
        """The seats that play to this trick after this one, in order."""
        order = self.in_trick_order()
        return order[order.index(self.seat) + 1 :]

    def bid_to_stop(self) -> bool:
        """Whether another seat's Capot or General stands, and this trick may still go to that seat."""
        announcer = next((seat for seat, bid in self.bids if bid is not Bid.PASS), None)
        if announcer in {None, self.seat} or any(winner != announcer for winner in self.tricks):
            return False
        if announcer in self.still_to_play():
            return True
        return bool(self.trick) and self.in_trick_order()[self.trick.index(self.best())] == announcer
