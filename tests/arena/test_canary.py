"""A canary: in a thousand matches, not a byte that a seat is sent tells of a card before it is public.

A seat may know its own hand, and what was played before. The bytes are searched as they go out, in whatever
message and key a card may stand.
"""

import itertools
import random
import re

import msgspec
import pytest

from arena.protocol import BidQuestion, DealStart, Hello, PlayQuestion, Refused, encode
from arena.referee import Board, Table
from arena.rules import MIN_PLAYERS, VARIANTS, DealKind, Revoke, Rules
from arena.seat import Reply

MATCHES = 1000
CARD = re.compile(rb"[AKQJT987][SHDC]")


class Course:
    """What all seats of a match have played in its deal so far."""

    def __init__(self):
        self.deal, self.shown, self.deals = 0, set(), []

    def begin(self, deal):
        if deal != self.deal:
            self.deal, self.shown = deal, set()
            self.deals.append(self.shown)


class Canary:
    """Plays by chance, revokes now and then, and sings when it is sent what it may not know."""

    def __init__(self, game, course, chance, secret):
        self.live = False
        self.game, self.course, self.chance = game, course, chance
        self.secret = secret
        self.hand, self.refused = set(), False
        self.read = 0

    def tell(self, message):
        if isinstance(message, DealStart):
            self.course.begin(message.deal)
            self.hand = {text.encode() for text in message.hand}
        self.refused |= isinstance(message, Refused)
        self.search(message)

    def ask(self, question, budget_ms):
        self.search(question)
        match question:
            case BidQuestion():
                return Reply({"bid": self.chance.choice(question.options)})
            case PlayQuestion():
                return Reply({"card": self.card(question)})
        self.live = True
        return Reply({"ready": True})

    def card(self, question):
        revokes = not self.refused and self.chance.random() < 0.05
        card = self.chance.choice(question.hand if revokes else question.legal)
        self.refused = False
        if card in question.legal or self.game.revoke is not Revoke.CORRECT:
            self.course.shown.add(card.encode())
        return card

    def search(self, message):
        sent = encode([message])
        self.read += len(sent)
        assert self.secret not in sent
        if isinstance(message, Hello):
            # The rules say which cards count; nothing else in it has a card.
            sent = encode([msgspec.structs.replace(message, rules={})])
        assert set(CARD.findall(sent)) <= self.hand | self.course.shown, message

    def off_turn_ms(self):
        return 0.0


def games_of(variant):
    """Every number of players and kind of deal, with and without what changes who is told what."""
    most = VARIANTS[variant].max_players
    return [
        Rules.make(variant=variant, players=players, deal=kind, deals=1, quick_end=quick, revoke=revoke)
        for players in range(MIN_PLAYERS, most + 1)
        for kind in (DealKind if players >= 5 else [DealKind.EVEN])
        for quick in (False, True)
        for revoke in (Revoke.CORRECT, Revoke.PENALTY)
    ]


@pytest.mark.parametrize("variant", VARIANTS)
def test_no_seat_is_sent_a_card_before_it_is_public(variant):
    games = itertools.cycle(games_of(variant))
    for number in range(MATCHES // len(VARIANTS) + 1):
        game, seed = next(games), random.Random(f"{variant} {number}").randbytes(32)
        course, ids = Course(), itertools.count()
        seats = [
            Canary(game, course, random.Random(f"{variant} {number} {seat}"), seed.hex().encode())
            for seat in range(game.players)
        ]
        table = Table(game, seats, new_id=lambda ids=ids: str(next(ids)))
        record = table.play(Board(seed), match="m", bots=["b"] * game.players)
        # It heard of each card that was played, so it would have known of one that was not.
        played = [{card for trick in deal.tricks for card in trick.cards} for deal in record.deals]
        assert [{card.decode() for card in shown} for shown in course.deals] == played
        assert not record.faults
        assert min(seat.read for seat in seats) > 1000
