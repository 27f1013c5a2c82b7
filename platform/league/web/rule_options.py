"""The rules of a new tournament, as a form asks for them: every option of docs/rules.md, and what was typed
as the API takes it."""

from collections.abc import Mapping
from typing import Any

from arena.rules import (
    DEFAULT_THRESHOLD,
    MAX_PLAYERS,
    MIN_PLAYERS,
    Ace,
    DealKind,
    FailedBid,
    Revoke,
    RulesError,
    Tiebreak,
    Variant,
    value_of,
)
from league.web.inside import refusal
from league.web.options import Choices, Option
from league.web.tournament_words import words_of

#: The option that is none: in a form nothing typed means "as usual".
NONE = "none"
USUAL = ("", "as usual in this game")
YES_NO: Choices = (("", "no"), ("true", "yes"))


def _of(*values: str, first: tuple[str, str] | None = None) -> Choices:
    """Values with their names in words; with no `first` the first of them is what nothing typed means."""
    named = tuple((str(value), words_of(value)) for value in values)
    return (first, *named) if first else (("", named[0][1]), *named[1:])


#: What a tournament is most often told.
COMMON: tuple[Option, ...] = (
    Option("variant", "Game", choices=tuple((str(each), words_of(each)) for each in Variant)),
    Option(
        "players",
        "Players at a table",
        "Knaves: 3 or 4.",
        usual="4",
        choices=tuple((str(each), str(each)) for each in range(MIN_PLAYERS, MAX_PLAYERS + 1)),
    ),
    Option(
        "threshold",
        "A match ends at",
        f"Points. Left empty: {DEFAULT_THRESHOLD}, unless it ends after a number of deals.",
    ),
    Option("deals", "or after", "Deals."),
)
#: The others: what is left as it is has its default.
MORE: tuple[Option, ...] = (
    Option(
        "bids",
        "Bids",
        "What a bot may announce before the first lead: Capot, to win every trick (if so, 5 points for each "
        "other; if not, 5 for itself); General, the same, and 5 points off for who makes it.",
        choices=(
            USUAL,
            (NONE, "nobody may bid"),
            ("capot", "Capot"),
            ("general", "General"),
            ("capot,general", "Capot or General"),
        ),
    ),
    Option(
        "failed_bid",
        "A bid that fails",
        "Add: 5 points, and what was captured. Replace: 5 points, and nothing for what was captured.",
        choices=_of(*FailedBid),
    ),
    Option(
        "revoke",
        "Who does not follow suit",
        "Correct: the card is refused, and another must be played. Penalty: it stands, and costs 5 points at "
        "the end of the deal. Forfeit: the match is lost at once.",
        choices=_of(*Revoke),
    ),
    Option(
        "tiebreak",
        "Equal at the end",
        "Playoff: who shares the lowest total plays on for the first place. Shared: they share it.",
        choices=_of(*Tiebreak),
    ),
    Option("max_playoffs", "Playoff deals at most", "From 0 to 100; then the place is shared. Usual: 20."),
    Option(
        "quick_end",
        "Quick end",
        "Yes: a match ends in the midst of a deal, once somebody has exactly the points at which it ends.",
        choices=YES_NO,
    ),
    Option("max_deals", "Deals at most", "From 1 to 1000, however few points there are. Usual: 200."),
    Option(
        "deal",
        "Five or six players",
        "Even: without two sevens, everybody holds as many cards. Uneven: all 32, some hold one more.",
        choices=_of(*DealKind),
    ),
    Option(
        "ace",
        "The ace",
        "Below the jack: K Q J A 10 9 8 7. High: A K Q J 10 9 8 7.",
        choices=_of(*Ace, first=USUAL),
    ),
    Option(
        "card_points",
        "Cards that cost points",
        "Rank and suit, then points: JS:2, JH:1. Only these count then. Left empty: those of the game.",
        size=24,
    ),
    Option("first_trick", "The first trick costs", "Points. Left empty: as usual in this game."),
    Option("last_trick", "The last trick costs", "Points. Left empty: as usual in this game."),
    Option(
        "all_three_bonus",
        "All three cost besides",
        "Points for who takes the first trick, the last one and the queen of clubs. Left empty: as usual.",
    ),
)


def usual() -> dict[str, str]:
    """What the form has before anything is typed."""
    return {f"rules.{option.name}": option.first for option in (*COMMON, *MORE)}


def rules_of(typed: Mapping[str, str]) -> dict[str, Any]:
    """The options that were typed; what can't be read is left as it is, for the API to refuse in its words.

    Raises Problem for cards of which one is named twice.
    """
    told: dict[str, Any] = {}
    for option in (*COMMON, *MORE):
        text = "".join(typed.get(f"rules.{option.name}", "").split())
        if not text:
            continue
        try:
            told[option.name] = value_of(option.name, "" if text == NONE else text)
        except RulesError as error:
            raise refusal("bad_rules", str(error), f"rules.{option.name}") from None
    return told


def opened(typed: Mapping[str, str]) -> bool:
    """Whether the further options are shown at once: one of them isn't as usual."""
    before = usual()
    return any(typed.get(name, "") != before[name] for option in MORE if (name := f"rules.{option.name}"))
