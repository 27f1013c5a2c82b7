"""How far a tournament is, how fast it goes, and how long it will take."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.utils import timezone

from league.matches.models import Match
from league.ratings.models import Sheet
from league.tournaments.lifecycle import TableStatus, TournamentStatus
from league.tournaments.models import Board, Table, Tournament
from league.tournaments.waiting import Reason, moment

#: What is meant by `of late`.
LATE_S = 300.0
#: How many matches the speed is measured by.
SAMPLE = 200


@dataclass(frozen=True)
class Progress:
    """How far a tournament is. Tables by status; `matches` and `blocks` are those played and complete.

    Attributes:
        round: the last that was planned. `last`: no other follows.
        matches_planned, blocks_planned: so far, without what was cancelled.
        matches_per_minute, deals_per_minute: of late; None where nothing was played.
        seconds_left: for what is planned; None where nothing tells.
        reason: why the table that is next waits; None where none does.
        place: that one's place in the queue.
        standings: the hash of the results that the standings are made of; None while nothing counts.
    """

    status: str
    round: int
    last: bool
    tables: int
    queued: int
    playing: int
    done: int
    parked: int
    cancelled: int
    matches: int
    matches_planned: int
    blocks: int
    blocks_planned: int
    matches_per_minute: float | None
    deals_per_minute: float | None
    seconds_left: float | None
    reason: Reason | None
    place: int | None
    standings: str | None


def progress(tournament: Tournament) -> Progress:
    """How far it is now."""
    now = timezone.now()
    tables = Table.objects.filter(tournament=tournament).order_by()
    sums = tables.values("status").annotate(n=Count("pk"), plays=Sum("boards"))
    by_status = {row["status"]: (row["n"], row["plays"]) for row in sums}
    counts = {str(status): by_status.get(status, (0, 0))[0] for status in TableStatus}
    played = by_status.get(TableStatus.DONE, (0, 0))[1]
    planned = sum(matches for status, (_, matches) in by_status.items() if status != TableStatus.CANCELLED)
    boards = Board.objects.filter(group__tournament=tournament)
    broken_off = tables.filter(group=OuterRef("group"), batch=OuterRef("batch"), status=TableStatus.CANCELLED)
    matches, deals = _pace(tournament, now)
    head = _head(tables)
    sheets = Sheet.objects.filter(tournament=tournament)
    why = moment(tournament, [head]).why(head) if head else None
    return Progress(
        status=tournament.status,
        round=tournament.round,
        last=tournament.last,
        tables=sum(counts.values()),
        **counts,
        matches=played,
        matches_planned=planned,
        blocks=boards.filter(complete=True).count(),
        blocks_planned=boards.exclude(Exists(broken_off)).count(),
        matches_per_minute=matches,
        deals_per_minute=deals,
        seconds_left=round(60 * (planned - played) / matches, 1) if matches else None,
        reason=why.reason if why else None,
        place=why.place if why else None,
        standings=sheets.values_list("current__results_hash", flat=True).first(),
    )


def _head(tables: QuerySet[Table]) -> Table | None:
    """The table that is played next; one that was parked only where no other waits."""
    queued = tables.filter(status=TableStatus.QUEUED).order_by("pk")
    parked = tables.filter(status=TableStatus.PARKED).order_by("pk")
    return queued.filter(not_before=None).first() or queued.first() or parked.first()


def _pace(tournament: Tournament, now: datetime) -> tuple[float | None, float | None]:
    """Matches and deals a minute of late, while it runs: the time before a pause, or before it was extended,
    tells nothing."""
    if tournament.status != TournamentStatus.RUNNING:
        return None, None
    since = max(now - timedelta(seconds=LATE_S), tournament.status_at)
    late = Table.objects.filter(tournament=tournament, status=TableStatus.DONE, status_at__gte=since)
    minutes = (now - since).total_seconds() / 60
    matches, deals = late.aggregate(n=Sum("boards"))["n"], late.aggregate(n=Sum("matches__deals"))["n"]
    return (round(matches / minutes, 2), round(deals / minutes, 2)) if matches and minutes else (None, None)


@dataclass(frozen=True)
class Speed:
    """How fast one worker was: deals a second while it plays, and seconds of a table beside its deals."""

    deals_per_second: float
    table_seconds: float


def speed() -> Speed | None:
    """That of late, over all tournaments. None where none has played.

    The bots start within the first match of a table, so the pace is that of the others, where there are any.
    """
    recent = Match.objects.order_by("-pk").values_list("table_id", flat=True)[:SAMPLE]
    tables = Table.objects.filter(pk__in=set(recent), claimed_at__isnull=False)
    times = tables.values_list("claimed_at", "status_at")
    spans = [(end - begin).total_seconds() for begin, end in times if begin]
    matches = Match.objects.filter(table__in=tables).order_by("table_id", "pk")
    rows = list(matches.values_list("table_id", "deals", "duration_ms"))
    later = [row for before, row in pairwise(rows) if row[0] == before[0]]
    timed = later or rows
    deals, played_s = sum(row[1] for row in timed), sum(row[2] for row in timed) / 1000
    if not deals or sum(spans) <= 0:
        return None
    all_deals = sum(row[1] for row in rows)
    # Never slower than the whole span tells, starts included: durations are rounded, and clocks differ.
    pace_s = min(played_s / deals or sum(spans) / all_deals, sum(spans) / all_deals)
    return Speed(1 / pace_s, (sum(spans) - all_deals * pace_s) / len(spans))
