"""What a tournament's results say beside the standings: a duel's verdict, and who does better beside whom."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.ratings.duel import FIRST_LOOK, Duel, differences, duel
from arena.ratings.partners import LEVEL, Partners, partner_effects
from arena.ratings.results import Results
from arena.schedule.plan import Format
from league.bots.models import Version
from league.common.errors import Conflict
from league.matches.columns import counted, results
from league.ratings.kept import kept
from league.ratings.models import Pool
from league.tournaments.models import Board, Tournament

#: A report on more is for the command line (`manage.py partner_report`).
MOST_MATCHES = 50_000


@dataclass(frozen=True)
class DuelReport:
    """How the duel of a tournament stands."""

    first: Version
    second: Version
    duel: Duel


def duel_report(tournament: Tournament) -> DuelReport:
    """The sequential test on the boards that were planned at the start, in the order of the plan up to the
    first that is not complete, so that a verdict never changes.

    Raises Conflict for another format, and where too few boards are planned for a test.
    """
    if tournament.format != Format.DUEL:
        raise Conflict("not_a_duel", f"The tournament is a {tournament.format}; only a duel has a verdict.")
    first, second = int(tournament.options["first"]), int(tournament.options["second"])
    verdict = kept(tournament, "duel", lambda: _duel(tournament, first, second))
    versions = Version.objects.select_related("bot__owner").in_bulk([first, second])
    return DuelReport(versions[first], versions[second], verdict)


def _duel(tournament: Tournament, first: int, second: int) -> Duel:
    planned = Board.objects.filter(group__tournament=tournament, batch=1).order_by("group__number", "number")
    boards = list(planned.values_list("group__number", "number", "complete"))
    if len(boards) < FIRST_LOOK:
        raise Conflict(
            "too_few_boards", f"A verdict needs {FIRST_LOOK} boards at least; {len(boards)} are planned."
        )
    played = results(tournament)
    whole = next((at for at, (_, _, complete) in enumerate(boards) if not complete), len(boards))
    known = {(group, number) for group, number, _ in boards[:whole]}
    chosen = np.array([key in known for key in zip(played.group, played.board, strict=True)], bool)
    gaps = differences(_only(played, chosen), first, second) if chosen.any() else np.empty(0)
    return duel(gaps, len(boards))


def _only(played: Results, chosen: Any) -> Results:
    """The matches that were chosen."""
    columns = {
        field.name: getattr(played, field.name)[chosen]
        for field in dataclasses.fields(played)
        if field.name != "competitors"
    }
    return dataclasses.replace(played, **columns)


@dataclass(frozen=True)
class PartnerReport:
    """The pairs of a pool or a tournament whose effect on each other is too large for chance."""

    results_hash: str
    matches: int
    level: float
    effects: tuple[Partners, ...]
    versions: Mapping[int, Version]


def partner_report(scope: Pool | Tournament, most: int | None = MOST_MATCHES) -> PartnerReport:
    """Who does better or worse than expected when a certain other sits at the table; computed at once, and
    kept for a day. The same results give the same report.

    Raises Conflict for more matches than `most`.
    """
    digest, matches, effects = kept(scope, f"partners in {most}", lambda: _partners(scope, most))
    ids = {pk for effect in effects for pk in (effect.one, effect.other)}
    versions = Version.objects.select_related("bot__owner").in_bulk(ids)
    return PartnerReport(digest, matches, LEVEL, effects, versions)


def _partners(scope: Pool | Tournament, most: int | None) -> tuple[str, int, tuple[Partners, ...]]:
    if most is not None and (many := counted(scope)[: most + 1].count()) > most:
        text = f"More than {most} matches count there ({many}); an operator can have the report made."
        raise Conflict("too_many_matches", text)
    played = results(scope)
    return played.digest, played.matches, partner_effects(played, seed=int(played.digest[:8], 16))
