"""A board as it was played: every hand, and what each bot that held it made of it. Read from the records."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from arena.record import DealRecord, Record
from league.bots.models import Version
from league.common.errors import Conflict
from league.matches.models import Match, MatchSeat
from league.tournaments.models import Board
from league.tournaments.selectors import is_over


@dataclass(frozen=True)
class Playing:
    """One bot's way with a hand.

    Attributes:
        match, table: where.
        bids: what it said, in order; empty where nobody was asked.
        cards: in the order played; fewer than the hand has after a quick end.
        points: its penalty points in the deal.
    """

    match: int
    table: int
    version: Version
    bids: list[str]
    cards: list[str]
    points: int


@dataclass(frozen=True)
class BoardHand:
    """A hand of a board. `deal` and `attempt` are those of the shuffle; `cards` in the order dealt."""

    deal: int
    attempt: int
    playoff: bool
    dealer: int
    seat: int
    cards: list[str]
    played: list[Playing] = field(default_factory=list)


def hands_of(board: Board) -> list[BoardHand]:
    """Every hand of a board by deal and seat, each with all who held it, in the order of the tables.

    Raises Conflict while the tournament isn't over: the same hands may still be played.
    """
    tournament = board.group.tournament
    if not is_over(tournament):
        raise Conflict(
            "not_over",
            f"The tournament is {tournament.status}; hands are public when it is finished or cancelled.",
            state=tournament.state(),
        )
    hands: dict[tuple[object, ...], BoardHand] = {}
    for match in Match.objects.filter(board=board).select_related("table").order_by("table__number"):
        seats = MatchSeat.objects.filter(match=match).select_related("version__bot__owner")
        versions = {seat.seat: seat.version for seat in seats}
        for deal in Record.from_bytes(bytes(match.record)).deals:
            for at, seat in enumerate(deal.seats):
                cards = list(deal.hands[at])
                key = (deal.number, deal.attempt, seat, tuple(cards))
                new = BoardHand(deal.number, deal.attempt, deal.playoff, deal.dealer, seat, cards)
                hands.setdefault(key, new).played.append(
                    Playing(
                        match.pk,
                        match.table_id,
                        versions[seat],
                        [bid for bidder, bid in deal.bids if bidder == seat],
                        list(cards_of(deal, seat)),
                        deal.points[at],
                    )
                )
    return sorted(hands.values(), key=lambda hand: (hand.deal, hand.attempt, hand.seat))


def cards_of(deal: DealRecord, seat: int) -> Iterator[str]:
    """The cards that a seat played, in order."""
    left = {one: len(cards) for one, cards in zip(deal.seats, deal.hands, strict=True)}
    for trick in deal.tricks:
        first = deal.seats.index(trick.leader)
        # Whoever has no card left is passed over (uneven deals).
        turn = [one for one in (*deal.seats[first:], *deal.seats[:first]) if left[one]]
        for one, card in zip(turn, trick.cards, strict=False):  # a forfeit ends within a trick
            left[one] -= 1
            if one == seat:
                yield card
