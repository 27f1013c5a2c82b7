"""What is read about tournaments."""

from django.db.models import Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arena.schedule.plan import Format
from league.accounts.models import User
from league.tournaments.lifecycle import OVER, TournamentStatus
from league.tournaments.models import Board, Entrant, Group, Table, TableSeat, Tournament


def visible_to(user: User | None) -> QuerySet[Tournament]:
    """The tournaments that this user may see: drafts are their organiser's (and staff's) alone."""
    # Of a page's tournaments only, not of all there are.
    entered = Entrant.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    many = Coalesce(Subquery(entered.annotate(n=Count("pk")).values("n")), 0)
    tournaments = Tournament.objects.select_related("organiser").annotate(entered=many).order_by("id")
    if user is not None and user.is_staff:
        return tournaments
    public = ~Q(status=TournamentStatus.DRAFT) & ~Q(status=TournamentStatus.CANCELLED, started_at=None)
    return tournaments.filter(public | Q(organiser=user) if user is not None else public)


def taking_entrants(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Those that bots can enter now: while open, and a ladder until it is to end."""
    going = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)
    ladder = Q(format=Format.LADDER, status__in=going, last=False)
    return tournaments.filter(Q(status=TournamentStatus.OPEN) | ladder)


def is_over(tournament: Tournament) -> bool:
    """Whether seeds and records are public."""
    return tournament.status in OVER


def misjudged_boards() -> QuerySet[Board]:
    """The boards of which `complete` (all tables of the batch have played it) is not what the matches say:
    none, if all is well."""
    counted = Board.objects.annotate(played=Count("matches"))
    return counted.exclude(complete=True, played=F("group__seatings")).exclude(
        complete=False, played__lt=F("group__seatings")
    )


def groups_of(tournament: Tournament) -> QuerySet[Group]:
    """Its groups in the order of the plan."""
    return groups().filter(tournament=tournament).order_by("number")


def groups() -> QuerySet[Group]:
    """Groups, with how many of their blocks are complete, and their members."""
    first = Table.objects.filter(number=0, batch=1).prefetch_related(_seats())
    blocks = Count("boards", filter=Q(boards__complete=True))
    return (
        Group.objects.annotate(blocks=blocks)
        .prefetch_related(Prefetch("tables", queryset=first, to_attr="first_tables"))
        .order_by("pk")
    )


def tables_of(tournament: Tournament) -> QuerySet[Table]:
    """Its tables in the order of the plan."""
    return tables().filter(tournament=tournament)


def tables() -> QuerySet[Table]:
    """Tables, with who sits at them."""
    return Table.objects.select_related("group").prefetch_related(_seats()).order_by("pk")


def _seats() -> "Prefetch[str]":
    seats = TableSeat.objects.select_related("entrant__version__bot__owner").order_by("seat")
    return Prefetch("seats", queryset=seats)
