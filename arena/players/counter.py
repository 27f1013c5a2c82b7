"""Counts cards: what each card in hand may cost, from the cards still out and the suits others lack."""

from arena.cards import SAME_SUIT, Card, Cards, list_cards
from arena.players.base import Player
from arena.players.dodger import dodge
from arena.players.known import KnownDeal
from arena.players.policy import policy_for

# What a card kept in hand may cost later. The numbers were found by playing against `dodger`.
GUARDED = 0.7  # each lower card beside it makes it so much less likely to be forced out
ALONE = 0.075  # the chance to be forced out of a suit that nobody else holds
TRICK = 0.35  # the part of an average trick's points that it takes then
CATCH = 0.5  # the part of its suit's points, lower and still out, that it takes then
BESIDE = 0.1  # the same for those in the own hand
HELD = 0.2  # the chance to be left with a card that carries points
FORCED = 0.6  # how much more, where it is forced out
RANK = 0.002  # among equals the higher card goes first


class Counter(Player):
    """Weighs what a card may take in this trick against what it would cost to keep it.

    Ducks with certainty where the count allows it, leads suits in which others must go over, and takes
    a trick that is free with a card that would be dear later.
    """

    def choose_card(self, legal: Cards) -> Card:
        """The card with the least expected cost; among equals the first in pack order."""
        deal = self.deal
        if deal is None or not deal.whole() or deal.bid_to_stop():
            return dodge(self.rules, deal, legal)
        count = Count(deal)
        return min(list_cards(legal), key=lambda card: count.cost_now(card) - count.cost_of_keeping(card))


class Count:
    """Expected points, from one seat's knowledge at one decision."""

    def __init__(self, deal: KnownDeal) -> None:
        self.deal = deal
        self.rules = deal.rules
        self.below = policy_for(deal.rules).below
        self.later = deal.still_to_play()
        self.best = deal.best() if deal.trick else None
        self.stake = deal.at_stake()
        self.tricks_left = max(1, *deal.left.values())
        self.points_out = self._points(deal.out)
        self.for_trick = self.rules.first_trick if not deal.tricks else 0
        if self.tricks_left == 1:
            self.for_trick += self.rules.last_trick

    def _points(self, cards: Cards) -> int:
        return sum(self.rules.points[card] for card in list_cards(cards & self.rules.penalty_cards))

    # -- this trick -------------------------------------------------------------------------------------

    def cost_now(self, card: Card) -> float:
        """The points that playing `card` is expected to take in the trick on the table."""
        chance = self.chance_to_take(card)
        if not chance:
            return 0.0
        prize = self.stake + self.rules.points[card] + self.for_trick + self._dumped_on(card)
        return chance * prize

    def chance_to_take(self, card: Card) -> float:
        """The chance that `card` wins the trick, when those who can duck do."""
        best = self.best
        if best is not None and not self.rules.beaten_by[best] >> card & 1:
            return 0.0
        over = self.deal.out & self.rules.beaten_by[card]
        under = self.deal.out & self.below[card]
        if over and not under and self._holders(SAME_SUIT[card]) <= set(self.later):
            return 0.0  # whoever holds the higher cards has to play one
        chance = 1.0
        for seat in self.later if over else ():
            share = self._share(seat, SAME_SUIT[card])
            has_over = 1 - (1 - share) ** over.bit_count()
            chance *= 1 - has_over * (1 - share) ** under.bit_count()
        return chance

    def _holders(self, suit: Cards) -> set[int]:
        """The others who may hold cards of `suit`."""
        deal = self.deal
        return {
            seat
            for seat, left in deal.left.items()
            if left and seat != deal.seat and not deal.void[seat] & suit
        }

    def _share(self, seat: int, suit: Cards) -> float:
        """The chance that `seat` holds a given card of `suit` that is out."""
        holders = self._holders(suit)
        if seat not in holders:
            return 0.0
        return self.deal.left[seat] / sum(self.deal.left[holder] for holder in holders)

    def _dumped_on(self, card: Card) -> float:
        """The points that those who play later are expected to throw on a trick that `card` wins."""
        suit = SAME_SUIT[card]
        in_suit = self.deal.out & suit
        under = self._points(self.deal.out & self.below[card])
        elsewhere = self.points_out - self._points(in_suit)
        dumped = 0.0
        for seat in self.later:
            share = self._share(seat, suit)
            void = (1 - share) ** in_suit.bit_count()
            dumped += share * under + void * self._held_by(seat, elsewhere)
        return dumped

    def _held_by(self, seat: int, points: float) -> float:
        others = sum(left for other, left in self.deal.left.items() if other != self.deal.seat)
        return points * self.deal.left[seat] / others if others else 0.0

    # -- the tricks to come -------------------------------------------------------------------------------

    def cost_of_keeping(self, card: Card) -> float:
        """The points that holding on to `card` is expected to cost later: what playing it now saves."""
        deal = self.deal
        if self.tricks_left == 1:
            return 0.0
        under = deal.out & self.below[card]
        over = deal.out & self.rules.beaten_by[card]
        if under | over:
            guards = (deal.hand & self.below[card]).bit_count()
            forced = under.bit_count() / (under | over).bit_count() * GUARDED**guards
        else:
            forced = ALONE
        per_trick = (self.points_out + self._points(deal.hand)) / self.tricks_left
        beside = self._points(deal.hand & SAME_SUIT[card] & ~(1 << card))
        catch = TRICK * per_trick + CATCH * self._points(under) + BESIDE * beside
        own = self.rules.points[card] * (HELD + FORCED * forced)
        return forced * catch + own + RANK * self.rules.strength[card]
