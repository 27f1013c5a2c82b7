"""The way into the schedule: four questions that every format answers.

    setup = Setup(options_from_json("swiss", {"rounds": 5}), players=4, owners_apart=True, seed="…")
    check(setup, field)                      # ScheduleError, or it can be played
    count(setup, field)                      # how much that is
    round = next_round(setup, field, [])     # play it, put what came of it in the history
    …                                        # until it is None
    ranking(setup, field, history)           # the final order, where the format has its own

The field is in the order of its seeds, best first: knockout gives byes by it and breaks ties by it. Keep the
order, and keep who withdrew or was disqualified in it, with that status, to the end.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from arena.rules import MAX_PLAYERS, MIN_PLAYERS
from arena.schedule import ScheduleError
from arena.schedule.duel import Duel
from arena.schedule.gauntlet import Gauntlet
from arena.schedule.knockout import Knockout
from arena.schedule.ladder import Ladder
from arena.schedule.plan import Counts, Entrant, Format, History, Options, Place, Round, Setup, Skill
from arena.schedule.round_robin import RoundRobin
from arena.schedule.swiss import Swiss

#: Each format by its name, and the class of its options. Their docstrings say what each option means.
FORMATS: Mapping[Format, type[Options]] = {
    kind.format: kind for kind in (RoundRobin, Gauntlet, Swiss, Knockout, Ladder, Duel)
}


def options_from_json(format: str, data: Mapping[str, Any]) -> Options:
    """The options of a format from JSON, checked and with their defaults.

    Raises:
        ScheduleError: `unknown_format`, `unknown_option` or `option`; the message names what would be right.
    """
    if format not in FORMATS:
        raise ScheduleError(
            "unknown_format", f"there is no format {format!r}; there are {', '.join(FORMATS)}"
        )
    return FORMATS[Format(format)].from_json(data)


def check(setup: Setup, field: Sequence[Entrant]) -> None:
    """Refuse a field that can't be played as set up; entrants who are not `in` don't count.

    Raises:
        ScheduleError: with a code, and a sentence that gives the numbers.
    """
    if not MIN_PLAYERS <= setup.players <= MAX_PLAYERS:
        raise ScheduleError(
            "table_size",
            f"a table can't have {setup.players} players; {MIN_PLAYERS} to {MAX_PLAYERS} are possible",
        )
    ids = [entrant.id for entrant in field]
    if len(set(ids)) < len(ids):
        doubled = next(each for place, each in enumerate(ids) if each in ids[:place])
        raise ScheduleError("entered_twice", f"{doubled} is entered twice; each entrant may be given once")
    setup.options.check(setup, field)


def count(setup: Setup, field: Sequence[Entrant]) -> Counts:
    """Rounds, groups and tables, without planning them. Raises as `check` does."""
    check(setup, field)
    return setup.options.count(setup, field)


def next_round(
    setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill] | None = None
) -> Round | None:
    """What to play after `history`, or None: the tournament is over.

    Call it when the round before is over: each of its groups is complete or was broken off (a member withdrew
    or was disqualified, a table stayed void). A ladder may be asked while groups are running: they are in the
    history, without a score. Equal arguments give equal answers.

    Args:
        field: with everybody's status as it is now.
        history: every round so far; a ladder wants only the last ones.
        skills: ratings by entrant, for a ladder. Who is missing there is unknown: `Skill()`.

    Raises:
        ScheduleError: as `check` does, at the start. Later a field that has become too small is no error: the
            tournament is over.
    """
    if not history:
        check(setup, field)
    return setup.options.next_round(setup, field, history, skills or {})


def ranking(setup: Setup, field: Sequence[Entrant], history: History) -> list[Place] | None:
    """The final (or, between rounds, the present) order of a swiss or a knockout, best first, everyone once.

    None for the other formats: their order is that of the standings. What a withdrawn entrant reached stays;
    the disqualified share the last rank.
    """
    return setup.options.ranking(setup, field, history)
