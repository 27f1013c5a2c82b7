"""Write a Polignac bot in ten lines of Python.

    from polignac import Bot

    class Ducker(Bot):
        def play(self) -> str:
            under = [card for card in self.legal if not self.would_win(card)]
            return max(under or self.legal, key=self.strength)

    Ducker().run()

The league lays this file beside your program; a copy that you upload yourself is used instead.
Cards are texts of two letters, rank then suit: ``"JS"`` is Polignac, ``"TH"`` the ten of hearts.
``print()`` is safe here: it goes to your bot's log, as ``log()`` does.
"""

import json
import os
import random
import sys
from typing import Any

Message = dict[str, Any]

SUITS = "SHDC"
RANKS = "KQJAT987"
PACK = tuple(rank + suit for suit in SUITS for rank in RANKS)
_STRENGTH = {"below_jack": "789TAJQK", "high": "789TJQKA"}


class Bot:
    """Subclass it, write ``play``, and ``bid`` if you like; then ``YourBot().run()``.

    What you may read at any time:

    Attributes:
        rules: every option of the match, as in rules.md (``self.rules["variant"]``).
        players: how many sit at the table.
        clock: ``{"start_ms", "move_ms", "bank_ms"}``.
        match: the match's name, which means nothing; ``seat``: yours, from 0.
        totals: everybody's points before this deal, by seat; fewer are better.
        deal: the number of the deal, from 1; ``dealer``: a seat; ``playoff``: a deal to break a tie.
        seats: who plays this deal, from the eldest hand on.
        hand: your cards now, sorted; ``legal``: those that you may play now.
        trick: the cards on the table in the order played; ``leader``: the seat that led.
        seen: all cards played in this deal up to now, in order.
        played: ``(seat, card)`` of the same.
        voids: for each seat, the suits that it has shown to have none of.
        taken: for each seat, the cards that it has captured in this deal.
        announced: ``(seat, "capot" or "general")`` in this deal, or ``None``.
        bank_ms: what is left of your reserve of time.
        random: use it for your own chance: it gives the same numbers when the same hand is played
            again, so that a bot plays the same way in the same place.
    """

    def __init__(self) -> None:
        self.rules: dict[str, Any] = {}
        self.players = 0
        self.clock: dict[str, int] = {}
        self.match, self.seat, self.bank_ms = "", 0, 0
        self.totals: list[int] = []
        self.random = random.Random(0)  # noqa: S311
        self._begin_deal({})

    # -- yours to write ------------------------------------------------------------------------------

    def start(self) -> None:
        """Called once the rules are known, before the first match: the place for long preparations."""

    def bid(self, options: list[str]) -> str:
        """Choose one of ``options``, such as ``["pass", "capot"]``."""
        return "pass"

    def play(self) -> str:
        """Choose one of ``self.legal``."""
        card: str = self.random.choice(self.legal)
        return card

    def deal_ended(self, points: list[int]) -> None:
        """Called with everybody's points of the deal, by seat."""

    def match_ended(self, ranks: list[int]) -> None:
        """Called with everybody's rank, by seat; 1 is best."""

    # -- help ----------------------------------------------------------------------------------------

    def log(self, *values: object) -> None:
        """Write a line to the bot's log, which only you can read: the first 64 KiB of each match."""
        print(*values, file=sys.stderr, flush=True)

    def strength(self, card: str) -> int:
        """A card's height within its suit under these rules, from 0 up."""
        return _STRENGTH[self.rules.get("ace", "below_jack")].index(card[0])

    def points(self, card: str) -> int:
        """The penalty points of a card under these rules."""
        points: dict[str, int] = self.rules.get("card_points", {})
        return points.get(card, 0)

    def would_win(self, card: str) -> bool:
        """Whether a card would be the best of the trick, were it played now."""
        if not self.trick:
            return True
        led = self.trick[0][1]
        best = max(self.strength(other) for other in self.trick if other[1] == led)
        return card[1] == led and self.strength(card) > best

    def unseen(self) -> list[str]:
        """The cards of the pack that are neither in your hand nor played yet."""
        gone = set(self.seen) | set(self.hand) | self._removed()
        return [card for card in PACK if card not in gone]

    def _removed(self) -> set[str]:
        short = len(self.seats) not in (2, 4) and self.rules.get("deal") != "uneven"
        return {"7S", "7C"} if short else set()

    # -- the protocol: see protocol.md ---------------------------------------------------------------

    def run(self) -> None:
        """Speak with the referee until it says goodbye."""
        # The real output is kept to ourselves: a stray print, also in a library, must not spoil it.
        out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        for line in sys.stdin.buffer:
            message = json.loads(line)
            reply = self._take(message)
            if reply is not None:
                reply["id"] = message["id"]
                out.write(json.dumps(reply).encode() + b"\n")
            if message.get("type") == "bye":
                return

    def _take(self, message: Message) -> Message | None:
        for event in message.get("events", ()):
            self._see(event)
        for name in ("hand", "legal", "trick", "leader", "bank_ms", "totals", "match", "seat"):
            if name in message:
                setattr(self, name, message[name])
        handler = getattr(self, "_on_" + str(message.get("type")), None)
        return handler(message) if handler else None

    def _on_hello(self, message: Message) -> Message:
        self.rules, self.players, self.clock = message["rules"], message["players"], message["clock"]
        self.start()
        return {"ready": True}

    def _on_deal(self, message: Message) -> None:
        self._begin_deal(message)
        self.random = random.Random(message["luck"])  # noqa: S311

    def _on_bid(self, message: Message) -> Message:
        return {"bid": self.bid(message["options"])}

    def _on_play(self, message: Message) -> Message:
        card = self.play()
        if card not in self.legal:
            self.log(f"play() chose {card!r}, which is not one of {self.legal}")
        return {"card": card}

    def _on_refused(self, message: Message) -> None:
        self.log("refused:", message.get("reason"))

    def _on_deal_end(self, message: Message) -> None:
        self.deal_ended(message["points"])

    def _on_match_end(self, message: Message) -> None:
        self.match_ended(message["ranks"])

    def _begin_deal(self, message: Message) -> None:
        self.deal: int = message.get("deal", 0)
        self.dealer: int = message.get("dealer", 0)
        self.seats: list[int] = message.get("seats", [])
        self.playoff: bool = message.get("playoff", False)
        self.hand: list[str] = message.get("hand", [])
        self.legal: list[str] = []
        self.trick: list[str] = []
        self.leader = 0
        self.seen: list[str] = []
        self.played: list[tuple[int, str]] = []
        self.announced: tuple[int, str] | None = None
        self.voids: dict[int, set[str]] = {seat: set() for seat in self.seats}
        self.taken: dict[int, list[str]] = {seat: [] for seat in self.seats}
        self._table: list[str] = []

    def _see(self, event: list[Any]) -> None:
        kind, seat = event[0], event[1]
        if kind == "bid" and event[2] != "pass":
            self.announced = (seat, event[2])
        elif kind == "card":
            card = event[2]
            if self._table and card[1] != self._table[0][1]:
                self.voids.setdefault(seat, set()).add(self._table[0][1])
            self._table.append(card)
            self.seen.append(card)
            self.played.append((seat, card))
        elif kind == "trick":
            self.taken.setdefault(seat, []).extend(self._table)
            self._table = []
