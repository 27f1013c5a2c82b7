"""What is read about tournaments."""

from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet

from league.accounts.models import User
from league.tournaments.lifecycle import OVER, TableStatus, TournamentStatus
from league.tournaments.models import Board, Table, Tournament


def visible_to(user: User | None) -> QuerySet[Tournament]:
    """The tournaments that this user may see: drafts are their organiser's (and staff's) alone."""
    tournaments = (
        Tournament.objects.select_related("organiser").annotate(entered=Count("entrants")).order_by("id")
    )
    if user is not None and user.is_staff:
        return tournaments
    public = ~Q(status=TournamentStatus.DRAFT) & ~Q(status=TournamentStatus.CANCELLED, started_at=None)
    return tournaments.filter(public | Q(organiser=user) if user is not None else public)


def is_over(tournament: Tournament) -> bool:
    """Whether seeds and records are public."""
    return tournament.status in OVER


def complete_boards() -> QuerySet[Board]:
    """The boards that all tables of their batch have played: each with its matches is a complete block.

    As it is stored: `misjudged_boards` compares that with the matches.
    """
    return Board.objects.filter(complete=True)


def misjudged_boards() -> QuerySet[Board]:
    """The boards of which `complete` is not what the matches say. None, if all is well."""
    counted = Board.objects.annotate(played=Count("matches"))
    return counted.exclude(complete=True, played=F("group__seatings")).exclude(
        complete=False, played__lt=F("group__seatings")
    )


@dataclass(frozen=True)
class Progress:
    """How far a tournament is. Tables by status; `matches` and `blocks` are those played and complete."""

    status: str
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


def progress(tournament: Tournament) -> Progress:
    """How far it is now."""
    tables = Table.objects.filter(group__tournament=tournament)
    counts = dict(tables.values_list("status").annotate(n=Count("id")).order_by())
    total = sum(counts.values())
    boards = Board.objects.filter(group__tournament=tournament)
    return Progress(
        status=tournament.status,
        tables=total,
        **{str(status): counts.get(status, 0) for status in TableStatus},
        matches=boards.aggregate(n=Count("matches"))["n"],
        matches_planned=total * tournament.boards,
        blocks=complete_boards().filter(group__tournament=tournament).count(),
        blocks_planned=boards.count(),
    )
