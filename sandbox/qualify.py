"""Matches that show whether a bot knows the whole game: every option of the rules, every size of table.

Opponents are reference players in this process; one of them announces whatever it may, so that bids are
heard of. The same bot always gets the same cards: a verdict can be repeated.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from arena.players import REFERENCE
from arena.players.base import Player
from arena.protocol import ClockLimits, PlayQuestion, Question, Refused
from arena.record import FaultRecord, Record
from arena.referee import Board, Table
from arena.rules import Bid, Revoke, Rules
from arena.seat import Answer, InProcessSeat, Reply, Seat
from sandbox.ids import unguessable
from sandbox.limits import Limits
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from sandbox.session import Backend

_OPPONENTS = ("dodger", "lowest", "random", "highest", "counter")

#: Together they have every value of every option, at every number of players, and some 250 decisions.
EVERY_OPTION: tuple[dict[str, Any], ...] = (
    {"variant": "polignac", "players": 4, "bids": ["capot", "general"], "threshold": 20, "max_playoffs": 2},
    {"variant": "quatre_valets", "players": 5, "failed_bid": "replace", "deals": 5, "revoke": "penalty"},
    {"variant": "slobberhannes", "players": 6, "deal": "uneven", "threshold": 8, "quick_end": True},
    {"variant": "knaves", "players": 3, "bids": ["general"], "deals": 4, "revoke": "forfeit"},
    {"variant": "eichelobern", "players": 4, "ace": "below_jack", "deals": 4, "tiebreak": "shared"},
    {"variant": "bassadewitz", "players": 5, "deal": "uneven", "threshold": 15, "max_deals": 6},
    {
        "variant": "polignac",
        "players": 6,
        "ace": "high",
        "deals": 5,
        "card_points": {"JS": 3, "QH": 2, "TC": 1},
        "first_trick": 1,
        "last_trick": 2,
        "all_three_bonus": 3,
    },
    # After one deal of few points most are tied: play-offs.
    {"variant": "knaves", "players": 3, "deals": 1, "max_playoffs": 3},
)


@dataclass(frozen=True, slots=True)
class Trial:
    """Which bot is tried, and how.

    Attributes:
        package: one that can be run.
        limits: the usual ones when ``None``.
    """

    package: Package
    backend: Backend
    limits: Limits | None
    clock: ClockLimits


@dataclass(frozen=True, slots=True)
class Qualified:
    """One match.

    Attributes:
        fault: the bot's first, if any.
        decisions: how many the bot took.
        log: what it wrote to its standard error.
    """

    fault: FaultRecord | None
    decisions: int
    log: str


class _Announcer(Player):
    """Announces the most that it may, and plays any card."""

    choose_card = REFERENCE["random"].choose_card

    def choose_bid(self, options: Sequence[Bid]) -> Bid:
        return options[-1]


class _Doubted(ProcessSeat):
    """Has its first card of a session refused, as a revoke would be: it must answer it put again."""

    _doubted = False

    def ask(self, question: Question, budget_ms: float) -> Answer:
        answer = super().ask(question, budget_ms)
        if self._doubted or not isinstance(question, PlayQuestion) or not isinstance(answer, Reply):
            return answer
        self._doubted = True
        self.tell(Refused(reason="the check refuses one card, to see that the question is answered again"))
        again = msgspec.structs.replace(question, id=secrets.token_hex(8), events=[])
        second = super().ask(again, budget_ms - answer.charged_ms)
        if isinstance(second, Reply):
            return Reply({**second.value, "id": question.id}, answer.charged_ms + second.charged_ms)
        return second


def qualify(trial: Trial, rules: Rules, place: int, *, doubting: bool = False) -> Qualified:
    """Let a bot play one match.

    Args:
        place: the bot's seat.
        doubting: refuse one of its cards, where the rules refuse revokes.

    Raises:
        PlatformFailure: the platform's fault; nothing is said about the bot.
    """
    kind = _Doubted if doubting and rules.revoke is Revoke.CORRECT else ProcessSeat
    bot = kind(trial.backend, trial.package, trial.limits, label=f"check-{rules.variant}-{rules.players}")
    players = [REFERENCE[name] for name in _OPPONENTS[: rules.players - 1]]
    if doubting and rules.bids:
        players[-1] = _Announcer
    seats: list[Seat] = [InProcessSeat(player) for player in players]
    seats.insert(place, bot)
    table = Table(rules, seats, new_id=unguessable(), clock=trial.clock)
    seed = hashlib.sha256(f"polignac/check/{trial.package.digest}/{rules.to_json()}".encode()).digest()
    try:
        names = ["bot" if seat is bot else "reference" for seat in seats]
        record = table.play(Board(seed), match="check", bots=names)
        table.close()
    finally:
        bot.stop()
    fault = next((fault for fault in record.faults if fault.seat == place), None)
    return Qualified(fault, _decisions(record, place), bot.take_log())


def _decisions(record: Record, seat: int) -> int:
    bids = sum(bidder == seat for deal in record.deals for bidder, _ in deal.bids)
    cards = sum(len(deal.tricks) for deal in record.deals if seat in deal.seats)
    return bids + cards


def rules_text(rules: Rules) -> str:
    """Rules as ``polignac play --rules`` takes them; what is at its default is left out."""
    usual = Rules.make(variant=rules.variant, players=rules.players).to_json()
    parts = [f"variant={rules.variant}"]
    for key, value in rules.to_json().items():
        if value is not None and value != usual[key]:
            parts.append(f"{key}={_value_text(value)}")
    return " ".join(parts)


def _value_text(value: object) -> str:
    if isinstance(value, dict):
        return ",".join(f"{card}:{points}" for card, points in value.items())
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)
