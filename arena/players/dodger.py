"""A sensible heuristic without memory: duck, dump, keep low cards."""

from arena.cards import Card, Cards
from arena.players.base import Player
from arena.players.policy import policy_for


class Dodger(Player):
    """Plays under the winning card when it can, dumps jacks (or whatever scores) when void, leads low.

    Points come from the rules, so it makes sense in every variant. It never announces, and takes a trick
    from an announcer where it can.
    """

    def choose_card(self, legal: Cards) -> Card:
        """By `Policy`, from the table alone."""
        policy = policy_for(self.rules)
        deal = self.deal
        if deal is None:
            return policy.card(legal, None, last=False)
        best = deal.best() if deal.trick else None
        return policy.card(legal, best, last=not deal.still_to_play(), stop=deal.bid_to_stop())
