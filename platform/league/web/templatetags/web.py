"""What templates say again and again: numbers with intervals, times, bars, badges (docs/design.md)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import template
from django.utils.dateparse import parse_datetime
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()

#: What a status is, by its colour; what isn't here is plain.
TONES = {
    "good": {"active", "finished", "done", "passed", "delivered"},
    "info": {"running", "open", "playing", "checking"},
    "warn": {"paused", "parked", "withdrawn", "queued", "received", "waiting", "skipped"},
    "bad": {"rejected", "cancelled", "disqualified", "failed", "disabled"},
}

GROUPED_FROM = 10_000


@register.simple_tag
def badge(status: str) -> SafeString:
    """A status as a badge."""
    tone = next((tone for tone, those in TONES.items() if status in those), "")
    return format_html('<span class="badge {}">{}</span>', tone, status.replace("_", " "))


@register.filter
def words(name: str) -> str:
    """A name of programs, for people."""
    return name.replace("_", " ")


@register.filter
def when(value: datetime | str | None) -> SafeString | str:
    """A time, in UTC as it is sent; js/site.js shows it in the reader's zone."""
    moment = parse_datetime(value) if isinstance(value, str) else value
    if moment is None:
        return "–"
    text = f"{moment:%Y-%m-%dT%H:%M:%SZ}"
    return format_html('<time datetime="{}">{} UTC</time>', text, f"{moment:%Y-%m-%d %H:%M}")


@register.filter
def number(value: float | None, digits: int = 0) -> str:
    """A number with so many digits behind the point; a dash for none. From five digits on they stand in
    groups of three."""
    if value is None:
        return "–"
    text = f"{value:,.{digits}f}" if abs(value) >= GROUPED_FROM else f"{value:.{digits}f}"
    return text.replace(",", "\u202f").replace("-", "−")


@register.filter
def ms(value: float | None) -> str:
    """A time in milliseconds, in the unit that suits it; js/words.js says the same."""
    if value is None:
        return "–"
    unit, told, digits = ("s", value / 1000, 1) if value >= 999.5 else ("ms", value, 2)
    return f"{told:.{digits if told < 9.95 else 0}f}".removesuffix(f".{'0' * digits}") + f" {unit}"


@register.filter
def game(pool: dict[str, Any]) -> str:
    """What a pool plays: its variant, how many play, and when a match ends."""
    rules = pool["rules"]
    ends = (
        f"{rules['deals']} deal{'s' * (rules['deals'] != 1)}"
        if rules["deals"]
        else f"to {rules['threshold']} points"
    )
    return f"{words(pool['variant'])}, {pool['players']} players, {ends}"


@register.filter
def percent(share: float | None, digits: int = 0) -> str:
    """A share as a number of hundredths."""
    return number(None if share is None else 100 * share, digits)


@register.filter
def certainty(chance: float) -> str:
    """A probability in words that promise no more than is known."""
    return "over 99 %" if chance > 0.99 else f"{chance:.0%}".replace("%", " %")


@register.filter
def change(value: float | None, digits: int = 0) -> str:
    """A difference, with its sign."""
    return "–" if value is None else ("+" if round(value, digits) > 0 else "") + number(value, digits)


@register.simple_tag
def estimate(value: float, low: float | None, high: float | None, digits: int = 0) -> SafeString:
    """An estimate with its 95 % interval behind it."""
    if low is None or high is None:
        return format_html("{}", number(value, digits))
    return format_html(
        '{} <span class="range">{} to {}</span>',
        number(value, digits),
        number(low, digits),
        number(high, digits),
    )


@dataclass(frozen=True)
class Scale:
    """What a column's bars have in common: the values at their left and right ends."""

    low: float
    high: float

    def percent(self, value: float) -> str:
        """Where a value stands."""
        width = self.high - self.low
        return f"{100 * (value - self.low) / width:.1f}%" if width else "50%"


def scale(rows: list[dict[str, Any]], low: str, high: str) -> Scale:
    """The scale on which all of these intervals can be drawn; those that can't be told are left out."""
    lows = [row[low] for row in rows if row[low] is not None]
    highs = [row[high] for row in rows if row[high] is not None]
    return Scale(min(lows, default=0.0), max(highs, default=1.0))


@register.simple_tag
def interval(
    on: Scale, value: float, low: float | None, high: float | None, unsure: bool = False
) -> SafeString:
    """The bar of an estimate on its column's scale."""
    if low is None or high is None:
        return SafeString("")
    label = f"{number(value, 2)}, 95 % between {number(low, 2)} and {number(high, 2)}"
    return format_html(
        '<svg class="interval{}" role="img" aria-label="{}">'
        '<line x1="{}" x2="{}" y1="50%" y2="50%"/><circle cx="{}" cy="50%" r="4"/></svg>',
        " unsure" if unsure else "",
        label,
        on.percent(low),
        on.percent(high),
        on.percent(value),
    )


@register.simple_tag(takes_context=True)
def sort_link(context: dict[str, Any], field: str, label: str) -> SafeString:
    """The head of a column that the list can be ordered by; once more turns the order round."""
    query = context["request"].GET.copy()
    now = query.get("ordering", "")
    query.pop("cursor", None)
    query["ordering"] = f"-{field}" if now == field else field
    return format_html('<a href="?{}">{}</a>', query.urlencode(), label)


@register.simple_tag(takes_context=True)
def sorted_by(context: dict[str, Any], field: str) -> SafeString:
    """The attribute of a column's head that says whether the list is ordered by it."""
    now = context["request"].GET.get("ordering", "")
    if now.removeprefix("-") != field:
        return SafeString("")
    return format_html('aria-sort="{}"', "descending" if now.startswith("-") else "ascending")
