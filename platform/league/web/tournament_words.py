"""Tournaments in words: what a format is, what the rules are, what an action does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.rules import Rules
from arena.schedule.plan import Format
from league.tournaments.waiting import Reason


@dataclass(frozen=True)
class Kind:
    """A format in words: its name, the question that it answers, and how much play that is."""

    title: str
    answers: str
    cost: str


KINDS: Mapping[str, Kind] = {
    Format.ROUND_ROBIN: Kind("Round robin", "Who is best?", "Everybody meets everybody, or an even part."),
    Format.SWISS: Kind("Swiss", "Who is best, in little time?", "A few rounds; like meets like."),
    Format.KNOCKOUT: Kind("Knockout", "Who wins tonight?", "The best of each table go on; over at once."),
    Format.GAUNTLET: Kind("Gauntlet", "How good is this bot against all others?", "A few groups a hero."),
    Format.DUEL: Kind("Duel", "Is the new version better than the old one?", "The cheapest for that."),
    Format.LADDER: Kind("Ladder", "Who is best right now?", "It never ends, and plays what teaches most."),
}

#: What the options of a format say; of a round robin by the option that is given.
_OPTIONS: Mapping[str, str] = {
    "full": "Every set of {players} bots is a group once.",
    "groups_each": "Balanced: every bot plays at least {groups_each} groups.",
    "meetings": "Balanced: every pair meets {meetings}, more or less.",
    Format.SWISS: "{rounds} rounds; in each, bots of like scores sit together.",
    Format.KNOCKOUT: "The best {advance} of each table go on, until one table is left: the final.",
    Format.GAUNTLET: "{heroes} against all the others, each at least {meetings}.",
    Format.LADDER: "It has no end; {groups} at a time, those groups that teach most.{rests}",
    Format.DUEL: "{first} against {second}: {groups} groups, the same cards and company, seats swapped.",
}

_RESTS = " A bot rests once its 95 % interval is ± {rest_at} Elo; when all rest, it waits for a newcomer."

#: What says the same of every tournament, or is said in words of its own.
_SAID = {"variant", "players", "threshold", "deals", "bids"}


def kind_in_words(tournament: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """The format with its options, in a sentence; `names`: of the versions that the options speak of."""
    options, named = tournament["options"], {}
    if "heroes" in options:
        named["heroes"] = ", ".join(names[hero] for hero in options["heroes"])
    named |= {side: names[options[side]] for side in ("first", "second") if side in options}
    if options.get("meetings"):
        named["meetings"] = times(options["meetings"])
    named["rests"] = _RESTS.format(**options) if options.get("rest_at") else ""
    kind = tournament["format"]
    if kind == Format.ROUND_ROBIN:
        kind = next((name for name in ("groups_each", "meetings") if options[name]), "full")
    return _OPTIONS[kind].format(**{**options, **named, "players": tournament["players"]})


def named_in(tournament: Mapping[str, Any]) -> list[int]:
    """The versions that a tournament's options speak of, by their ids."""
    options = tournament["options"]
    return [*options.get("heroes", ()), *(options[name] for name in ("first", "second") if name in options)]


def rules_in_words(rules: Mapping[str, Any]) -> list[str]:
    """The rules: the game, the end, the bids; then what is not as usual in this game."""
    told = [words_of(rules["variant"]), f"{rules['players']} players"]
    if rules["deals"]:
        told.append(f"{rules['deals']} deal{'s' * (rules['deals'] > 1)} a match")
    else:
        told.append(f"a match ends when somebody has {rules['threshold']} points")
    told.append(f"bids: {', '.join(rules['bids'])}" if rules["bids"] else "no bids")
    usual = Rules.make(variant=rules["variant"], players=rules["players"]).to_json()
    unusual = [name for name in rules if name not in _SAID and rules[name] != usual[name]]
    return told + [f"{words_of(name)}: {_value(rules[name])}" for name in unusual]


def times(count: int) -> str:
    """So many times."""
    return "once" if count == 1 else f"{count} times"


def words_of(name: str) -> str:
    """A name of programs, for people."""
    return name.replace("_", " ")


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{card} {points}" for card, points in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return words_of(str(value))


@dataclass(frozen=True)
class Deed:
    """What an organiser may do: the button, what it does, and whether that can be undone; what is told when
    it is done. `danger`: it can't be undone, and somebody may be sorry."""

    button: str
    does: str
    undone: str
    done: str
    danger: bool = False


DEEDS: Mapping[str, Deed] = {
    "open": Deed(
        "Open it",
        "Everybody sees it from then on, and bots may enter and leave.",
        "It can't become a draft again; it can be cancelled.",
        "It is open: bots may enter.",
    ),
    "start": Deed(
        "Start it",
        "Nobody enters or leaves freely any more; the first round is planned and played as soon as there is "
        "a worker. The commitments of all its boards are public from then on.",
        "It can't be undone; it can be paused, and cancelled.",
        "It is started.",
    ),
    "pause": Deed(
        "Pause it",
        "Tables that are being played are played to their end; no other begins.",
        "It can be undone: resume it.",
        "It is paused.",
    ),
    "resume": Deed("Resume it", "Its tables are played again.", "It can be undone: pause it.", "It goes on."),
    "extend": Deed(
        "Play more boards",
        "Every group plays new boards, seated as before; what was played stays as it is. Groups with a bot "
        "that is out get none. What was finished runs again.",
        "It can't be undone; it can be paused.",
        "More boards are planned.",
    ),
    "replay": Deed(
        "Replay what failed",
        "The tables that the platform failed at three times go back into the queue. They have no result yet, "
        "and no bot is blamed.",
        "There is nothing to undo: only what was not played is played.",
        "Its tables wait in the queue again.",
    ),
    "finish": Deed(
        "Let it end",
        "What is planned is played; no more is planned, and nobody else enters.",
        "It can't be undone.",
        "It ends when what is planned is played.",
        danger=True,
    ),
    "cancel": Deed(
        "Cancel it",
        "It stops for good: no other table is played. Boards that are complete still count; seeds and "
        "records become public.",
        "It can't be undone.",
        "It is cancelled.",
        danger=True,
    ),
}

#: How a duel stands, by its verdict.
VERDICTS = {
    "first": "{first} is the better one.",
    "second": "{second} is the better one.",
    "neither": "No difference was found, and the boards that are left would hardly show one.",
    "open": "It isn't decided yet.",
}

#: Why the next table waits.
WAITS: Mapping[str, str] = {
    Reason.PAUSED: "the tournament is paused",
    Reason.QUEUE: "others go first",
    Reason.RETRY: "the platform failed; it is tried again soon",
    Reason.NO_WORKER: "no play worker has been seen for some time: tell the operator",
    Reason.PARKED: "the platform failed three times: it can be replayed",
}
