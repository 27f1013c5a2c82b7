"""What every reference player does alike: reading the referee's messages and keeping account."""

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from arena.cards import Card, Cards, card_text, parse_cards
from arena.players.known import KnownDeal
from arena.rules import Bid, Rules

OPTIONS = frozenset(field.name for field in fields(Rules))


class Player(ABC):
    """One bot. Subclasses choose; this class speaks protocol.md.

    Attributes:
        rules: those of the session, from `hello`.
        seat: the own seat in this match.
        totals: everybody's points before this deal, by seat.
        deal: what is known of the deal in progress; `None` when a question came without one.
        random: chance, seeded with the deal's `luck`, so that the same hand is played the same way again.
    """

    def __init__(self) -> None:
        self.rules = Rules.make()
        self.seat = 0
        self.totals: Sequence[int] = ()
        self.deal: KnownDeal | None = None
        self.random = random.Random(0)  # noqa: S311 - meant to be repeatable

    # -- to be chosen by each player --------------------------------------------------------------------

    @abstractmethod
    def choose_card(self, legal: Cards) -> Card:
        """One card of `legal`, which is never empty."""

    def choose_bid(self, options: Sequence[Bid]) -> Bid:
        """One of `options`; passing is always among them."""
        return Bid.PASS

    # -- the protocol -----------------------------------------------------------------------------------

    def handle(self, message: Mapping[str, Any]) -> dict[str, Any] | None:
        """Take in one message of the referee; the reply, or `None` where none is wanted.

        Unknown messages and keys are ignored, as protocol.md asks of a bot.
        """
        if self.deal is not None:
            self.deal.take_in(message.get("events", ()))
        match message.get("type"):
            case "hello":
                known = {name: value for name, value in message["rules"].items() if name in OPTIONS}
                self.rules = Rules.from_json(known)
                return {"id": message["id"], "ready": True}
            case "match":
                self.seat = message["seat"]
                self.deal = None
            case "deal":
                self._begin(message)
            case "bid":
                options = [Bid(text) for text in message["options"]]
                return {"id": message["id"], "bid": str(self.choose_bid(options))}
            case "play":
                if self.deal is not None:
                    self.deal.correct(message)
                return {
                    "id": message["id"],
                    "card": card_text(self.choose_card(parse_cards(message["legal"]))),
                }
        return None

    def _begin(self, message: Mapping[str, Any]) -> None:
        self.totals = message["totals"]
        self.random = random.Random(message["luck"])  # noqa: S311 - meant to be repeatable
        self.deal = KnownDeal.begin(self.rules, self.seat, message["seats"], parse_cards(message["hand"]))
