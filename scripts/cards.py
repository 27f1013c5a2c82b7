"""The card faces: draws `cards.svg`, one <symbol> for each card, from a small set of shapes of our own.

A shape is a path about a centre: points are `x,y`, radii `~r`; it is placed, scaled and, with a negative
scale, turned upside down by arithmetic, so that the sprite needs no references within itself. The ink is
`currentColor`; the other colours are custom properties of the page, each with a default (docs/design.md).

Run as `python -m scripts.cards`; a test compares what is committed.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from arena.cards import RANKS, SUITS

SPRITE: Final = Path(__file__).resolve().parent.parent / "platform/league/web/static/web/cards.svg"

WIDTH, HEIGHT = 60, 84
#: The middle of the picture, beside the column of rank and suit: all that shows of a card in a fan.
CENTRE = (37.5, HEIGHT / 2)
COLUMN = 10

PAPER = "var(--card-paper,#fff)"
EDGE = "var(--card-edge,#8a8f98)"
GOLD = "var(--card-gold,#e2ab32)"
BACK = "var(--card-back,#1f4e79)"
MARK = "var(--card-mark,#b43c06)"

# Within -1 … 1.
SUIT_SHAPES: Final = {
    "S": "M0,-1C.3,-.55 .95,-.25 .95,.28C.95,.6 .72,.75 .5,.75C.32,.75 .18,.66 .09,.5C.1,.75 .18,.9 .34,1"
    "L-.34,1C-.18,.9 -.1,.75 -.09,.5C-.18,.66 -.32,.75 -.5,.75C-.72,.75 -.95,.6 -.95,.28"
    "C-.95,-.25 -.3,-.55 0,-1Z",
    "H": "M0,1C-.3,.5 -1,.12 -1,-.4C-1,-.75 -.75,-.95 -.5,-.95C-.25,-.95 -.07,-.8 0,-.58"
    "C.07,-.8 .25,-.95 .5,-.95C.75,-.95 1,-.75 1,-.4C1,.12 .3,.5 0,1Z",
    "D": "M0,-1C.2,-.62 .5,-.25 .8,0C.5,.25 .2,.62 0,1C-.2,.62 -.5,.25 -.8,0C-.5,-.25 -.2,-.62 0,-1Z",
    "C": "M-.09,.45A~.46 ~.46 0 1 1 -.35,-.2A~.45 ~.45 0 1 1 .35,-.2A~.46 ~.46 0 1 1 .09,.45"
    "C.1,.75 .18,.9 .34,1L-.34,1C-.18,.9 -.1,.75 -.09,.45Z",
}

# Strokes within 0 … 0.62 across and 0 … 1 down.
RANK_SHAPES: Final = {
    "K": "M0,0L0,1M.6,0L.02,.6M.21,.41L.62,1",
    "Q": "M.31,0C.5,0 .62,.2 .62,.5C.62,.8 .5,1 .31,1C.12,1 0,.8 0,.5C0,.2 .12,0 .31,0ZM.34,.7L.66,1.08",
    "J": "M.2,0L.5,0L.5,.68C.5,.9 .4,1 .25,1C.12,1 .03,.92 0,.76",
    "A": "M0,1L.32,0L.64,1M.11,.66L.53,.66",
    "T": "M-.12,.2L.04,0L.04,1"
    "M.53,0C.69,0 .77,.2 .77,.5C.77,.8 .69,1 .53,1C.37,1 .29,.8 .29,.5C.29,.2 .37,0 .53,0Z",
    "9": "M.6,.3C.6,.12 .48,0 .3,0C.12,0 0,.12 0,.3C0,.48 .12,.6 .3,.6C.48,.6 .6,.48 .6,.3"
    "C.6,.7 .45,.95 .14,1",
    "8": "M.3,.45C.14,.45 .05,.36 .05,.23C.05,.1 .14,0 .3,0C.46,0 .55,.1 .55,.23C.55,.36 .46,.45 .3,.45"
    "C.12,.45 0,.57 0,.72C0,.9 .12,1 .3,1C.48,1 .6,.9 .6,.72C.6,.57 .48,.45 .3,.45Z",
    "7": "M0,0L.6,0C.4,.3 .25,.6 .2,1",
}

# Where the pips of the number cards stand: columns left and right of the middle, and the middle.
_SIDES = {"T": (13, 32.3, 51.7, 71), "9": (13, 32.3, 51.7, 71), "8": (13, 42, 71), "7": (13, 42, 71)}
_MIDDLE = {"T": (22.7, 61.3), "9": (42,), "8": (27.5, 56.5), "7": (27.5,)}

# The upper half of a court figure, about the centre of the card.
_HEAD = "M-5.6,-17A~5.6 ~5.6 0 1 1 5.6,-17A~5.6 ~5.6 0 1 1 -5.6,-17Z"
_EYES = (
    "M-2.9,-17.8A~.8 ~.8 0 1 1 -1.3,-17.8A~.8 ~.8 0 1 1 -2.9,-17.8Z"
    "M1.3,-17.8A~.8 ~.8 0 1 1 2.9,-17.8A~.8 ~.8 0 1 1 1.3,-17.8Z"
)
_COAT = "M-13,0C-13,-8 -8,-11.5 0,-11.5C8,-11.5 13,-8 13,0Z"
_COLLAR = "M-6.5,-10.6L0,-6.2L6.5,-10.6"
# By rank: what is of the ink, and what is of gold.
COURTS: Final = {
    "K": (
        "M-5.2,-15.6C-3.4,-13.6 3.4,-13.6 5.2,-15.6C5,-11 2.6,-8.4 0,-7C-2.6,-8.4 -5,-11 -5.2,-15.6Z",
        "M-6.4,-20.6L-7.6,-28.6L-3.4,-25L0,-30L3.4,-25L7.6,-28.6L6.4,-20.6Z",
    ),
    "Q": (
        "M-4.6,-21C-10.6,-19 -10.4,-11 -7.6,-8.6C-6,-9.2 -5,-10.4 -4.6,-12.2C-6.6,-15 -6.4,-18.4 -4.6,-21Z"
        "M4.6,-21C10.6,-19 10.4,-11 7.6,-8.6C6,-9.2 5,-10.4 4.6,-12.2C6.6,-15 6.4,-18.4 4.6,-21Z",
        "M-6.2,-20.8L-7,-25C-5,-24 -3.6,-24 -2.6,-25.4L0,-28.6L2.6,-25.4C3.6,-24 5,-24 7,-25L6.2,-20.8Z",
    ),
    "J": (
        "M-7.4,-19.2C-8.4,-25.8 -2,-28 2.6,-26.6C6,-25.6 7.6,-23 7.2,-20.4C2,-21.6 -3,-21 -7.4,-19.2Z",
        "M3.4,-24.6C6,-30 10.6,-31 12.6,-29C12.6,-25.4 9.6,-22.6 5.6,-22.4"
        "C6.6,-24.4 8,-26 9.6,-27.2C7.4,-26.8 5.4,-26 3.4,-24.6Z",
    ),
}


def placed(shape: str, x: float, y: float, scale: float) -> str:
    """A shape's path data with its centre at (x, y); upside down where the scale is negative.

    Points come out relative to the one before, which is shorter; they are rounded as absolute ones first, so
    that no error adds up.
    """
    written, here = [], (0.0, 0.0)
    for command, arguments in re.findall(r"([MLCAZ])([^MLCAZ]*)", shape):
        points = [
            (round(x + scale * float(across), 1), round(y + scale * float(down), 1))
            for across, down in re.findall(r"(-?[\d.]+),(-?[\d.]+)", arguments)
        ]
        start = (0.0, 0.0) if command == "M" else here
        numbers = [value for point in points for value in (point[0] - start[0], point[1] - start[1])]
        if command == "A":
            radii = re.findall(r"~([\d.]+)", arguments)
            numbers = [*(abs(scale) * float(radius) for radius in radii), 0, 1, 1, *numbers]
        written.append((command if command == "M" else command.lower()) + _numbers(numbers))
        here = points[-1] if points else here
    return "".join(written)


def _numbers(values: Iterable[float]) -> str:
    """One decimal at the most, a fifth of a pixel on a large card, and no more between than it takes."""
    texts = " ".join(f"{round(value, 1) + 0:.1f}".removesuffix(".0") for value in values)
    return re.sub(r"\b0\.", ".", texts).replace(" -", "-")


def _path(data: str, fill: str = "currentColor", more: str = "") -> str:
    return f'<path fill="{fill}"{more} d="{data}"/>'


def _stroke(data: str, width: float) -> str:
    ends = 'stroke-linecap="round" stroke-linejoin="round"'
    return f'<path fill="none" stroke="currentColor" stroke-width="{width}" {ends} d="{data}"/>'


def _index(rank: str, suit: str) -> str:
    """Rank and suit at the left, large enough for a card that is 40 pixels wide."""
    width = 0.85 if rank == "T" else 0.62
    left = COLUMN + 0.5 - 17 * width / 2 + (2 if rank == "T" else 0)
    rank_path = placed(RANK_SHAPES[rank], left, 6, 17)
    return _stroke(rank_path, 3.2) + _path(placed(SUIT_SHAPES[suit], COLUMN, 34, 6.2))


def _pips(rank: str, suit: str) -> str:
    """The suit as often as the card says, the lower half upside down; the ace's is large."""
    if rank == "A":
        return _path(placed(SUIT_SHAPES[suit], *CENTRE, 15))
    x, y = CENTRE
    spots = [(x + side, at) for at in _SIDES[rank] for side in (-9.5, 9.5)] + [
        (x, at) for at in _MIDDLE[rank]
    ]
    return _path("".join(placed(SUIT_SHAPES[suit], *spot, 6 if spot[1] <= y else -6) for spot in spots))


def _court(rank: str, suit: str) -> str:
    """A figure of two halves in a frame."""
    ink, gold = COURTS[rank]
    frame = '<rect x="20.5" y="4.5" width="34" height="75" rx="2.5"'
    parts = [
        f'{frame} fill="currentColor" fill-opacity=".07" stroke="currentColor" stroke-opacity=".5"/>',
    ]
    halves = (1, -1)

    def both(shape: str) -> str:
        return "".join(placed(shape, *CENTRE, 1.2 * half) for half in halves)

    outline = ' stroke="currentColor" stroke-width="1.2" stroke-linejoin="round"'
    chest = "".join(
        placed(SUIT_SHAPES[suit], CENTRE[0], CENTRE[1] - half * 4.4, half * 3.6) for half in halves
    )
    parts += [
        _path(both(_COAT), more=' fill-opacity=".3"'),
        _path(both(_COLLAR), "none", outline),
        _path(both(_HEAD), PAPER, outline),
        _path(both(ink) + both(_EYES)),
        _path(both(gold), GOLD, outline),
        _path(chest),
    ]
    return "".join(parts)


def _face(rank: str, suit: str) -> str:
    paper = f'<rect x=".5" y=".5" width="59" height="83" rx="5" fill="{PAPER}" stroke="{EDGE}"/>'
    middle = _court(rank, suit) if rank in COURTS else _pips(rank, suit)
    return paper + middle + _index(rank, suit)


def _back() -> str:
    """Crossing lines in a frame."""
    lines = "".join(f"M{x} 7L{x + 35} 77M{x + 35} 7L{x} 77" for x in range(-28, 60, 7))
    inner = 'x="6.5" y="6.5" width="47" height="71" rx="2.5"'
    return (
        f'<rect x=".5" y=".5" width="59" height="83" rx="5" fill="{BACK}" stroke="{EDGE}"/>'
        f'<svg x="7" y="7" width="46" height="70" viewBox="7 7 46 70"><path d="{lines}" fill="none" '
        f'stroke="{PAPER}" stroke-opacity=".45"/></svg>'
        f'<rect {inner} fill="none" stroke="{PAPER}" stroke-opacity=".8"/>'
    )


def _mark(points: int) -> str:
    """A disc for each penalty point, up the column from below; it lies over a face."""
    discs = "".join(f'<circle cx="{COLUMN}" cy="{74.5 - 10 * i}" r="4.4"/>' for i in range(points))
    return f'<g fill="{MARK}" stroke="{PAPER}" stroke-width=".8">{discs}</g>'


def symbols() -> dict[str, str]:
    """Every symbol's content by its id: the cards by their texts (`JS`), `back`, `mark-1` … `mark-5` for the
    points of a penalty card, and `suit-S` … for a suit by itself."""
    faces = {rank + suit: _face(rank, suit) for suit in SUITS for rank in RANKS}
    marks = {f"mark-{points}": _mark(points) for points in range(1, 6)}
    return faces | {"back": _back()} | marks


def sprite() -> str:
    """The whole file."""
    cards = [
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">{content}</symbol>'
        for name, content in symbols().items()
    ]
    suits = [
        f'<symbol id="suit-{suit}" viewBox="0 0 24 24">{_path(placed(shape, 12, 12, 10.5))}</symbol>'
        for suit, shape in SUIT_SHAPES.items()
    ]
    lines = ["<!-- Made by scripts/cards.py: change it there. -->", *cards, *suits]
    return '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(lines) + "\n</svg>\n"


if __name__ == "__main__":
    SPRITE.write_text(sprite(), encoding="utf-8")
