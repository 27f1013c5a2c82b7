"""Samples the hidden hands and plays each sample out: strong, and slower than the others."""

from collections.abc import Iterator

from arena.cards import NO_CARDS, SAME_SUIT, Card, Cards, list_cards
from arena.deal import Deal, Phase
from arena.players.base import Player
from arena.players.dodger import dodge
from arena.players.known import KnownDeal
from arena.players.policy import Policy, policy_for
from arena.rules import Bid

SAMPLES = 32  # worlds a decision: a number, not a time, so that equal luck gives equal play
ATTEMPTS = 20  # shuffles of a world before the shown voids are taken for revokes


class MonteCarlo(Player):
    """For each card that differs, the mean outcome over sampled worlds in which everybody dodges.

    A world is a deal of the cards still out that agrees with the number of cards each seat holds and with the
    suits it has shown itself void in. The outcome is the own points less the mean of the others'.
    """

    def choose_card(self, legal: Cards) -> Card:
        """The card with the best mean outcome; among equals the policy's."""
        deal = self.deal
        if deal is None or not deal.whole() or deal.bid_to_stop():
            # The hand of one who announces is no random hand: a bid is stopped, not waited to fail.
            return dodge(self.rules, deal, legal)
        candidates = distinct(deal, legal)
        if len(candidates) == 1:
            return candidates[0]
        announcer = next((place for place, (_, bid) in enumerate(deal.bids) if bid is not Bid.PASS), None)
        policy = policy_for(self.rules)
        cost = dict.fromkeys(candidates, 0.0)
        for world in self._worlds(deal):
            for card in candidates:
                cost[card] += outcome(world.copy(), card, policy, announcer)
        return min(candidates, key=cost.__getitem__)

    def _worlds(self, known: KnownDeal) -> Iterator[Deal]:
        """Deals in the state of play as it is, each with other hidden hands."""
        place_of = {seat: place for place, seat in enumerate(known.seats)}
        past = [NO_CARDS] * len(known.seats)
        for seat, card in known.cards:
            past[place_of[seat]] |= 1 << card
        past[place_of[known.seat]] |= known.hand
        for _ in range(SAMPLES):
            hidden = self._sample(known)
            world = Deal(
                known.rules,
                known.seats,
                [past[place_of[seat]] | hidden.get(seat, NO_CARDS) for seat in known.seats],
            )
            for _, bid in known.bids:
                world.bid(bid)
            for _, card in known.cards:
                world.play(card)
            yield world

    def _sample(self, known: KnownDeal) -> dict[int, Cards]:
        """The cards that are out, dealt to the others at random so that nobody holds a suit it lacks."""
        others = [seat for seat in known.seats if seat != known.seat]
        cards = list(list_cards(known.out))
        for _ in range(ATTEMPTS):
            self.random.shuffle(cards)
            # The cards that fewest can hold are placed first, or they would find no room.
            cards.sort(key=lambda card: sum(not known.void[seat] >> card & 1 for seat in others))
            hands = self._place(known, others, cards)
            if hands is not None:
                return hands
        # Under revoke=penalty a seat may hold a suit that it did not follow.
        hands = dict.fromkeys(others, NO_CARDS)
        slots = [seat for seat in others for _ in range(known.left[seat])]
        for seat, card in zip(slots, cards, strict=True):
            hands[seat] |= 1 << card
        return hands

    def _place(self, known: KnownDeal, others: list[int], cards: list[Card]) -> dict[int, Cards] | None:
        room = {seat: known.left[seat] for seat in others}
        hands = dict.fromkeys(others, NO_CARDS)
        for card in cards:
            open_to = [seat for seat in others if room[seat] and not known.void[seat] >> card & 1]
            if not open_to:
                return None
            seat = self.random.choices(open_to, [room[seat] for seat in open_to])[0]
            hands[seat] |= 1 << card
            room[seat] -= 1
        return hands


def distinct(deal: KnownDeal, legal: Cards) -> list[Card]:
    """The cards of `legal`, without those that do the same as another: equal points, and nothing that may
    still be played ranks between the two."""
    rules = deal.rules
    elsewhere = deal.out
    for card in deal.trick:
        elsewhere |= 1 << card
    chosen: dict[tuple[Cards, int, Cards], Card] = {}
    for card in list_cards(legal):
        chosen.setdefault((SAME_SUIT[card], rules.points[card], elsewhere & rules.beaten_by[card]), card)
    return list(chosen.values())


def outcome(deal: Deal, card: Card, policy: Policy, announcer: int | None) -> float:
    """The points of the place to play, less the mean of the others', when it plays `card` and everybody
    goes on by `policy`. Plays `deal` to its end.

    Args:
        announcer: the place that announced Capot or General, if one did.
    """
    place = deal.place
    beaten_by = deal.rules.beaten_by
    last = len(deal.seats) - 1
    best = None
    for played in (*deal.trick, card):
        if best is None or beaten_by[best] >> played & 1:
            best = played
    deal.play(card)
    while deal.phase is not Phase.OVER:
        if not deal.trick:
            best = None
        legal = deal.legal
        if not legal & (legal - 1):
            card = legal.bit_length() - 1
        elif announcer is not None and set(deal.winners) <= {announcer}:
            card = _under_a_bid(deal, best, policy, announcer)
        else:
            card = policy.card(legal, best, last=len(deal.trick) == last)
        if best is None or beaten_by[best] >> card & 1:
            best = card
        deal.play(card)
    points = deal.points()
    own = points[place]
    return own - (sum(points) - own) / last


def _under_a_bid(deal: Deal, best: Card | None, policy: Policy, announcer: int) -> Card:
    """While the bid stands the announcer plays high, and the others try to win a trick."""
    if deal.place == announcer:
        return max(list_cards(deal.legal), key=deal.rules.strength.__getitem__)
    return policy.card(deal.legal, best, last=len(deal.trick) == len(deal.seats) - 1, stop=True)
