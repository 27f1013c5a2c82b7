"""Random games for property tests: rules, boards, and matches played by chance."""

import random

from hypothesis import strategies as st

from arena.cards import CARD_TEXTS, Card, list_cards
from arena.match import Match, shuffled
from arena.referee import Board, Table
from arena.rules import MIN_PLAYERS, VARIANTS, Bid, DealKind, FailedBid, Revoke, Rules, Tiebreak, pack_for
from arena.seat import Failure, FaultKind, InProcessSeat

SEEDS = st.binary(min_size=32, max_size=32)


@st.composite
def rules(draw, **fixed):
    """Any rules that can be played; `fixed` options stay as given."""
    variant = fixed.get("variant") or draw(st.sampled_from(list(VARIANTS)))
    players = fixed.get("players") or draw(st.integers(MIN_PLAYERS, VARIANTS[variant].max_players))
    kinds = list(DealKind) if players >= 5 else [DealKind.EVEN]
    options = {
        "variant": variant,
        "players": players,
        "deal": draw(st.sampled_from(kinds)),
        "bids": draw(st.sampled_from([[], [Bid.CAPOT], [Bid.GENERAL], [Bid.CAPOT, Bid.GENERAL]])),
        "failed_bid": draw(st.sampled_from(list(FailedBid))),
        "quick_end": draw(st.booleans()),
        "tiebreak": draw(st.sampled_from(list(Tiebreak))),
        "revoke": draw(st.sampled_from(list(Revoke))),
        "max_playoffs": draw(st.integers(0, 3)),
        "max_deals": draw(st.integers(1, 12)),
    }
    if draw(st.booleans()):
        options["deals"] = draw(st.integers(1, min(4, options["max_deals"])))
    else:
        options["threshold"] = draw(st.integers(1, 30))
    if draw(st.booleans()):
        pack = [CARD_TEXTS[card] for card in pack_for(players, DealKind(options["deal"]))]
        options["card_points"] = draw(st.dictionaries(st.sampled_from(pack), st.integers(1, 9), min_size=1))
        options["first_trick"] = draw(st.integers(0, 2))
        options["last_trick"] = draw(st.integers(0, 2))
        options["all_three_bonus"] = draw(st.integers(0, 2))
    return Rules.make(**(options | fixed))


def any_card(chance: random.Random, match: Match) -> Card:
    """A card of the seat in turn: mostly legal, now and then a revoke where the rules have a place for it."""
    deal = match.deal
    held = list_cards(deal.hand(deal.place))
    if deal.rules.revoke is not Revoke.CORRECT and chance.random() < 0.05:
        return chance.choice(held)
    return chance.choice(list_cards(deal.legal))


def play_by_chance(game: Rules, seed: bytes, first_dealer: int = 0) -> Match:
    """A whole match played at random."""
    chance = random.Random(seed)
    match = Match(game, shuffled(seed, game), first_dealer)
    match.next_deal()
    while not match.over:
        deal = match.deal
        while not deal.over:
            if deal.legal:
                deal.play(any_card(chance, match))
            else:
                deal.bid(chance.choice(deal.options))
        match.next_deal()
    return match


class ChanceBot:
    """Answers at random, wrongly now and then, the same way every time for the same seed."""

    def __init__(self, seed: bytes, mischief: float) -> None:
        self.chance = random.Random(seed)
        self.mischief = mischief

    def handle(self, message):
        reply = {"id": message.get("id")}
        match message["type"]:
            case "hello":
                return reply | {"ready": self.chance.random() > self.mischief / 4}
            case "bid":
                return reply | {"bid": self.chance.choice([*message["options"], *self.wrong("grand")])}
            case "play":
                cards = [*message["legal"], *self.wrong(*message["hand"], "XX", 5, None)]
                return reply | {"card": self.chance.choice(cards)}
        return None

    def wrong(self, *answers):
        return answers if self.chance.random() < self.mischief else ()


class CrashingSeat(InProcessSeat):
    """A seat whose process now and then ends, times out or floods its output."""

    def __init__(self, new_player, seed: bytes, risk: float) -> None:
        super().__init__(new_player)
        self.chance = random.Random(seed)
        self.risk = risk

    def ask(self, question, budget_ms):
        if self.chance.random() < self.risk:
            kind = self.chance.choice(
                [FaultKind.CRASH, FaultKind.TIMEOUT, FaultKind.OUTPUT, FaultKind.GARBAGE]
            )
            return Failure(kind, "by chance", charged_ms=budget_ms)
        return super().ask(question, budget_ms)


def referee_by_chance(game: Rules, seed: bytes, mischief: float, risk: float, first_dealer: int = 0):
    """The record of a refereed match of bots that misbehave."""
    numbers = iter(range(10**9))
    seats = [
        CrashingSeat(lambda s=seed + bytes([i]): ChanceBot(s, mischief), seed + bytes([i]), risk)
        for i in range(game.players)
    ]
    table = Table(game, seats, new_id=lambda: str(next(numbers)))
    bots = [f"bot{i}" for i in range(game.players)]
    record = table.play(Board(seed, first_dealer), match="m", bots=bots)
    table.close()
    return record
