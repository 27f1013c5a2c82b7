"""What the pages of tournaments say again and again: who, and how long."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.web.tournament_words import WAITS

register = template.Library()

MINUTE, HOUR, DAY = 60, 3600, 86_400


@register.filter
def who(row: Mapping[str, Any]) -> SafeString:
    """A version: its bot's name as a link, and its number."""
    try:
        link = reverse("bot", args=[row["bot_id"]])
    except NoReverseMatch:
        return format_html('{} <span class="unit">#{}</span>', row["bot"], row["version"])
    return format_html('<a href="{}">{}</a> <span class="unit">#{}</span>', link, row["bot"], row["version"])


@register.filter
def duration(seconds: float | None) -> str:
    """A time that something takes, in the units that say enough of it; js/progress.js says the same."""
    if seconds is None:
        return "unknown"
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds / MINUTE:.0f} min"
    if seconds < DAY:
        return f"{seconds // HOUR:.0f} h {seconds % HOUR // MINUTE:.0f} min"
    return f"{seconds // DAY:.0f} d {seconds % DAY // HOUR:.0f} h"


@register.filter
def half(value: float | None) -> float | None:
    """From the middle of an interval to its end, by its width."""
    return None if value is None else value / 2


@register.filter
def hundredths(share: float | None) -> float | None:
    """A share in percent, where it is shown with its interval."""
    return None if share is None else 100 * share


@register.filter
def waits(reason: str, place: int | None) -> str:
    """Why a table waits, and its place in the queue."""
    return WAITS[reason] if place is None else f"{WAITS[reason]}, place {place}"
