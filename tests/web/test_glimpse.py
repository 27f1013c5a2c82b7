"""A match that goes on, as one seat has seen it so far: the same moments as the whole record has."""

import pytest

from arena.players import REFERENCE
from arena.referee import Board, Table
from arena.rules import Rules
from tests.league.test_sight import Watched
from tests.web.kit import node

pytestmark = pytest.mark.node


class Asked(Watched):
    """Keeps what it had seen at each question, as JSON would be sent."""

    def __init__(self, player, rules):
        super().__init__(player, rules)
        self.seen = []

    def ask(self, question, budget_ms):
        answer = super().ask(question, budget_ms)
        if hasattr(question, "events"):
            told = self.sight.told()
            legal = sorted(getattr(question, "legal", ()))
            self.seen.append((legal, {**told, "deals": [copied(deal) for deal in told["deals"]]}))
        return answer


def copied(deal):
    tricks = [{**trick, "cards": list(trick["cards"])} for trick in deal["tricks"]]
    return {**deal, "bids": list(deal["bids"]), "tricks": tricks}


@pytest.mark.parametrize(
    "options",
    [
        {"players": 4},
        {"players": 3, "variant": "slobberhannes", "threshold": 6},
        {"players": 5, "deal": "uneven", "bids": ["capot", "general"]},
    ],
    ids=str,
)
def test_at_each_question_the_table_has_what_the_seat_knows_and_nothing_else(options):
    rules = Rules.make(**options)
    names = ("random", "dodger", "lowest", "highest", "counter")[: rules.players]
    seats = [Asked(REFERENCE[name], rules) for name in names]
    counter = iter(range(10**6))
    table = Table(rules, seats, new_id=lambda: str(next(counter)))
    table.play(Board(bytes(32)), match="m", bots=names)
    for seat, asked in enumerate(seats):
        [glimpses] = node("glimpses", [[course for _, course in asked.seen]])
        assert len(glimpses) == len(asked.seen) > 10
        for (legal, course), glimpse in zip(asked.seen, glimpses, strict=True):
            deal = course["deals"][-1]
            assert (glimpse["turn"], glimpse["legal"]) == (seat, legal)
            played = {card for trick in deal["tricks"] for card in trick["cards"]}
            own = set(deal["hands"][deal["seats"].index(seat)])
            assert glimpse["hands"][seat] == sorted(own - played)
            hidden = [hand for other, hand in enumerate(glimpse["hands"]) if other != seat]
            assert {card for hand in hidden for card in hand} <= {None}
            held = sum(len(hand) for hand in deal["hands"])
            assert sum(glimpse["sizes"]) == held - len(played)
            assert (glimpse["deals"], glimpse["ranks"]) == (None, None)
            assert "undefined" not in glimpse["words"]
