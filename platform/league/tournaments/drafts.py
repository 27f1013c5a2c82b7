"""A tournament as asked for: its rules, its format and their options, checked before anything is stored."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from arena.protocol import ClockLimits
from arena.rules import Rules, RulesError
from arena.schedule import ScheduleError
from arena.schedule.formats import options_from_json
from arena.schedule.plan import Format
from league.common.errors import Invalid
from league.tournaments.duration import most_boards
from league.tournaments.models import MAX_BOARDS, Tournament

CLOCK = ClockLimits()
MAX_IN_A_ROW = 1000


def draft(
    rules: Mapping[str, Any],
    boards: int,
    *,
    format: str = Format.ROUND_ROBIN,
    options: Mapping[str, Any] | None = None,
    rated: bool = True,
    luck: bool = True,
    disqualify_after: int = 12,
) -> Tournament:
    """A tournament as asked for, not stored.

    Raises Invalid for rules or options that can't be played (naming the option), and for more boards than a
    table can play in its time.
    """
    try:
        resolved = Rules.from_json(rules)
    except RulesError as error:
        option = error.option.partition("[")[0]  # card_points[JS] is one of its cards
        raise Invalid("bad_rules", str(error), f"rules.{option}") from None
    try:
        wanted = options_from_json(format, options or {})
    except ScheduleError as error:
        if error.code == "unknown_format":
            raise Invalid(error.code, str(error), "format") from None
        field = f"options.{error.option}" if error.option else "options"
        raise Invalid("bad_options", str(error), field) from None
    most = min(MAX_BOARDS, most_boards(resolved, CLOCK, settings.PLAY_LIMIT_S))
    if not 1 <= boards <= most:
        raise Invalid("bad_boards", f"With these rules a group plays 1 to {most} boards.", "boards")
    if not 0 <= disqualify_after <= MAX_IN_A_ROW:
        raise Invalid("bad_number", f"0 (never) to {MAX_IN_A_ROW} matches in a row.", "disqualify_after")
    return Tournament(
        format=format,
        options=wanted.to_json(),
        rules=resolved.to_json(),
        players=resolved.players,
        boards=boards,
        rated=rated,
        luck=luck,
        disqualify_after=disqualify_after,
    )
