"""The card faces: what is served is what the generator draws, and all of it is ours and self-contained."""

import re
from xml.etree import ElementTree

import pytest

from arena.cards import CARD_TEXTS
from scripts.cards import SPRITE, sprite, symbols

SVG = "{http://www.w3.org/2000/svg}"


def test_the_sprite_that_is_served_is_what_the_generator_draws():
    assert SPRITE.read_text(encoding="utf-8") == sprite(), "run: python -m scripts.cards"


def test_there_is_a_symbol_for_each_card_the_back_the_suits_and_the_marks():
    root = ElementTree.fromstring(sprite())
    named = [symbol.get("id") for symbol in root.findall(f"{SVG}symbol")]
    others = ["back", *(f"mark-{n}" for n in range(1, 6)), *(f"suit-{suit}" for suit in "SHDC")]
    assert sorted(named) == sorted([*CARD_TEXTS, *others])
    assert all(symbol.get("viewBox") for symbol in root.findall(f"{SVG}symbol"))


def test_the_sprite_is_small():
    assert len(sprite().encode()) < 60_000


def test_the_sprite_holds_shapes_alone():
    root = ElementTree.fromstring(sprite())
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "symbol", "rect", "path", "circle", "g"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not names & {"style", "class", "href", "onload"}
    assert "url(" not in sprite()


@pytest.mark.parametrize("suit", "SHDC")
@pytest.mark.parametrize(("rank", "pips"), [("7", 7), ("8", 8), ("9", 9), ("T", 10), ("A", 1)])
def test_a_number_card_shows_its_suit_as_often_as_it_says(rank, pips, suit):
    paths = re.findall(r' d="([^"]*)"', symbols()[rank + suit])
    assert paths[0].count("M") == pips


def test_all_faces_differ():
    assert len(set(symbols().values())) == len(symbols())


@pytest.mark.parametrize("points", range(1, 6))
def test_a_mark_has_a_disc_for_each_penalty_point(points):
    assert symbols()[f"mark-{points}"].count("<circle") == points
