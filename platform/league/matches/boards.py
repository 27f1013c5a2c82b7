"""A board as it was played: every hand, and what each bot that held it made of it. Read from the records."""

from dataclasses import dataclass, field

from arena.record import Record
from arena.rules import Rules
from league.bots.models import Version
from league.common.errors import Conflict
from league.matches.models import Match, MatchSeat
from league.matches.replayed import tricks_of
from league.tournaments.models import Board
from league.tournaments.selectors import is_over


@dataclass(frozen=True)
class Playing:
    """One bot's way with a hand.

    Attributes:
        match, table: where.
        bids: what it said, in order; empty where nobody was asked.
        cards: in the order played; fewer than the hand has after a quick end.
        tricks: how many it took.
        points: its penalty points in the deal.
    """

    match: int
    table: int
    version: Version
    bids: list[str]
    cards: list[str]
    tricks: int
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
        record = Record.from_bytes(bytes(match.record))
        rules = Rules.from_json(record.rules)
        for deal in record.deals:
            tricks = tricks_of(rules, deal)
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
                        [card for trick in tricks for player, card in trick.cards if player == seat],
                        sum(trick.winner == seat for trick in tricks),
                        deal.points[at],
                    )
                )
    return sorted(hands.values(), key=lambda hand: (hand.deal, hand.attempt, hand.seat))
