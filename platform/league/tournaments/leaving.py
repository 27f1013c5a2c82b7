"""Entrants that play no more: what is left of their groups, and who is put out for failing."""

from django.db import transaction

from league.common.lifecycle import lock, move, move_all
from league.matches.models import MatchSeat
from league.tournaments.lifecycle import UNDER_WAY, UNFINISHED, EntrantStatus, TableStatus
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
                text = f"its seat was vacated in {most} matches in a row"
                out.append(move(entrant, EntrantStatus.DISQUALIFIED, text=text))
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
