"""What a person at a table has seen of a match, in the form of a match record (record.md).

It is made of the messages that any seat is sent, and of nothing else: so it can't hold what a bot in its
place would not know. Of others' hands it has the size alone: a null for each card. What is not known yet
is null: the points of a deal, why the match has ended, the ranks.
"""

import hashlib
from typing import Any

import msgspec

from arena.protocol import DealEnd, DealStart, Hello, MatchEnd, MatchStart, Message
from arena.record import FORMAT
from arena.rules import Rules
from arena.shuffle import hand_sizes


class Sight:
    """A seat's view, as it grows: `hear` each message, `told` gives all of it as JSON."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._deals: list[dict[str, Any]] = []
        self._seat = 0
        self._match = ""
        self._totals = [0] * rules.players
        self._ranks: list[int] | None = None
        self._taken = True

    def hear(self, message: Message) -> None:
        """Take what the seat is sent."""
        for event in getattr(message, "events", ()):
            self._see(*event)
        match message:
            case MatchStart():
                self._seat, self._match = message.seat, message.match
            case DealStart():
                self._deal(message)
            case DealEnd():
                deal = self._deals[-1]
                deal["points"] = [message.points[seat] for seat in deal["seats"]]
                self._totals = list(message.totals)
            case MatchEnd():
                self._totals, self._ranks = list(message.totals), list(message.ranks)
            case Hello():
                pass

    def _deal(self, message: DealStart) -> None:
        sizes = hand_sizes(len(message.seats), self._rules.deal)
        hands: list[list[str | None]] = [[None] * size for size in sizes]
        if self._seat in message.seats:
            hands[message.seats.index(self._seat)] = list(message.hand)
        self._taken = True
        self._deals.append(
            {
                "number": message.deal,
                "attempt": 0,
                "dealer": message.dealer,
                "seats": list(message.seats),
                "hands": hands,
                "bids": [],
                "tricks": [],
                "revokes": [],
                "points": None,
                "playoff": message.playoff,
            }
        )

    def _see(self, kind: Any, seat: Any, what: Any = None) -> None:
        deal = self._deals[-1]
        if kind == "bid":
            deal["bids"].append([seat, what])
        elif kind == "trick":
            self._taken = True
        elif self._taken:
            self._taken = False
            deal["tricks"].append({"leader": seat, "cards": [what]})
        else:
            deal["tricks"][-1]["cards"].append(what)

    def told(self) -> dict[str, Any]:
        """All that was seen."""
        return {
            "format": FORMAT,
            "match": self._match,
            "rules": self._rules.to_json(),
            "deals": self._deals,
            "ended": None,
            "totals": self._totals,
            "ranks": self._ranks,
            "faults": [],
            "vacated": [],
        }

    def mark(self) -> str:
        """Names the course up to now: equal for equal ones."""
        return hashlib.sha256(msgspec.json.encode(self.told())).hexdigest()[:16]
