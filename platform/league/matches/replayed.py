"""The tricks of a recorded deal: who played which card, who took them, and what they cost."""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.cards import parse_card, set_of
from arena.deal import Deal, DealEnding
from arena.record import DealRecord
from arena.rules import Bid, Rules


@dataclass(frozen=True)
class Trick:
    """A trick.

    Attributes:
        number: from 1.
        cards: (seat, card) in the order played.
        winner: the seat that took it; None after a forfeit, when nobody does.
        costs: (what, points): each card with points, "first trick", "last trick", "all three".
    """

    number: int
    cards: list[tuple[int, str]]
    winner: int | None
    costs: list[tuple[str, int]]


def tricks_of(rules: Rules, deal: DealRecord) -> list[Trick]:
    """The deal, played once more by the engine. Raises IllegalMove for a record that was never played."""
    play = Deal(rules, deal.seats, [set_of(parse_card(card) for card in hand) for hand in deal.hands])
    for _, bid in deal.bids:
        play.bid(Bid(bid))
    tricks = []
    for number, trick in enumerate(deal.tricks, start=1):
        cards = []
        for card in trick.cards:
            cards.append((play.turn, card))
            play.play(parse_card(card))
        taken = len(play.winners) == number
        winner = deal.seats[play.winners[-1]] if taken else None
        tricks.append(Trick(number, cards, winner, list(_costs(play, trick.cards)) if taken else []))
    return tricks


def _costs(play: Deal, cards: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """Of the trick that was taken last."""
    rules, number = play.rules, len(play.tricks)
    by_card = dict(rules.card_points)
    yield from ((card, by_card[card]) for card in cards if by_card.get(card))
    if number == 1 and rules.first_trick:
        yield "first trick", rules.first_trick
    if play.ending is not DealEnding.PLAYED:
        return
    if rules.last_trick:
        yield "last trick", rules.last_trick
    if rules.all_three_bonus and play.winners[0] == play.winners[-1]:
        queen = next(at for at, (_, held) in enumerate(play.tricks) if parse_card("QC") in held)
        if play.winners[queen] == play.winners[0]:
            yield "all three", rules.all_three_bonus
