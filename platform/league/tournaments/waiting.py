"""Why a table waits, told for people and for programs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings
from django.utils import timezone

from league.tournaments import workers
from league.tournaments.lifecycle import TableStatus, TournamentStatus
from league.tournaments.models import Table, Tournament
from league.tournaments.queue import queue


class Reason(StrEnum):
    """Why a table is not being played.

    paused: its tournament is · queue: others go first · retry: the platform failed, it is tried again at a
    known time · no_worker: no play worker has been heard of · parked: the platform failed too often.
    """

    PAUSED = "paused"
    QUEUE = "queue"
    RETRY = "retry"
    NO_WORKER = "no_worker"
    PARKED = "parked"


@dataclass(frozen=True)
class Waiting:
    """What a waiting table waits for.

    Attributes:
        place: in the queue of all organisers, from 1; None where it isn't in it.
        cause: what the platform failed with the last time: a stable code; empty where it hasn't.
    """

    reason: Reason
    place: int | None
    message: str
    cause: str


@dataclass(frozen=True)
class Moment:
    """What the reasons depend on beside the table; `worker_at`: the last sign of any play worker."""

    now: datetime
    paused: bool
    places: dict[int, int]
    worker_at: datetime | None

    def why(self, table: Table) -> Waiting | None:
        """What the table waits for; None for one that doesn't wait."""
        cause = table.failure.partition(":")[0]
        place = self.places.get(table.pk)
        if table.status == TableStatus.PARKED:
            text = f"The platform failed {table.attempt} times ({cause}); its organiser can replay it."
            return Waiting(Reason.PARKED, None, text, cause)
        if table.status != TableStatus.QUEUED:
            return None
        if self.paused:
            return Waiting(Reason.PAUSED, None, "The tournament is paused.", cause)
        if place is None and table.not_before and table.not_before > self.now:
            text = f"The platform failed ({cause}); it is tried again at {table.not_before:%H:%M:%S} UTC."
            return Waiting(Reason.RETRY, None, text, cause)
        silent = self.now - max(filter(None, (self.worker_at, table.status_at)))
        if silent > timedelta(seconds=settings.LEASE_S):
            text = f"No play worker has been seen for {silent.total_seconds():.0f} s."
            return Waiting(Reason.NO_WORKER, place, text, cause)
        return Waiting(Reason.QUEUE, place, f"Place {place} in the queue.", cause)


def moment(tournament: Tournament, tables: Iterable[Table]) -> Moment:
    """The present, as far as these tables of the tournament's need it."""
    queued = [table.pk for table in tables if table.status == TableStatus.QUEUED]
    paused = tournament.status == TournamentStatus.PAUSED
    if paused or not queued:
        return Moment(timezone.now(), paused, {}, None)
    here = queue()
    return Moment(here.now, paused, here.places(tournament.organiser_id, queued), workers.last_seen())
