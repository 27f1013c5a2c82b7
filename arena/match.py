"""A match: deals up to the threshold, play-offs, ranks (rules.md § 7)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from arena.cards import Card, card_text, set_of
from arena.deal import Deal, DealEnding
from arena.errors import Misdeal
from arena.rules import Rules, Tiebreak, pack_for
from arena.shuffle import deal_cards, hand_sizes


class MatchEnding(StrEnum):
    """Why the deals of a match ended; play-offs may follow."""

    THRESHOLD = "threshold"
    DEALS = "deals"
    QUICK_END = "quick_end"
    FORFEIT = "forfeit"
    MAX_DEALS = "max_deals"


@dataclass(frozen=True, slots=True)
class Dealt:
    """The hands of one deal, from the eldest hand on, in the order dealt, and which attempt they are."""

    attempt: int
    hands: Sequence[Sequence[Card]]


#: Deals: takes the deal's number and how many play it.
Dealing: TypeAlias = Callable[[int, int], Dealt]


def shuffled(seed: bytes, rules: Rules) -> Dealing:
    """Dealing by the committed shuffle (rules.md § 3)."""
    return lambda number, players: Dealt(0, deal_cards(seed, number, 0, players, rules.deal))


def check_hands(hands: Sequence[Sequence[Card]], players: int, rules: Rules) -> None:
    """Refuse a void deal that was supplied from outside (rules.md § 3).

    Raises:
        Misdeal: wrong number of hands or cards, or a card missing, doubled or not of the pack.
    """
    sizes = tuple(len(hand) for hand in hands)
    wanted = hand_sizes(players, rules.deal)
    if sizes != wanted:
        raise Misdeal(f"hands of {list(sizes)} cards, and {players} players have {list(wanted)}")
    pack = set(pack_for(players, rules.deal))
    if set().union(*hands) == pack:  # so many cards, and all of them: each once
        return
    seen: set[Card] = set()
    for hand in hands:
        for card in hand:
            if card not in pack:
                raise Misdeal(f"{card_text(card)} is not in the pack of {len(pack)}")
            if card in seen:
                raise Misdeal(f"{card_text(card)} was dealt twice")
            seen.add(card)


@dataclass(frozen=True, slots=True)
class Hand:
    """One deal of a match, as it was dealt and as it is played.

    Attributes:
        number: its number, from 1.
        attempt: 0 unless a misdeal was dealt again.
        dealer: the seat that dealt.
        cards: the hands in the order dealt, parallel to ``play.seats``.
        playoff: whether its points only break a tie.
        play: the deal itself.
    """

    number: int
    attempt: int
    dealer: int
    cards: Sequence[Sequence[Card]]
    playoff: bool
    play: Deal


@dataclass(frozen=True, slots=True)
class Vacated:
    """A seat that the referee plays from here on (protocol.md, Faults); deal 0 is before the first."""

    seat: int
    deal: int
    trick: int


class Match:
    """A match from its first deal to its ranks.

    Call :meth:`next_deal` to begin and after every deal; play ``deal`` in between, until :attr:`over`.

    Args:
        rules: what is played.
        dealing: where each deal's cards come from; what it gives is checked.
        first_dealer: a seat.

    Attributes:
        totals: points by seat.
        hands: the deals so far, the one in play included.
        vacated: the seats given up, in order.
        ending: why the deals ended, ``None`` until they have.
    """

    def __init__(self, rules: Rules, dealing: Dealing, first_dealer: int = 0) -> None:
        if not 0 <= first_dealer < rules.players:
            raise ValueError(f"first dealer {first_dealer} is no seat of {rules.players}")
        self.rules = rules
        self.first_dealer = first_dealer
        self.totals = [0] * rules.players
        self.hands: list[Hand] = []
        self.vacated: list[Vacated] = []
        self.ending: MatchEnding | None = None
        self.over = False
        self._dealing = dealing
        self._offender: int | None = None
        # How the tied seats fared in the play-offs: the smaller the better.
        self._playoff_score: dict[int, tuple[int, int]] = {}
        self._contenders: list[int] = []

    @property
    def deal(self) -> Deal:
        """The deal in play, or the last one."""
        return self.hands[-1].play

    @property
    def playoffs(self) -> int:
        """How many play-off deals have been begun."""
        return sum(hand.playoff for hand in self.hands)

    def is_vacated(self, seat: int) -> bool:
        """Whether the referee plays for this seat."""
        return any(vacated.seat == seat for vacated in self.vacated)

    def vacate(self, seat: int) -> None:
        """Give up a seat at the decision that the match has come to; it will be ranked last."""
        trick = self.deal.trick_number if self.hands else 0
        self.vacated.append(Vacated(seat, len(self.hands), trick))

    def next_deal(self) -> None:
        """Count the deal that is over, then begin the next one or end the match.

        Raises:
            Misdeal: the cards supplied for the next deal are void.
        """
        if self.hands:
            if not self.deal.over:
                raise ValueError("the deal in play is not over")
            if self.hands[-1].playoff:
                self._count_playoff()
            else:
                self._count_deal()
        if self.ending is None:
            self._begin(range(self.rules.players), playoff=False)
            return
        self._contenders = [seat for seat in self._contenders if not self.is_vacated(seat)]
        if len(self._contenders) > 1 and self._playoffs_allowed():
            self._begin(self._contenders, playoff=True)
        else:
            self._rank_survivors()
            self.over = True

    def ranks(self) -> list[int]:
        """Ranks by seat, 1 the best; equal places share the better rank (1, 2, 2, 4)."""
        keys = [self._standing(seat) for seat in range(self.rules.players)]
        order = sorted(keys)
        return [1 + order.index(key) for key in keys]

    # -- dealing ----------------------------------------------------------------------------------

    def _begin(self, players: Sequence[int], *, playoff: bool) -> None:
        """Deal to these seats; the dealer is the first of them at or after the seat whose turn it is."""
        everyone = self.rules.players
        turn = (self.hands[-1].dealer + 1) % everyone if self.hands else self.first_dealer
        dealer = min(players, key=lambda seat: (seat - turn) % everyone)
        seats = tuple(sorted(players, key=lambda seat: (seat - dealer - 1) % everyone))
        number = len(self.hands) + 1
        dealt = self._dealing(number, len(seats))
        check_hands(dealt.hands, len(seats), self.rules)
        threshold = self.rules.threshold
        quick_end_at = None
        if self.rules.quick_end and threshold is not None and not playoff:
            quick_end_at = [threshold - self.totals[seat] for seat in seats]
        play = Deal(self.rules, seats, [set_of(hand) for hand in dealt.hands], quick_end_at)
        self.hands.append(Hand(number, dealt.attempt, dealer, dealt.hands, playoff, play))

    # -- counting ---------------------------------------------------------------------------------

    def _count_deal(self) -> None:
        deal = self.deal
        for seat, points in zip(deal.seats, deal.points(), strict=True):
            self.totals[seat] += points
        self.ending = self._ending_after(deal)
        if self.ending is None:
            return
        if self.ending is MatchEnding.FORFEIT:
            self._offender = deal.turn
            if self.rules.threshold is not None:
                self.totals[deal.turn] = max(self.totals[deal.turn], self.rules.threshold)
        ranked = [seat for seat in range(self.rules.players) if self._standing(seat)[0] == 0]
        lowest = min((self.totals[seat] for seat in ranked), default=0)
        self._contenders = [seat for seat in ranked if self.totals[seat] == lowest]

    def _ending_after(self, deal: Deal) -> MatchEnding | None:
        """Whether this deal was the last before the play-offs, and why."""
        rules = self.rules
        if deal.ending is DealEnding.FORFEIT:
            return MatchEnding.FORFEIT
        if deal.ending is DealEnding.QUICK_END:
            return MatchEnding.QUICK_END
        if rules.threshold is not None and max(self.totals) >= rules.threshold:
            return MatchEnding.THRESHOLD
        if len(self.hands) == rules.deals:
            return MatchEnding.DEALS
        return MatchEnding.MAX_DEALS if len(self.hands) >= rules.max_deals else None

    def _playoffs_allowed(self) -> bool:
        return (
            self.rules.tiebreak is Tiebreak.PLAYOFF
            and self.ending is not MatchEnding.MAX_DEALS
            and self.playoffs < self.rules.max_playoffs
        )

    def _count_playoff(self) -> None:
        """Who had the fewest points in the play-off deal plays again; the others drop out."""
        deal = self.deal
        lasted = self.playoffs
        if deal.ending is DealEnding.FORFEIT:
            self._contenders.remove(deal.turn)
            self._playoff_score[deal.turn] = (-lasted, 0)
            return
        points = dict(zip(deal.seats, deal.points(), strict=True))
        fewest = min((points[seat] for seat in self._contenders if not self.is_vacated(seat)), default=0)
        for seat in self._contenders:
            if points[seat] > fewest:
                self._playoff_score[seat] = (-lasted, points[seat])
        self._contenders = [seat for seat in self._contenders if points[seat] == fewest]

    def _rank_survivors(self) -> None:
        for seat in self._contenders:
            self._playoff_score[seat] = (-self.playoffs - 1, 0)

    def _standing(self, seat: int) -> tuple[int, ...]:
        """A seat's sort key, the best first: those in the game by total and play-off, then who revoked
        under ``forfeit``, then the vacated, the one that held out longest first."""
        for order, vacated in enumerate(self.vacated):
            if vacated.seat == seat:
                # All that failed before the first deal failed in the same decision.
                return (2, -order if vacated.deal else 0)
        if seat == self._offender:
            return (1,)
        return (0, self.totals[seat], *self._playoff_score.get(seat, (0, 0)))
