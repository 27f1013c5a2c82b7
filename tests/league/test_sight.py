"""What a person has seen is the record, without what a seat can't know."""

import secrets

import pytest

from arena.players import REFERENCE
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import InProcessSeat
from league.sittings.sight import Sight


class Watched(InProcessSeat):
    """A seat whose messages a person's eyes follow, too."""

    def __init__(self, player, rules):
        super().__init__(player)
        self.sight = Sight(rules)

    def tell(self, message):
        self.sight.hear(message)
        super().tell(message)

    def ask(self, question, budget_ms):
        self.sight.hear(question)
        return super().ask(question, budget_ms)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 4},
        {"players": 3, "variant": "slobberhannes", "threshold": 6},
        {"players": 5, "deal": "uneven", "bids": ["capot", "general"]},
        {"players": 6, "deal": "uneven", "quick_end": True, "threshold": 5},
        {"players": 4, "deals": 1},
    ],
    ids=str,
)
def test_each_seat_has_seen_the_record_but_for_others_hands(options):
    rules = Rules.make(**options)
    names = ("random", "dodger", "lowest", "highest", "counter", "random")
    for number in range(4):
        seats = [Watched(REFERENCE[name], rules) for name in names[: rules.players]]
        table = Table(rules, seats, new_id=lambda: secrets.token_hex(4))
        record = table.play(Board(bytes([number]) * 32), match="m", bots=names[: rules.players])
        for seat, watched in enumerate(seats):
            told = watched.sight.told()
            assert told["totals"] == list(record.totals)
            assert told["ranks"] == list(record.ranks)
            assert len(told["deals"]) == len(record.deals)
            for seen, deal in zip(told["deals"], record.deals, strict=True):
                assert seen["bids"] == [list(bid) for bid in deal.bids]
                assert seen["tricks"] == [
                    {"leader": trick.leader, "cards": list(trick.cards)} for trick in deal.tricks
                ]
                assert (seen["points"], seen["dealer"]) == (list(deal.points), deal.dealer)
                for place, hand in enumerate(deal.hands):
                    if deal.seats[place] == seat:
                        assert sorted(seen["hands"][place]) == sorted(hand)
                    else:
                        assert seen["hands"][place] == [None] * len(hand)
