"""What can be listened to: a table of kinds, each with who may see it and what its state is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from league.accounts.models import User
from league.api.serializers.bots import VersionOut
from league.api.serializers.matches import MatchOut
from league.api.serializers.plan import ProgressOut
from league.api.serializers.ratings import PoolOut, RatingOut
from league.api.serializers.sittings import SittingOut
from league.bots.models import Version
from league.bots.quotas import WAITING
from league.bots.selectors import versions_for
from league.live.events import Event, event
from league.matches import selectors as matches
from league.matches.models import Match
from league.ratings import selectors as ratings
from league.ratings.models import Pool
from league.ratings.selectors import is_up_to_date
from league.sittings.lifecycle import OPEN
from league.sittings.models import Sitting
from league.sittings.selectors import sittings_of
from league.tournaments import selectors as tournaments
from league.tournaments.models import Tournament
from league.tournaments.progress import progress

#: How much of a ladder its stream tells; the rest has `ratings/?pool=`.
HEAD = 50


@dataclass(frozen=True)
class Subject:
    """Something to listen to: a kind of KINDS, and the row's id."""

    kind: str
    pk: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.pk}"


@dataclass(frozen=True)
class State:
    """How a subject is. `wakes`: the subject whose nudges mean this one, too."""

    event: Event
    wakes: str


@dataclass(frozen=True)
class Kind:
    """A kind of subject.

    Attributes:
        rows: all there are, ready to be told.
        visible: those that somebody (None: a stranger) may see; None: everybody sees all.
        state: what an event tells of a row; the same for everybody who may see it.
        over: whether nothing can change any more.
        wakes: whose nudges mean a row; by default its own.
        passing: the keys of estimates, which alone make no event.
    """

    rows: Callable[[], QuerySet[Any]]
    state: Callable[[Any], Mapping[str, Any]]
    over: Callable[[Any], bool]
    visible: Callable[[User | None], QuerySet[Any]] | None = None
    wakes: Callable[[Any], str] | None = None
    passing: tuple[str, ...] = ()


def _versions(user: User | None) -> QuerySet[Version]:
    return versions_for(user) if user else Version.objects.none()


def _match(match: Match) -> Mapping[str, Any]:
    return {
        **MatchOut(match).data,
        "counts": match.board.complete,
        "record_public": tournaments.is_over(match.tournament),
    }


def _ladder(pool: Pool) -> Mapping[str, Any]:
    lines = ratings.lines(ratings.current_of(pool))[:HEAD]
    return {**PoolOut(pool).data, "ratings": RatingOut(lines, many=True).data}


KINDS: Mapping[str, Kind] = {
    "tournament": Kind(
        rows=Tournament.objects.all,
        visible=tournaments.visible_to,
        state=lambda tournament: ProgressOut(progress(tournament)).data,
        # What its last matches add up to comes a little later.
        over=lambda tournament: tournaments.is_over(tournament) and is_up_to_date(tournament),
        passing=("matches_per_minute", "deals_per_minute", "seconds_left"),
    ),
    "match": Kind(
        rows=matches.matches,
        state=_match,
        over=lambda match: tournaments.is_over(match.tournament),
        wakes=lambda match: f"tournament:{match.tournament_id}",
    ),
    "version": Kind(
        rows=lambda: Version.objects.select_related("bot__owner").prefetch_related("checks"),
        visible=_versions,
        state=lambda version: VersionOut(version).data,
        over=lambda version: version.status not in WAITING,
    ),
    "sitting": Kind(
        rows=Sitting.objects.all,
        visible=sittings_of,
        state=lambda sitting: SittingOut(sitting).data,
        over=lambda sitting: sitting.status not in OPEN and not sitting.to_compare,
    ),
    "pool": Kind(rows=ratings.pools, state=_ladder, over=lambda _: False),
}


def look(subject: Subject) -> State | None:
    """How the subject is now; None when it is gone."""
    kind = KINDS[subject.kind]
    row = kind.rows().filter(pk=subject.pk).first()
    if row is None:
        return None
    told = event(subject.kind, kind.state(row), over=kind.over(row), passing=kind.passing)
    return State(told, kind.wakes(row) if kind.wakes else str(subject))


def seen_by(user: User | None, kind: str) -> QuerySet[Any]:
    """The rows of a kind that this user may listen to."""
    of = KINDS[kind]
    return of.visible(user) if of.visible else of.rows()
