"""docs/protocol.md writes out a whole deal: it is, byte for byte, what the referee says."""

import itertools
import json
import re
from pathlib import Path

from arena.players import REFERENCE
from arena.protocol import encode
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import InProcessSeat

PAGE = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"


class Overheard(InProcessSeat):
    """A seat that writes down what it hears (`>`) and answers (`<`)."""

    def __init__(self, new_player):
        super().__init__(new_player)
        self.lines = []

    def tell(self, message):
        self.lines.append("> " + encode([message]).decode().rstrip("\n"))
        super().tell(message)

    def ask(self, question, budget_ms):
        self.lines.append("> " + encode([question]).decode().rstrip("\n"))
        answer = super().ask(question, budget_ms)
        self.lines.append("< " + json.dumps(answer.value, separators=(",", ":")))
        return answer


def worked_exchange():
    """The deal of the page: three players, one deal, seat 0's side of it."""
    own = Overheard(REFERENCE["dodger"])
    seats = [own, InProcessSeat(REFERENCE["counter"]), InProcessSeat(REFERENCE["lowest"])]
    numbers = itertools.count(1)
    rules = Rules.make(players=3, deals=1, tiebreak="shared")
    table = Table(rules, seats, new_id=lambda: f"q{next(numbers)}")
    table.play(Board(b"polignac, a worked exchange, v1!"), match="m1", bots=["a", "b", "c"])
    table.close()
    return "\n".join(own.lines)


def test_the_worked_exchange_is_what_the_referee_says():
    (block,) = re.findall(r"^```exchange\n(.*?)\n```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert block == worked_exchange()


def test_it_shows_every_message_of_an_ordinary_match():
    types = [json.loads(line[2:])["type"] for line in worked_exchange().splitlines() if line[0] == ">"]
    assert set(types) == {"hello", "match", "deal", "bid", "play", "deal_end", "match_end", "bye"}
    assert types.count("play") == 10
