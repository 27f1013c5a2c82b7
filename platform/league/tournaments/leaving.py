"""Entrants that play no more: what is left of their groups, and who is put out for failing."""

from django.db import transaction

from league.accounts.models import User
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version
from league.common.errors import Conflict
from league.common.lifecycle import lock, move, move_all
from league.common.text import clipped
from league.matches.models import MatchSeat
from league.tournaments.lifecycle import (
    UNDER_WAY,
    UNFINISHED,
    EntrantStatus,
    TableStatus,
    TournamentStatus,
)
from league.tournaments.models import Entrant, Group, Table, Tournament


@transaction.atomic
def disqualify_failing(tournament: Tournament, table: Table) -> list[Entrant]:
    """Put out those of the table's entrants whose seat was vacated in each of their last matches of this
    tournament, as many as `disqualify_after` says; returns them."""
    most = tournament.disqualify_after
    vacated = MatchSeat.objects.filter(match__table=table, vacated=True).values("version")
    if not most or not vacated.exists():
        return []
    suspects = tournament.entrants.filter(version__in=vacated).order_by("pk")
    failing = [entrant for entrant in suspects if _fails(entrant, most)]
    out = []
    if failing and lock(tournament).status in UNDER_WAY:
        for entrant in failing:
            if lock(entrant).status == EntrantStatus.ENTERED:
                out.append(_put_out(entrant, f"its seat was vacated in {most} matches in a row"))
    return out


@transaction.atomic
def disqualify_version(version: Version, by: User, why: str) -> list[Tournament]:
    """Bar a version: no tournament takes it, and it is put out of those that it has entered and that aren't
    over; returns them. Its owner reads why. What it completed stays.

    One that is disqualified or retired keeps its status. Raises IllegalMove for one that never was active.
    """
    now = lock(version)
    if now.status not in (VersionStatus.DISQUALIFIED, VersionStatus.RETIRED):
        told = clipped(why, 500)
        move(now, VersionStatus.DISQUALIFIED, by=by, text=why, reason_code="disqualified", reason=told)
    entered = Entrant.objects.filter(version=now, status=EntrantStatus.ENTERED)
    open_or_on = entered.filter(tournament__status__in=(TournamentStatus.OPEN, *UNDER_WAY))
    left = list(open_or_on.select_related("tournament").order_by("tournament_id"))
    for entrant in left:
        disqualify(entrant, by, why)
    return [entrant.tournament for entrant in left]


def leave_open(owner: User) -> None:
    """Take what an owner has entered into open tournaments back. What runs is played to its end."""
    entries = Entrant.objects.filter(bot__owner=owner, tournament__status=TournamentStatus.OPEN)
    for entrant in entries.select_related("tournament"):
        with transaction.atomic():
            if lock(entrant.tournament).status == TournamentStatus.OPEN:
                Entrant.objects.filter(pk=entrant.pk).delete()


@transaction.atomic
def disqualify(entrant: Entrant, by: User, why: str) -> None:
    """Put an entrant out for good. From an open tournament it vanishes; from one that runs it plays no more:
    its groups that aren't complete are broken off, what is complete still counts.

    Again it changes nothing. Raises Conflict when the tournament is over.
    """
    status = lock(entrant.tournament).status
    if status == TournamentStatus.OPEN:
        Entrant.objects.filter(pk=entrant.pk).delete()
    elif status not in UNDER_WAY:
        text = f"The tournament is {status}; what was played in it stays."
        raise Conflict("wrong_state", text, state=entrant.tournament.state())
    elif lock(entrant).status != EntrantStatus.DISQUALIFIED:
        _put_out(entrant, why, by)


def _put_out(entrant: Entrant, text: str, by: User | None = None) -> Entrant:
    out = move(entrant, EntrantStatus.DISQUALIFIED, text=text, by=by)
    break_off(entrant, "an entrant was disqualified")
    return out


def _fails(entrant: Entrant, most: int) -> bool:
    played = MatchSeat.objects.filter(version=entrant.version_id, match__tournament=entrant.tournament_id)
    last = list(played.order_by("-match_id").values_list("vacated", flat=True)[:most])
    return len(last) == most and all(last)


def break_off(entrant: Entrant, why: str) -> None:
    """Cancel what is left of an entrant's groups: their blocks that aren't complete never count.

    Call it in a transaction that has locked the tournament.
    """
    groups = Group.objects.filter(tables__seats__entrant=entrant, tables__status__in=UNFINISHED)
    left = Table.objects.filter(group__in=groups.values("pk"))
    move_all(left, TableStatus.CANCELLED, text=why, lease_until=None)
