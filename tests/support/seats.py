"""Seats and tables for tests of the referee: honest ones, and ones that fail as told."""

import itertools

from arena.audit import audit
from arena.protocol import Hello, PlayQuestion
from arena.referee import Board, Table
from arena.rules import Rules
from arena.seat import InProcessSeat

BOARD = Board(bytes(range(32)))


class Honest:
    """Ready, passes, and plays the first legal card."""

    def handle(self, message):
        match message["type"]:
            case "hello":
                return {"id": message["id"], "ready": True}
            case "bid":
                return {"id": message["id"], "bid": "pass"}
            case "play":
                return {"id": message["id"], "card": message["legal"][0]}
        return None


class Spy(InProcessSeat):
    """An honest seat that keeps what it heard; where `answer` gives one, that stands for the honest one."""

    def __init__(self, answer=lambda question, asked: None):
        super().__init__(Honest)
        self.answer = answer
        self.heard = []
        self.budgets = []
        self.asked = 0
        self.starts = 0
        self.closed = False

    def tell(self, message):
        self.heard.append(message)
        super().tell(message)

    def ask(self, question, budget_ms):
        self.heard.append(question)
        honest = super().ask(question, budget_ms)
        if isinstance(question, Hello):
            self.starts += 1
            return honest
        self.asked += 1
        self.budgets.append(budget_ms)
        return self.answer(question, self.asked) or honest

    def close(self):
        self.closed = True
        super().close()

    def questions(self, kind):
        return [message for message in self.heard if isinstance(message, kind)]


def table_of(*seats, clock=None, **options):
    options.setdefault("deals", 1)
    rules = Rules.make(players=len(seats), **options)
    numbers = itertools.count()
    return Table(rules, seats, new_id=lambda: f"q{next(numbers)}", clock=clock)


def play(table, board=BOARD):
    record = table.play(board, match="m1", bots=[f"bot{i}" for i in range(table.rules.players)])
    audit(record)
    return record


def at(number, answer):
    """Gives this answer to the question with this number, and to no other."""
    return lambda question, asked: answer if asked == number else None


def on_play(answer):
    """Gives this answer to every question for a card."""
    return lambda question, asked: answer(question) if isinstance(question, PlayQuestion) else None


def four(first=None):
    return [first or Spy(), Spy(), Spy(), Spy()]
