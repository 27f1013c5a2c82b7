"""Cards and seats in words, as js/words.js has them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED = {"H", "D"}


@register.filter
def card(text: str) -> str:
    """A card: "J♠", with 10 for the ten; what is none stays as it is ("last trick")."""
    if len(text) != 2 or text[1] not in SIGNS:
        return text
    return ("10" if text[0] == "T" else text[0]) + SIGNS[text[1]]


@register.filter
def pip(text: str) -> SafeString | str:
    """The same, the red suits in red."""
    return format_html('<span class="red">{}</span>', card(text)) if text[1:] in RED else card(text)


@register.filter
def in_hand(cards: Sequence[str]) -> list[str]:
    """Cards suit by suit, black and red in turn, as they are held; an ace stands before the king."""
    return sorted(cards, key=lambda text: ("SHCD".index(text[1]), "AKQJT987".index(text[0])))


@register.filter
def moment(at: Mapping[str, Any]) -> str:
    """Where in a match a decision or a fault was, in words; its trick 0 is the bidding."""
    return f"deal {at['deal']}, {'trick {}'.format(at['trick']) if at['trick'] else 'bidding'}"


@register.filter
def of_seat(values: Sequence[Any], seat: int) -> Any:
    """What a list by seat has for one."""
    return values[seat]


@register.filter
def nth(values: Sequence[str], number: int) -> str:
    """A list's entry by its number, from 1; nothing beyond the end."""
    return values[number - 1] if number <= len(values) else ""


@register.filter
def in_names(pk: int, names: dict[int, str]) -> str:
    """The name of a row, or its number where the name isn't at hand."""
    return names.get(pk) or str(pk)


@register.filter
def sum_of(rows: Sequence[dict[str, Any]], key: str) -> int:
    """The sum of a column."""
    return sum(row[key] for row in rows)
