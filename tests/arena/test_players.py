"""The reference players: always legal, repeatable, and as strong as their names say."""

import json
import random
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

import arena
from arena.cards import cards_text, parse_card, parse_cards
from arena.players import REFERENCE
from arena.players.base import Player
from arena.players.counter import Count
from arena.players.known import KnownDeal
from arena.players.montecarlo import MonteCarlo, distinct
from arena.record import Record
from arena.referee import Board, Table
from arena.rules import Rules, Variant
from arena.schedule.seating import rotations
from arena.seat import InProcessSeat

NAMES = list(REFERENCE)


def match(rules: Rules, players: list[type[Player]], seed: str) -> Record:
    """One match of a fresh table, its cards drawn from `seed`."""
    ids = count()
    table = Table(rules, [InProcessSeat(player) for player in players], new_id=lambda: str(next(ids)))
    board = Board(random.Random(seed).randbytes(32))
    record = table.play(board, match=seed, bots=[player.__name__ for player in players])
    table.close()
    return record


def points_a_deal(names: list[str], boards: int, **options: object) -> list[float]:
    """Mean points over boards of four deals, each board in all its seatings."""
    rules = Rules.make(players=len(names), bids=[], deals=4, tiebreak="shared", **options)
    points = [0] * len(names)
    for board in range(boards):
        for seating in rotations(range(len(names))):
            record = match(rules, [REFERENCE[names[bot]] for bot in seating], f"board {board}")
            for seat, bot in enumerate(seating):
                points[bot] += record.totals[seat]
    return [total / (boards * len(names) * 4) for total in points]


# -- strength ---------------------------------------------------------------------------------------------


def test_the_dodger_takes_far_fewer_points_than_players_without_a_thought():
    lowest, rand, dodger, highest = points_a_deal(["lowest", "random", "dodger", "highest"], 40)
    assert dodger < 0.7 * lowest
    assert lowest < rand
    assert dodger < 0.7 * highest


@pytest.mark.parametrize("variant", Variant)
def test_the_counter_is_at_least_the_dodger_in_every_variant(variant):
    dodger, other, counter, another = points_a_deal(
        ["dodger", "dodger", "counter", "counter"], 25, variant=variant
    )
    assert counter + another < dodger + other


@pytest.mark.slow
def test_montecarlo_is_the_strongest():
    dodger, counter, montecarlo, again = points_a_deal(["dodger", "counter", "montecarlo", "counter"], 10)
    assert montecarlo < min(dodger, counter, again)


# -- legal and repeatable ---------------------------------------------------------------------------------


def tables() -> list[Rules]:
    kinds = [(variant, players, "even") for variant in Variant for players in (3, 4, 5, 6)]
    kinds += [(variant, players, "uneven") for variant in Variant for players in (5, 6)]
    return [
        Rules.make(variant=variant, players=players, deal=deal, bids=["capot", "general"])
        for variant, players, deal in kinds
        if not (variant is Variant.KNAVES and players > 4)
    ]


@pytest.mark.parametrize("rules", tables(), ids=lambda rules: f"{rules.variant}-{rules.players}-{rules.deal}")
def test_everybody_plays_by_the_rules_in_every_variant_with_every_number_of_players(rules):
    for start in (0, 3):
        names = (NAMES + NAMES)[start : start + rules.players]
        record = match(rules, [REFERENCE[name] for name in names], f"legal {start}")
        assert record.faults == ()


@pytest.mark.parametrize("revoke", ["penalty", "forfeit"])
def test_players_go_on_when_others_revoke(revoke):
    """A revoker holds suits that it seems to be void in, so no world agrees with all that was seen."""

    class Revoker(Player):
        def choose_card(self, legal):
            return max(range(32), key=lambda card: (self.deal.hand >> card & 1, card % 5))

    rules = Rules.make(revoke=revoke, deals=2)
    record = match(
        rules, [Revoker, REFERENCE["montecarlo"], REFERENCE["counter"], REFERENCE["dodger"]], "revoke"
    )
    assert record.faults == ()
    assert revoke == "forfeit" or any(deal.revokes for deal in record.deals)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_luck_gives_the_same_play(name):
    players = [REFERENCE[name], REFERENCE["random"], REFERENCE["dodger"]]
    rules = Rules.make(players=3, deals=2)
    assert match(rules, players, "again").to_bytes() == match(rules, players, "again").to_bytes()


def test_random_announces_now_and_then():
    rules = Rules.make(deals=20)
    record = match(rules, [REFERENCE["random"]] * 4, "bids")
    bids = [bid for deal in record.deals for _, bid in deal.bids]
    assert 0 < bids.count("capot") < bids.count("pass") / 5


# -- the protocol -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_unknown_messages_keys_and_events_are_ignored(name):
    player = REFERENCE[name]()
    rules = {**Rules.make().to_json(), "a_later_option": 1}
    hello = {"type": "hello", "id": "h", "protocol": 1, "rules": rules, "new": []}
    assert player.handle(hello) == {"id": "h", "ready": True}
    assert player.handle({"type": "weather", "sky": "blue"}) is None
    assert player.handle({"type": "match", "match": "m", "seat": 2, "new": 1}) is None
    hand = ["KS", "QH", "8H", "TD", "9D", "JC", "AC", "7C"]
    start = {"type": "deal", "deal": 1, "dealer": 1, "seats": [2, 3, 0, 1], "playoff": False, "hand": hand}
    assert player.handle({**start, "totals": [0, 0, 0, 0], "luck": "00ff"}) is None
    events = [["bid", 2, "pass"], ["applause", 3], ["bid", 3, "pass"]]
    question = {"type": "play", "id": "q", "legal": hand, "hand": hand, "trick": [], "leader": 2}
    reply = player.handle({**question, "events": events, "bank_ms": 5, "new": None})
    assert reply.keys() == {"id", "card"}
    assert reply["id"] == "q"
    assert reply["card"] in hand


@pytest.mark.parametrize("name", NAMES)
def test_a_question_alone_is_enough(name):
    player = REFERENCE[name]()
    question = {
        "type": "play",
        "id": "q",
        "legal": ["JS"],
        "hand": ["JS", "KH"],
        "trick": ["7S"],
        "leader": 0,
    }
    assert player.handle(question) == {"id": "q", "card": "JS"}


def run_program(folder: Path, *arguments: str, lines: list[dict]) -> subprocess.CompletedProcess:
    # -S: no site-packages, so nothing but the standard library can be imported.
    return subprocess.run(
        [sys.executable, "-S", "-m", "arena.players", *arguments],
        cwd=folder,
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_reference_player_is_a_program_of_the_standard_library_alone(name, tmp_path):
    root = Path(arena.__file__).parent
    shutil.copytree(root / "players", tmp_path / "arena" / "players")
    for module in ("__init__", "cards", "rules", "deal", "errors"):
        shutil.copy(root / f"{module}.py", tmp_path / "arena")
    hello = {"type": "hello", "id": "a", "protocol": 1, "rules": Rules.make().to_json(), "players": 4}
    question = {"type": "play", "id": "b", "legal": ["7H"], "hand": ["7H"], "trick": [], "leader": 0}
    done = run_program(tmp_path, name, lines=[hello, question, {"type": "bye"}, question])
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"id": "a", "ready": True},
        {"id": "b", "card": "7H"},
    ]
    assert done.returncode == 0
    assert done.stderr == ""


def test_an_unknown_player_is_refused_with_the_names_there_are():
    done = run_program(Path(arena.__file__).parent.parent, "grandmaster", lines=[])
    assert done.returncode == 2
    assert "random|lowest|highest|dodger|counter|montecarlo" in done.stderr


# -- what they know ---------------------------------------------------------------------------------------


class Checked(Player):
    """Plays at random and checks its account of the deal against the referee's."""

    checks = 0

    def choose_card(self, legal):
        deal = self.deal
        assert not deal.out & deal.hand
        assert sum(deal.left.values()) == (deal.out | deal.hand).bit_count()
        assert deal.left[self.seat] == deal.hand.bit_count()
        assert not deal.void[self.seat] & deal.hand
        assert len(deal.in_trick_order()) == len(deal.trick) + 1 + len(deal.still_to_play())
        return self.random.choice([card for card in range(32) if legal >> card & 1])

    def handle(self, message):
        reply = super().handle(message)
        if message.get("type") == "deal_end" and self.deal is not None:
            points = [self.deal.points.get(seat, 0) for seat in range(self.rules.players)]
            assert points == message["points"]
            type(self).checks += 1
        return reply


@pytest.mark.parametrize("rules", tables(), ids=lambda rules: f"{rules.variant}-{rules.players}-{rules.deal}")
def test_a_player_keeps_account_of_all_that_is_public(rules):
    plain = {**rules.to_json(), "bids": [], "all_three_bonus": 0}
    before = Checked.checks
    record = match(Rules.from_json(plain), [Checked] * rules.players, "account")
    assert Checked.checks - before == rules.players * len(record.deals)


def test_montecarlo_only_plays_out_worlds_that_agree_with_what_was_seen():
    seen = []

    class Watched(MonteCarlo):
        def choose_card(self, legal):
            for world in self._worlds(self.deal):
                assert world.legal == legal
                assert world.turn == self.seat
                assert world.hand(world.place) == self.deal.hand
                for place, seat in enumerate(world.seats):
                    assert world.hand(place).bit_count() == self.deal.left[seat]
                    assert not world.hand(place) & self.deal.void[seat]
                seen.append(world)
            return super().choose_card(legal)

    match(Rules.make(deals=2), [Watched, *[REFERENCE["random"]] * 3], "worlds")
    assert len(seen) > 400


# -- what they do -----------------------------------------------------------------------------------------


def asked(name: str, hand: str, trick: str, events: list, seat: int = 2, **options: object) -> str:
    """The card that a player chooses at the end of `events` in the first deal, led by seat 0."""
    player = REFERENCE[name]()
    rules = Rules.make(**options)
    player.handle({"type": "hello", "id": "h", "rules": rules.to_json()})
    player.handle({"type": "match", "match": "m", "seat": seat})
    seats = list(range(rules.players))
    player.handle(
        {"type": "deal", "seats": seats, "hand": hand.split(), "totals": [0] * rules.players, "luck": "1"}
    )
    led = trick.split()[:1]
    following = [card for card in hand.split() if led and card[1] == led[0][1]]
    question = {"type": "play", "id": "q", "legal": following or hand.split(), "hand": hand.split()}
    return player.handle({**question, "trick": trick.split(), "leader": 0, "events": events})["card"]


def hand_of(texts: str) -> int:
    return parse_cards(texts.split())


PASSES = [["bid", seat, "pass"] for seat in range(4)]


def cards(*played: str) -> list:
    """The events of a first trick."""
    return [["card", seat, card] for seat, card in enumerate(played)]


CAREFUL = ["dodger", "counter", "montecarlo"]


@pytest.mark.parametrize("name", CAREFUL)
def test_a_void_seat_throws_the_polignac_on_somebody_else(name):
    hand = "JS 8S 7S KH QH 9H 8H 7H"
    assert asked(name, hand, "KD 8D", PASSES + cards("KD", "8D")) == "JS"


@pytest.mark.parametrize("name", ["dodger", "counter"])
def test_a_seat_that_can_duck_ducks_with_its_highest(name):
    assert asked(name, "KS TS 8S 7S 9H 8H 8D 7D", "QS 9S", PASSES + cards("QS", "9S")) == "TS"


@pytest.mark.parametrize("name", CAREFUL)
def test_the_polignac_goes_under_a_higher_spade(name):
    assert asked(name, "JS 9S 8S 7S 9H 8H 8D 7D", "KS QS", PASSES + cards("KS", "QS")) == "JS"


@pytest.mark.parametrize("name", CAREFUL)
def test_an_announced_capot_is_stopped_where_it_can_be(name):
    bids = [["bid", 0, "capot"]]
    hand = "KS 9S 8S 7S 9H 8H 8D 7D"
    assert asked(name, hand, "QS TS", bids + cards("QS", "TS")) == "KS"
    assert asked(name, hand, "QS TS JS", bids + cards("QS", "TS", "JS"), seat=3) == "KS"


@pytest.mark.parametrize("name", ["dodger", "counter"])
def test_a_capot_that_somebody_else_has_stopped_is_nobodys_worry(name):
    bids = [["bid", 1, "capot"]]
    events = [["bid", 0, "pass"], *bids, *cards("QS", "TS")]
    assert asked(name, "KS 9S 8S 7S 9H 8H 8D 7D", "QS TS", events) == "9S"


def test_the_counter_knows_a_lead_that_can_not_take_the_trick():
    """Every lower spade has been played, so whoever has the king must go over the queen."""
    known = KnownDeal.begin(Rules.make(bids=[]), 0, (0, 1, 2, 3), hand_of("QS KH QH KD QD KC QC 7C"))
    known.out &= ~hand_of("JS AS TS 9S 8S 7S")
    assert Count(known).chance_to_take(parse_card("QS")) == pytest.approx(0)
    assert Count(known).chance_to_take(parse_card("KH")) == 1


def test_equal_cards_are_weighed_once():
    known = KnownDeal.begin(Rules.make(), 0, (0, 1, 2, 3), hand_of("KS QS JS TS 9S 7S KH JH"))
    # K and Q touch; J scores; 10 and 9 touch, for the ace is out; the 8 is out below them.
    chosen = distinct(known, known.hand)
    assert cards_text(sum(1 << card for card in chosen)) == ["KS", "JS", "TS", "7S", "KH", "JH"]
