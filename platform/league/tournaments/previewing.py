"""What an organiser is shown before the start: how much is played, how long it takes, how sure it will be."""

from dataclasses import dataclass

from arena.rules import Rules
from arena.schedule import ScheduleError
from arena.schedule import preview as schedule
from arena.schedule.plan import Entrant, Format
from league.common.errors import Conflict
from league.tournaments import workers
from league.tournaments.models import Tournament
from league.tournaments.planning import field_of, refusal, setup_of
from league.tournaments.progress import speed

MOST_ENTRANTS = 2_000


@dataclass(frozen=True)
class Expected:
    """A preview, and what its time was reckoned with: the workers at hand, and how fast each is."""

    entrants: int
    workers: int
    deals_per_second: float | None
    table_seconds: float | None
    plan: schedule.Preview


def preview(tournament: Tournament, entrants: int | None = None) -> Expected:
    """What it will be with the entrants that it has, or with so many, each of another owner.

    Raises Conflict where they can't play it.
    """
    field = field_of(tournament) if entrants is None else pretended(tournament, entrants)
    hands, measured = workers.at_hand(), speed()
    pace = measured.deals_per_second if measured else None
    start_s = measured.table_seconds if measured else None
    try:
        plan = schedule.preview(
            setup_of(tournament),
            field,
            Rules.from_json(tournament.rules),
            tournament.boards,
            workers=max(hands, 1),
            deals_per_second=pace if hands else None,
            table_seconds=start_s or 0.0,
        )
    except ScheduleError as error:
        raise refusal(error) from None
    return Expected(len(field), hands, pace, start_s, plan)


def pretended(tournament: Tournament, entrants: int) -> list[Entrant]:
    """A field of so many, those whom the format names among them."""
    if entrants > MOST_ENTRANTS:
        raise Conflict("too_many_entrants", f"{MOST_ENTRANTS} entrants are the most.", "entrants")
    options = tournament.options
    named = {
        Format.GAUNTLET: lambda: options["heroes"],
        Format.DUEL: lambda: [options["first"], options["second"]],
    }.get(Format(tournament.format), list)()
    others = (number for number in range(1, entrants + len(named) + 1) if number not in named)
    ids = [*named, *others][: max(entrants, len(named))]
    return [Entrant(id=each, owner=place) for place, each in enumerate(ids)]
