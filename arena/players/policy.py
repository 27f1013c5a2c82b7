"""A plain way to dodge penalty points that looks at no more than the hand and the table.

`dodger` plays by it, and `montecarlo` uses it for everybody when it plays a sampled deal out, so it is
written for speed: all that depends on the rules alone is in tables, made once.
"""

from functools import lru_cache

from arena.cards import FULL_PACK, SAME_SUIT, Card, Cards, list_cards
from arena.rules import Rules

POINT = 100  # one penalty point outweighs any rank in the tables below


class Policy:
    """The tables for one set of rules. Get one with `policy_for`.

    Attributes:
        below: for each card, the lower cards of its suit: what can be played under it.
        dump: for each card, how good it is to be rid of it: its own points first, then how it would win
            penalty cards of its suit, then its rank.
        lead: for each card, how bad it is to lead it.
        shed: for each card, how good it is to lose a trick with it: points first, then rank.
        keep: for each card, how good it is to win a trick with it: high, but without points.
    """

    def __init__(self, rules: Rules) -> None:
        strength, points = rules.strength, rules.points
        self.below = tuple(SAME_SUIT[card] & ~rules.beaten_by[card] & ~(1 << card) for card in FULL_PACK)
        catches = [sum(points[low] for low in list_cards(self.below[card])) for card in FULL_PACK]
        self.shed = tuple(POINT * points[card] + strength[card] for card in FULL_PACK)
        self.dump = tuple(
            POINT * points[card] + 10 * min(catches[card], 5) + strength[card] for card in FULL_PACK
        )
        self.lead = tuple(
            POINT * points[card] + 10 * min(catches[card], 5) + 8 * strength[card] for card in FULL_PACK
        )
        self.keep = tuple(strength[card] - POINT * points[card] for card in FULL_PACK)

    def card(self, legal: Cards, best: Card | None, *, last: bool, stop: bool = False) -> Card:
        """The card to play.

        Args:
            legal: what may be played; never empty.
            best: the card that is winning the trick; `None` when leading.
            last: nobody plays after this seat.
            stop: the trick must not go to an announcer, who has won all before it.
        """
        if best is None and stop:
            return max(list_cards(legal), key=self.keep.__getitem__)
        if best is None:
            return min(list_cards(legal), key=self.lead.__getitem__)
        if not legal & SAME_SUIT[best]:
            return max(list_cards(legal), key=self.dump.__getitem__)
        losing = legal & self.below[best]
        if losing and not (stop and losing != legal):
            return max(list_cards(losing), key=self.shed.__getitem__)
        winning = list_cards(legal & ~losing)
        if last or stop:
            # The trick is ours whatever we play: win it with the card that is worst to keep.
            return max(winning, key=self.keep.__getitem__)
        return min(winning, key=self.shed.__getitem__)


@lru_cache(maxsize=64)
def policy_for(rules: Rules) -> Policy:
    """The policy of `rules`, made once for each."""
    return Policy(rules)
