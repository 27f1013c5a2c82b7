"""Three players without a thought: opponents for first tests, and a floor for ratings."""

from collections.abc import Sequence

from arena.cards import Card, Cards, list_cards
from arena.players.base import Player
from arena.rules import Bid


class Random(Player):
    """Plays any legal card, each as likely as the others, and once in twenty bids announces something."""

    def choose_card(self, legal: Cards) -> Card:
        """Any legal card."""
        return self.random.choice(list_cards(legal))

    def choose_bid(self, options: Sequence[Bid]) -> Bid:
        """Passes, mostly: a bid on a random hand fails and costs five points."""
        return self.random.choice(options) if self.random.random() < 0.05 else Bid.PASS


class Lowest(Player):
    """Always plays its lowest legal card: what the referee plays for a seat that can't."""

    def choose_card(self, legal: Cards) -> Card:
        """The lowest rank; among equals the suit order S H D C."""
        return min(list_cards(legal), key=self.rules.strength.__getitem__)


class Highest(Player):
    """Always plays its highest legal card, and so takes more tricks than anybody should."""

    def choose_card(self, legal: Cards) -> Card:
        """The highest rank; among equals the suit order S H D C."""
        return max(list_cards(legal), key=self.rules.strength.__getitem__)
