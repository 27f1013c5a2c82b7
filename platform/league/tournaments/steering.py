"""What an organiser does with a tournament under way. Every action is safe to repeat: done again it changes
nothing, and where the state does not allow it, Conflict tells the state."""

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from arena.rules import Rules
from arena.schedule.plan import Format
from league.accounts.models import User
from league.common.errors import Conflict, Invalid
from league.common.lifecycle import move, move_all
from league.tournaments.drafts import CLOCK
from league.tournaments.duration import most_boards
from league.tournaments.lifecycle import EXTENDABLE, UNDER_WAY, EntrantStatus, TableStatus, TournamentStatus
from league.tournaments.models import MAX_BOARDS, Group, Table, TableSeat, Tournament
from league.tournaments.planning import write_batch
from league.tournaments.quotas import TABLES
from league.tournaments.services import MAX_TABLES, own, wrong_state


@transaction.atomic
def pause(tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Begin no more tables; those in hand are played to their end. Raises Forbidden, Conflict."""
    now = own(tournament, by)
    if now.status == TournamentStatus.PAUSED:
        return now
    return move(now, TournamentStatus.PAUSED, by=by, text=why)


@transaction.atomic
def resume(tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Go on after a pause. Raises Forbidden, Conflict."""
    now = own(tournament, by)
    if now.status == TournamentStatus.RUNNING:
        return now
    if now.status != TournamentStatus.PAUSED:
        raise wrong_state(now, "a paused one")
    return move(now, TournamentStatus.RUNNING, by=by, text=why)


@transaction.atomic
def finish(tournament: Tournament, by: User) -> Tournament:
    """Tell a ladder to end: what is planned is played, no more is planned. Raises Forbidden, Conflict."""
    now = own(tournament, by)
    if now.format != Format.LADDER:
        raise Conflict("not_a_ladder", f"A {now.format} ends by itself; cancel it to stop it before.")
    if now.status not in (*UNDER_WAY, TournamentStatus.FINISHED):
        raise wrong_state(now, "a running or paused one")
    if not now.last:
        now.last = True
        now.save(update_fields=["last"])
    return now


@transaction.atomic
def extend(tournament: Tournament, boards: int, by: User) -> Tournament:
    """Have every group play `boards` boards in all. The new ones are played by new tables, seated like the
    old; groups that were broken off get none. One that was finished runs again.

    `boards` is a total, so that the same request twice is one. Raises Forbidden, Conflict, OverQuota.
    """
    now = own(tournament, by)
    if now.status not in (*UNDER_WAY, TournamentStatus.FINISHED):
        raise wrong_state(now, "a running, paused or finished one")
    if now.format not in EXTENDABLE:
        raise Conflict(
            "not_extendable", f"The rounds of a {now.format} follow from results, so it takes no more boards."
        )
    if boards == now.boards:
        return now
    most = min(MAX_BOARDS, now.boards + most_boards(Rules.from_json(now.rules), CLOCK, settings.PLAY_LIMIT_S))
    if not now.boards < boards <= most:
        text = f"Its groups have {now.boards} boards; they can be extended to {most} at the most."
        raise Invalid("bad_boards", text, "boards")
    _write_extension(now, boards)
    now.boards = boards
    now.save(update_fields=["boards"])
    if now.status == TournamentStatus.FINISHED:
        now = move(now, TournamentStatus.RUNNING, by=by, text=f"{boards} boards", ended_at=None)
    return now


def _write_extension(tournament: Tournament, boards: int) -> None:
    out = tournament.entrants.exclude(status=EntrantStatus.ENTERED)
    sat = TableSeat.objects.filter(entrant__in=out.values("pk")).values("table__group")
    groups = list(Group.objects.filter(tournament=tournament).exclude(pk__in=sat).order_by("number"))
    if not groups:
        raise Conflict("nothing_to_extend", "Every group of it has an entrant that is out.")
    seatings: dict[int, dict[int, list[int]]] = {group.pk: {} for group in groups}
    seats = TableSeat.objects.filter(table__tournament=tournament, table__batch=1).order_by("seat")
    for group, number, entrant in seats.values_list("table__group", "table__number", "entrant"):
        if group in seatings:
            seatings[group].setdefault(number, []).append(entrant)
    more = sum(group.seatings for group in groups)
    if Table.objects.filter(tournament=tournament).count() + more > MAX_TABLES:
        raise Conflict("too_many_tables", f"A tournament has {MAX_TABLES} tables at the most.")
    TABLES.check(tournament.organiser, more)
    last = Table.objects.filter(tournament=tournament).aggregate(batch=Max("batch"))["batch"]
    seated = [(group, [seats for _, seats in sorted(seatings[group.pk].items())]) for group in groups]
    write_batch(tournament, seated, last + 1, range(tournament.boards + 1, boards + 1))


@transaction.atomic
def replay(tournament: Tournament, by: User, why: str = "") -> Tournament:
    """Put the tables that the platform failed at back into the queue. Raises Forbidden, Conflict."""
    now = own(tournament, by)
    if now.status not in UNDER_WAY:
        raise wrong_state(now, "a running or paused one")
    parked = Table.objects.filter(tournament=now, status=TableStatus.PARKED)
    text = f"replayed for {by.username}" + (f": {why}" if why else "")
    move_all(parked, TableStatus.QUEUED, text=text, attempt=0, not_before=None)
    return now
