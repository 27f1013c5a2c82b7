"""The form of a new tournament: the options of each format, and what was typed as the API takes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, QueryDict

from arena.rules import MAX_PLAYERS, MIN_PLAYERS, Variant
from arena.schedule.plan import Format
from league.web import inside
from league.web.inside import refusal
from league.web.tournament_words import words_of
from league.web.typed import whole

#: What is in the form before anything is typed.
USUAL = {
    "rules.variant": str(Variant.POLIGNAC),
    "rules.players": "4",
    "boards": "10",
    "rated": "on",
    "luck": "on",
    "disqualify_after": "12",
    "entrants": "8",
}
VARIANTS = [(str(each), words_of(each)) for each in Variant]
PLAYERS = [(str(each), str(each)) for each in range(MIN_PLAYERS, MAX_PLAYERS + 1)]
#: How a match ends.
ENDS = ("threshold", "deals")


@dataclass(frozen=True)
class Option:
    """An option of a format: its field. `versions`: how many bots it names, None where it is a number or a
    choice; 0: any number."""

    name: str
    label: str
    hint: str = ""
    usual: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    versions: int | None = None


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
    Format.LADDER: (Option("groups", "Groups at a time", "", "1"),),
}


def usual(format: str) -> dict[str, str]:
    """What the form has before anything is typed."""
    return USUAL | {f"options.{option.name}": option.usual for option in OPTIONS[format]}


def body(request: HttpRequest, format: str) -> dict[str, Any]:
    """What was typed, as the API takes it; a field that is empty is left out. Raises Problem for a bot that
    there isn't."""
    typed = request.POST
    told: dict[str, Any] = {"format": format, "options": _options(request, format), "rules": _rules(typed)}
    told |= {name: whole(typed[name]) for name in ("boards", "disqualify_after") if typed.get(name)}
    told |= {name: name in typed for name in ("rated", "luck")}
    return told


def _rules(typed: QueryDict) -> dict[str, Any]:
    rules: dict[str, Any] = {"variant": typed.get("rules.variant", USUAL["rules.variant"])}
    for name in ("players", *ENDS):
        if text := typed.get(f"rules.{name}", "").strip():
            rules[name] = whole(text)
    return rules


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
