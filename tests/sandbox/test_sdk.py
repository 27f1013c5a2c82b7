"""A bot in ten lines, with what the SDK promises it."""

import re

import pytest

from arena.cards import CARD_TEXTS
from sandbox.backends import choose
from sandbox.languages import languages
from tests.sandbox.bots import play_against_references, python

SDK = languages()["python"].sdk["polignac.py"].decode()


def plays(body, players=4, **options):
    """A match of a bot with this body for `play`, without a sandbox: what it said and its faults."""
    source = f"from polignac import Bot\nclass Mine(Bot):\n{body}\nMine().run()\n"
    record, log = play_against_references(choose("none"), python(source), players=players, **options)
    return record, log


def test_the_bot_of_the_first_page_plays_without_a_fault():
    example = re.search(r"\n    (from polignac.*?\.run\(\))\n", SDK, re.S).group(1)
    source = re.sub(r"^    ", "", example, flags=re.M)
    assert len([line for line in source.splitlines() if line.strip()]) <= 10
    record, log = play_against_references(choose("none"), python(source))
    assert not record.faults, log


def test_it_uses_the_standard_library_alone():
    imports = set(re.findall(r"^\s*(?:from|import) (\w+)", SDK, re.M))
    assert imports <= {"json", "os", "random", "sys", "typing", "polignac"}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_what_it_tells_of_the_deal_adds_up(players):
    body = """
    def play(self):
        assert set(self.legal) <= set(self.hand)
        assert len(self.seen) == len(set(self.seen)) == len(self.played)
        assert self.seen[len(self.seen) - len(self.trick):] == self.trick
        assert not set(self.unseen()) & (set(self.seen) | set(self.hand))
        others = sum(len(cards) for cards in self.taken.values())
        assert others + len(self.trick) == len(self.seen)
        return self.legal[0]
    def deal_ended(self, points):
        assert not self.unseen(), self.unseen()
        self.log('deal', self.deal, points)
    def match_ended(self, ranks):
        self.log('ranks', len(ranks))
"""
    record, log = plays(body, players=players)
    assert not record.faults, log
    assert f"ranks {players}" in log
    assert "deal 2" in log


def test_printing_is_harmless():
    body = """
    def play(self):
        import os
        print('hello')
        os.system('echo shell')
        return self.legal[0]
"""
    record, log = plays(body)
    assert not record.faults
    assert "hello" in log
    assert "shell" in log


def test_the_same_hand_is_played_the_same_way_again():
    first, _ = plays("    pass")
    second, _ = plays("    pass")
    assert not first.faults
    assert first.to_bytes() == second.to_bytes()


def test_an_illegal_choice_is_explained_in_the_log():
    record, log = plays("    def play(self):\n        return 'ZZ'")
    assert record.faults[0].kind == "invalid"
    assert "'ZZ', which is not one of [" in log


def test_it_knows_the_cards_of_the_game():
    namespace = {"__name__": "polignac"}
    exec(compile(SDK, "polignac.py", "exec"), namespace)
    assert namespace["PACK"] == CARD_TEXTS
    bot = namespace["Bot"]()
    bot.rules = {"ace": "below_jack", "card_points": {"JS": 2}}
    assert sorted(["AS", "KS", "7S", "JS"], key=bot.strength) == ["7S", "AS", "JS", "KS"]
    bot.trick = ["TS", "KH"]
    assert bot.would_win("AS")
    assert not bot.would_win("9S")
    assert not bot.would_win("KD")
    assert (bot.points("JS"), bot.points("QS")) == (2, 0)


def test_the_starter_bots_are_there():
    for language in languages().values():
        assert any(entry in language.starter for entry in language.entries)
