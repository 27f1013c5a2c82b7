"""What is read about matches: which count, and how they went."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from arena.ratings.elo import MatchResult
from league.accounts.models import User
from league.common.errors import Conflict, Missing
from league.matches.models import Match, MatchSeat
from league.ratings.models import Pool
from league.tournaments.models import Tournament
from league.tournaments.selectors import complete_boards, is_over


def matches() -> QuerySet[Match]:
    """All matches with their seats, without the records' bytes."""
    seats = MatchSeat.objects.select_related("version__bot__owner").defer("log").order_by("seat")
    return (
        Match.objects.defer("record")
        .select_related("table__group__tournament", "board")
        .prefetch_related(Prefetch("seats", queryset=seats))
        .order_by("id")
    )


def record_of(match: Match) -> bytes:
    """The record's bytes. Raises Conflict while the tournament isn't over: they hold hands and seed."""
    tournament = match.table.group.tournament
    if not is_over(tournament):
        raise Conflict(
            "not_over",
            f"The tournament is {tournament.status}; records are public when it is finished or cancelled.",
        )
    return bytes(match.record)


def logs_for(match: Match, user: User) -> QuerySet[MatchSeat]:
    """The seats of the match whose logs this user may read: those of their own bots; all for staff.

    Raises Missing when there are none.
    """
    seats = MatchSeat.objects.filter(match=match).select_related("version__bot").order_by("seat")
    own = seats if user.is_staff else seats.filter(version__bot__owner=user)
    if not own:
        raise Missing("not_found", "None of your bots sat in this match.")
    return own


@dataclass(frozen=True)
class SeatResult:
    """How one version did in one counted match."""

    version: int
    total: int
    rank: int
    faults: int
    vacated: bool


@dataclass(frozen=True)
class Result:
    """A counted match. `key` orders results by their place in the plan, never by when they were played."""

    key: tuple[int, int, int, int]
    deals: int
    seats: tuple[SeatResult, ...]

    def as_placings(self) -> MatchResult[int]:
        """The result as the rating formulas take it."""
        return MatchResult(key=self.key, placings=tuple((seat.version, seat.rank) for seat in self.seats))


def counted(scope: Pool | Tournament) -> QuerySet[Match]:
    """The matches that count in a pool or a tournament: those of complete blocks."""
    if isinstance(scope, Pool):
        return Match.objects.filter(
            table__group__tournament__pool=scope, board__in=complete_boards().values("pk")
        )
    return Match.objects.filter(table__group__tournament=scope, board__in=complete_boards().values("pk"))


#: The place of a match in the plan.
_PLACE = (
    "match__table__group__tournament_id",
    "match__table__group__number",
    "match__board__number",
    "match__table__number",
)


def results(scope: Pool | Tournament) -> Iterator[Result]:
    """The counted results in the order of the plan."""
    rows = MatchSeat.objects.filter(match__in=counted(scope).values("pk")).order_by(*_PLACE, "seat")
    values = rows.values_list(*_PLACE, "match__deals", "version_id", "total", "rank", "faults", "vacated")
    key: tuple[int, int, int, int] | None = None
    deals, seats = 0, list[SeatResult]()
    for *place, row_deals, version, total, rank, faults, vacated in values.iterator(chunk_size=5000):
        if (at := (place[0], place[1], place[2], place[3])) != key:
            if key is not None:
                yield Result(key, deals, tuple(seats))
            key, deals, seats = at, row_deals, []
        seats.append(SeatResult(version, total, rank, faults, vacated))
    if key is not None:
        yield Result(key, deals, tuple(seats))
