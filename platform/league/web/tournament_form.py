"""The form of a new tournament: the options of each format, and what was typed as the API takes it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest

from arena.schedule.plan import Format
from league.web import inside
from league.web.inside import refusal
from league.web.options import Option
from league.web.rule_options import rules_of
from league.web.rule_options import usual as usual_rules
from league.web.typed import whole

#: What is in the form before anything is typed.
USUAL = {
    "boards": "10",
    "rated": "on",
    "luck": "on",
    "disqualify_after": "12",
    "entrants": "8",
}

_NAMED = "Its name; with #2 behind it, that version, else the newest active one."
OPTIONS: Mapping[str, tuple[Option, ...]] = {
    Format.ROUND_ROBIN: (
        Option(
            "kind",
            "Kind",
            "Full: every set of bots that fits a table is a group once. Balanced: an even part of that.",
            "full",
            (("full", "full"), ("balanced", "balanced")),
        ),
        Option("groups_each", "Groups of each bot", "Balanced: at the least."),
        Option("meetings", "Meetings of each pair", "Balanced, in place of groups of each bot."),
    ),
    Format.SWISS: (Option("rounds", "Rounds", "From 1 to 100.", "5"),),
    Format.KNOCKOUT: (Option("advance", "How many of each table go on", "Fewer than sit there.", "2"),),
    Format.GAUNTLET: (
        Option("heroes", "Heroes", f"Whom it is about, one a line. {_NAMED}", versions=0),
        Option("meetings", "Meetings with each opponent", "At the least.", "1"),
    ),
    Format.DUEL: (
        Option("first", "First", _NAMED, versions=1),
        Option("second", "Second", _NAMED, versions=1),
        Option("groups", "Groups", "With tables of four, six use every pair of seats once.", "6"),
    ),
    Format.LADDER: (
        Option("groups", "Groups at a time", "", "1"),
        Option("rest_at", "A bot rests at ± Elo", "Of its 95 % interval; 0: none ever rests.", "0"),
    ),
}


def usual(format: str) -> dict[str, str]:
    """What the form has before anything is typed."""
    asked = {f"options.{option.name}": option.first for option in OPTIONS[format]}
    return {**USUAL, **usual_rules(), **asked}


def body(request: HttpRequest, format: str) -> dict[str, Any]:
    """What was typed, as the API takes it; a field that is empty is left out. Raises Problem for a bot that
    there isn't."""
    typed = request.POST
    told: dict[str, Any] = {"format": format, "options": _options(request, format), "rules": rules_of(typed)}
    told |= {name: whole(typed[name]) for name in ("boards", "disqualify_after") if typed.get(name)}
    told |= {name: name in typed for name in ("rated", "luck")}
    return told


def _options(request: HttpRequest, format: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for option in OPTIONS[format]:
        text = request.POST.get(f"options.{option.name}", "").strip()
        if not text:
            continue
        if option.versions is None:
            found[option.name] = text if option.choices else whole(text)
            continue
        ids = [
            _version(request, line, f"options.{option.name}") for line in text.splitlines() if line.strip()
        ]
        found[option.name] = ids[0] if option.versions == 1 else ids
    return found


def _version(request: HttpRequest, text: str, field: str) -> int:
    """The version that is meant by a bot's name, and perhaps a number behind it."""
    name, sign, number = text.strip().rpartition("#")
    if not sign or not (number.isascii() and number.isdecimal()):
        name, number = text, ""
    bots = inside.get(request, "bot-list", query={"name": name.strip()})["results"]
    if not bots:
        raise refusal("invalid", f"No bot is named “{name.strip()}”.", field)
    query = {"ordering": "-number"} if number else {"ordering": "-number", "status": "active"}
    versions = inside.get(request, "bot-versions", bots[0]["id"], query=query)["results"]
    for version in versions:
        if not number or version["number"] == int(number):
            wanted: int = version["id"]
            return wanted
    which = f"version {number}" if number else "active version"
    raise refusal("invalid", f"{bots[0]['name']} has no {which}.", field)
