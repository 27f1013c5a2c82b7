"""What is read about matches; those that count, as columns, in league.matches.columns."""

from django.db.models import Prefetch, QuerySet

from league.accounts.models import User
from league.common.errors import Conflict, Missing
from league.matches.models import Match, MatchSeat
from league.tournaments.models import Tournament
from league.tournaments.selectors import is_over

#: What is shown of a seat: a page has hundreds of them, an export millions.
SEAT = (
    "match_id",
    "seat",
    "version_id",
    "total",
    "rank",
    "faults",
    "vacated",
    "version__number",
    "version__bot_id",
    "version__bot__name",
    "version__bot__owner__username",
)


def matches() -> QuerySet[Match]:
    """All matches with their seats, without the records' bytes."""
    seats = MatchSeat.objects.select_related("version__bot__owner").only(*SEAT).order_by("seat")
    return (
        Match.objects.defer("record")
        .select_related("tournament", "table__group", "board")
        .prefetch_related(Prefetch("seats", queryset=seats))
        .order_by("id")
    )


def records(tournament: Tournament) -> QuerySet[Match]:
    """The matches of a tournament with nothing but their records. Raises Conflict while it isn't over."""
    must_be_over(tournament)
    return Match.objects.filter(tournament=tournament).only("record").order_by("id")


def must_be_over(tournament: Tournament) -> None:
    """Raise Conflict while the tournament isn't over: its records hold hands and seeds."""
    if not is_over(tournament):
        raise Conflict(
            "not_over",
            f"The tournament is {tournament.status}; records are public when it is finished or cancelled.",
            state=tournament.state(),
        )


def logs_for(match: Match, user: User) -> QuerySet[MatchSeat]:
    """The seats of the match whose logs this user may read: those of their own bots; all for staff.

    Raises Missing when there are none.
    """
    seats = MatchSeat.objects.filter(match=match).select_related("version__bot").order_by("seat")
    own = seats if user.is_staff else seats.filter(version__bot__owner=user)
    if not own:
        raise Missing("not_found", "None of your bots sat in this match.")
    return own
