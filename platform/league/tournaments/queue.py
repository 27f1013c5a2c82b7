"""The tables that wait: which is next, and at what place the others are (`fairness` says why)."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from league.common.claims import Claim
from league.common.lifecycle import OURS
from league.tournaments.fairness import Line, in_order, place
from league.tournaments.lifecycle import TableStatus, TournamentStatus
from league.tournaments.models import Table, Tournament, Turn
from league.tournaments.tables import claim_table


def takeable(now: datetime) -> QuerySet[Table]:
    """The tables that a worker may take: not those of a paused tournament, nor one that has just failed."""
    return _ready(now).filter(tournament__status=TournamentStatus.RUNNING).order_by("pk")


def _ready(now: datetime) -> QuerySet[Table]:
    """Those, and the ready ones of paused tournaments: the index `table_queue` knows all of it."""
    ready = Q(not_before=None) | Q(not_before__lte=now)
    return Table.objects.filter(ready, status=TableStatus.QUEUED)


@dataclass(frozen=True)
class Queue:
    """The queue at one moment: a line for each organiser of whom something waits, and the table at its
    head."""

    lines: dict[int, Line]
    heads: dict[int, int]
    now: datetime

    @property
    def waiting(self) -> int:
        """How many tables a worker could take."""
        return sum(line.waiting for line in self.lines.values())

    def places(self, organiser: int, tables: Collection[int]) -> dict[int, int]:
        """The places, from 1, of those of the tables, all of one organiser's, that a worker could take."""
        line = self.lines.get(organiser)
        if line is None or not tables:
            return {}
        own = takeable(self.now).filter(tournament__organiser=organiser)
        # Thousands may wait in front of them: those are counted, not read.
        before = own.filter(pk__lt=min(tables)).count()
        ids = own.filter(pk__range=(min(tables), max(tables))).values_list("pk", flat=True)
        at = {table: before + index for index, table in enumerate(ids)}
        return {table: place(self.lines.values(), line, at[table]) for table in tables if table in at}


def queue(now: datetime | None = None) -> Queue:
    """The queue as it is now."""
    now = now or timezone.now()
    running = Tournament.objects.filter(status=TournamentStatus.RUNNING).values_list("pk", "organiser")
    organisers = dict(running)
    waits = _ready(now).order_by().values("tournament_id").annotate(n=Count("pk"), head=Min("pk"))
    waiting, heads = defaultdict[int, int](int), dict[int, int]()
    for row in waits:
        if (organiser := organisers.get(row["tournament_id"])) is not None:
            waiting[organiser] += row["n"]
            heads[organiser] = min(row["head"], heads.get(organiser, row["head"]))
    in_play = Table.objects.filter(status=TableStatus.PLAYING).order_by().values("tournament__organiser")
    playing = dict(in_play.annotate(n=Count("pk")).values_list("tournament__organiser", "n"))
    turns = Turn.objects.filter(organiser__in=waiting).values_list("organiser", "served_at")
    served = {organiser: at.timestamp() for organiser, at in turns}
    lines = {
        organiser: Line(organiser, count, playing.get(organiser, 0), served.get(organiser, 0.0))
        for organiser, count in waiting.items()
    }
    return Queue(lines, heads, now)


@transaction.atomic
def claim_next() -> Claim | None:
    """Take the table that is next to play it; None when nothing waits.

    On SQLite the transaction has the database to itself. Elsewhere a table that another worker is about to
    take is passed over, so that workers neither wait for each other nor come away with nothing.
    """
    now = queue()
    for line in in_order(now.lines.values()):
        own = takeable(now.now).filter(tournament__organiser=line.organiser)
        free = own.select_for_update(**OURS, skip_locked=True)
        head = now.heads[line.organiser]
        table = free.filter(pk=head).first() or free.filter(pk__gt=head).first()
        if table is not None and (claim := claim_table(table.pk)):
            return claim
    return None
