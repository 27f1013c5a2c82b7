"""Matches to look at: those given, and fresh ones of every game; and what the engine says of each moment."""

import json
import random

from arena.cards import CARD_TEXTS, cards_text, parse_card
from arena.match import Dealt, Match, shuffled
from arena.record import record_of
from arena.rules import VARIANTS, Bid, Revoke, Rules
from tests.support.games import play_by_chance, referee_by_chance
from tests.web.kit import golden_records

# The engine deals these two otherwise (tests/arena/test_vectors.py).
DEALT_BY_ANOTHER = {19, 44}

# What a fresh match of each variant and number of players is played with, in turn.
OPTIONS = (
    {"revoke": "penalty", "bids": ["capot", "general"], "quick_end": True, "threshold": 6},
    {"revoke": "forfeit", "bids": ["general"], "failed_bid": "replace"},
    {"revoke": "correct", "quick_end": True, "threshold": 7},
    {"deals": 3, "first_trick": 1, "last_trick": 2, "all_three_bonus": 3, "bids": []},
)


def games():
    for variant, defaults in VARIANTS.items():
        for players in range(3, defaults.max_players + 1):
            for number, options in enumerate(OPTIONS):
                uneven = {"deal": "uneven"} if players >= 5 and number % 2 else {}
                yield Rules.make(variant=variant, players=players, max_playoffs=4, **uneven, **options)


def fresh_records():
    """One match of every variant, number of players and set of options, those with `correct` by bots that
    misbehave."""
    chance = random.Random(3)
    for game in games():
        seed, dealer = chance.randbytes(32), chance.randrange(game.players)
        if game.revoke is Revoke.CORRECT:
            record = referee_by_chance(game, seed, mischief=0.05, risk=0.004, first_dealer=dealer)
        else:
            match = play_by_chance(game, seed, dealer)
            record = record_of(match, name="m", seed=seed, bots=["bot"] * game.players)
        yield json.loads(record.to_bytes())


def quick_ends_that_wait():
    """Short matches in which a total is at the threshold while a bid is undecided, among others."""
    game = Rules.make(players=3, threshold=1, quick_end=True, bids=["capot", "general"])
    for number in range(40):
        match = play_by_chance(game, bytes([number]) * 32)
        yield json.loads(record_of(match, name="m", seed=bytes([number]) * 32, bots=["bot"] * 3).to_bytes())


def some_records():
    """All fresh ones and every sixth of those given: each moment of each is looked at."""
    given = [record for i, record in enumerate(golden_records()) if i not in DEALT_BY_ANOTHER]
    return [*given[::6], *fresh_records(), *quick_ends_that_wait()]


def engine_moments(record):
    """Every moment of a record as the engine has it, played card by card; where the last card of a trick lies
    on the table the engine has no moment of its own, and None stands for it."""
    rules = Rules.from_json(record["rules"])
    match = Match(rules, dealing(record, rules), record["first_dealer"])
    for vacated in record["vacated"]:
        if vacated["deal"] == 0:
            match.vacate(vacated["seat"])
    given_up = {(v["deal"], v["trick"], v["seat"]) for v in record["vacated"]}
    moments = []
    match.next_deal()
    for deal in record["deals"]:
        moments.append(seen(match, "deal"))
        for _, bid in deal["bids"]:
            give_up(match, given_up)
            match.deal.bid(Bid(bid))
            moments.append(seen(match, "bid"))
        for trick in deal["tricks"]:
            for card in trick["cards"]:
                give_up(match, given_up)
                taken = len(match.deal.winners)
                match.deal.play(parse_card(card))
                if len(match.deal.winners) == taken:
                    forfeited = trick["cards"] if match.deal.over else None
                    moments.append(seen(match, "card", table=forfeited))
                else:
                    moments += [None, seen(match, "trick")]
        points = match.deal.points()
        finished = match.hands[-1]
        match.next_deal()
        moments.append(
            {"kind": "points", "running": list(match.totals), "points": by_seat(finished, points, match)}
        )
    assert match.over
    moments.append({"kind": "end", "running": list(match.totals), "ranks": match.ranks()})
    return moments


def dealing(record, rules):
    if record["seed"]:
        return shuffled(bytes.fromhex(record["seed"]), rules)
    return lambda number, players: Dealt(
        record["deals"][number - 1]["attempt"],
        [[parse_card(card) for card in hand] for hand in record["deals"][number - 1]["hands"]],
    )


def give_up(match, given_up):
    if (len(match.hands), match.deal.trick_number, match.deal.turn) in given_up:
        match.vacate(match.deal.turn)


def by_seat(hand, values, match):
    values = dict(zip(hand.play.seats, values, strict=True))
    return [values.get(seat) for seat in range(match.rules.players)]


def seen(match, kind, table=None):
    hand, deal = match.hands[-1], match.deal
    points = by_seat(hand, deal.points(), match)
    held = by_seat(hand, [sorted(cards_text(deal.hand(place))) for place in range(len(deal.seats))], match)
    return {
        "kind": kind,
        "deal": hand.number,
        "turn": None if deal.over else deal.turn,
        "legal": sorted(cards_text(deal.legal)),
        "table": table or [CARD_TEXTS[card] for card in deal.trick],
        "hands": [cards or [] for cards in held],
        "points": points,
        "running": [
            total + (0 if hand.playoff or sum_ is None else sum_)
            for total, sum_ in zip(match.totals, points, strict=True)
        ],
    }
