"""Cards and seats in words, as js/words.js has them."""

from collections.abc import Sequence
from typing import Any

from django import template

register = template.Library()

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@register.filter
def card(text: str) -> str:
    """A card: "J♠", with 10 for the ten; what is none stays as it is ("last trick")."""
    if len(text) != 2 or text[1] not in SIGNS:
        return text
    return ("10" if text[0] == "T" else text[0]) + SIGNS[text[1]]


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
