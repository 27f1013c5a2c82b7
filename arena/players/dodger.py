"""A sensible heuristic without memory: duck, dump, keep low cards."""

from arena.cards import Card, Cards
from arena.players.base import Player
from arena.players.known import KnownDeal
from arena.players.policy import policy_for
from arena.rules import Rules


class Dodger(Player):
    """Plays under the winning card when it can, dumps jacks (or whatever scores) when void, leads low.

    Points come from the rules, so it makes sense in every variant. It never announces, and takes a trick
    from an announcer where it can.
    """

    def choose_card(self, legal: Cards) -> Card:
        """By `Policy`, from the table alone."""
        return dodge(self.rules, self.deal, legal)


def dodge(rules: Rules, deal: KnownDeal | None, legal: Cards) -> Card:
    """The card of `legal` that `Policy` chooses; only by what is legal where the deal is not known."""
    policy = policy_for(rules)
    if deal is None or not deal.whole():
        return policy.card(legal, None, last=False)
    best = deal.best() if deal.trick else None
    return policy.card(legal, best, last=not deal.still_to_play(), stop=deal.bid_to_stop())
