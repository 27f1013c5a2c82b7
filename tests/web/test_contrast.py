"""Colours that meet are far enough apart to be read (WCAG 2.2 AA), in the light and in the dark."""

import re

import pytest

from tests.web.kit import STATIC

TOKENS = (STATIC / "css/tokens.css").read_text()
VALUE = re.compile(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));")

TEXT, SHAPE = 4.5, 3.0
TONES = ("accent", "good", "warn", "bad")
GROUNDS = ("page", "surface", "sunken")
SUITS = tuple(f"suit-{suit}" for suit in "shdc")

#: What is drawn, on what, and how far apart they must be: 4.5 for text, 3 for what is no text.
PAIRS = [
    *((ink, ground, TEXT) for ink in ("ink", "ink-soft") for ground in GROUNDS),
    *((tone, ground, TEXT) for tone in TONES for ground in ("page", "surface", f"{tone}-tint")),
    *(("ink", f"{tone}-tint", TEXT) for tone in TONES),
    *(("red", ground, TEXT) for ground in ("page", "surface", "accent-tint")),
    ("on-accent", "accent", TEXT),
    ("on-bad", "bad", TEXT),
    ("accent", "sunken", TEXT),
    *(("line-strong", ground, SHAPE) for ground in ("page", "surface")),
    *(("focus", ground, SHAPE) for ground in GROUNDS),
    *((ink, felt, TEXT) for ink in ("felt-ink", "felt-soft") for felt in ("felt", "felt-deep")),
    *(("felt-focus", felt, SHAPE) for felt in ("felt", "felt-deep")),
    *((suit, "card-paper", TEXT) for suit in SUITS),
    ("card-mark", "card-paper", SHAPE),
    ("card-paper", "card-back", SHAPE),
    ("card-paper", "felt", SHAPE),
]


def tokens(theme, suits="two"):
    """Each colour's value in a theme, 0 light, 1 dark."""
    two, four = TOKENS.split(':root[data-suits="four"]')
    values = {}
    for part in (two, four) if suits == "four" else (two,):
        for name, light, dark, both in VALUE.findall(part):
            values[name] = both or (light, dark)[theme]
    return values


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_known():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("drawn", "ground", "least"), PAIRS, ids=str)
def test_what_is_drawn_stands_out(drawn, ground, least, theme):
    values = tokens(theme)
    assert contrast(values[drawn], values[ground]) >= least


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_four_colours_stand_out_and_differ(theme):
    values = tokens(theme, "four")
    assert len({values[suit] for suit in SUITS}) == 4
    assert all(contrast(values[suit], values["card-paper"]) >= TEXT for suit in SUITS)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("tone", ["good", "bad"])
def test_numbers_are_read_on_every_cell_of_a_heat_map(tone, theme):
    values = tokens(theme)
    shares = re.findall(r"--share: (\d+)%", (STATIC / "css/parts.css").read_text())
    assert len(shares) == 4
    for share in map(int, shares):
        assert contrast(mixed(values[tone], values["surface"], share / 100), values["ink"]) >= TEXT


def mixed(one, other, share):
    pairs = ((int(one[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def sheets():
    return sorted((STATIC / "css").glob("*.css"))


@pytest.mark.parametrize("sheet", sheets(), ids=lambda path: path.name)
def test_a_sheet_uses_no_colour_of_its_own_and_nothing_from_outside(sheet):
    text = re.sub(r"/\*.*?\*/", "", sheet.read_text(), flags=re.DOTALL)
    assert "url(" not in text
    assert "@import" not in text
    if sheet.name != "tokens.css":
        screen = text.split("@media print")[0]
        assert re.findall(r"#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(", screen) == []


@pytest.mark.parametrize("sheet", sheets(), ids=lambda path: path.name)
def test_every_token_that_a_sheet_names_exists(sheet):
    text = sheet.read_text()
    known = set(re.findall(r"(--[\w-]+):", TOKENS + text))
    named = set(re.findall(r"var\((--[\w-]+)\)", text))
    assert named <= known
