"""From what a format says to rows: groups, boards, tables and seats, written together."""

import secrets
from collections.abc import Iterable, Sequence
from math import inf

from django.db.models import F

from arena.schedule import ScheduleError
from arena.schedule.formats import options_from_json
from arena.schedule.plan import Entrant as InField
from arena.schedule.plan import Round, Setup, Status
from arena.shuffle import commitment
from league.common.errors import Conflict
from league.ratings.selectors import skills
from league.tournaments.lifecycle import EntrantStatus
from league.tournaments.models import Board, Bye, Entrant, Group, Table, TableSeat, Tournament

BATCH = 500

#: An entrant's status, as the schedule calls it.
STATUS = {
    EntrantStatus.ENTERED: Status.IN,
    EntrantStatus.WITHDRAWN: Status.WITHDRAWN,
    EntrantStatus.DISQUALIFIED: Status.DISQUALIFIED,
}


def setup_of(tournament: Tournament) -> Setup:
    """The tournament as the schedule takes it: entrants of one owner are kept apart where it is rated."""
    options = options_from_json(tournament.format, tournament.options)
    return Setup(options, tournament.players, owners_apart=tournament.rated, seed=tournament.seed)


def field_of(tournament: Tournament) -> list[InField]:
    """All entrants by their seeds, as the schedule takes them: the ids are those of the versions."""
    rows = tournament.entrants.order_by(F("seeded").asc(nulls_last=True), "pk")
    values = rows.values_list("version_id", "bot__owner_id", "status")
    return [
        InField(version, owner, STATUS[EntrantStatus(status)]) for version, owner, status in values.iterator()
    ]


def refusal(error: ScheduleError) -> Conflict:
    """What is told when the field does not allow the format."""
    text = str(error)
    code = "options_unfit" if error.code == "option" else error.code
    return Conflict(code, f"{text[:1].upper()}{text[1:]}.")


def write_round(tournament: Tournament, round_: Round) -> list[int]:
    """Write a round; returns its tables' ids in order.

    Call it in a transaction that has locked the tournament.
    """
    entrants = dict(tournament.entrants.values_list("version_id", "pk"))
    before = tournament.groups.count()
    groups = Group.objects.bulk_create(
        [
            Group(tournament=tournament, number=number, round=round_.number, seatings=len(plan.seatings))
            for number, plan in enumerate(round_.groups, start=before + 1)
        ],
        batch_size=BATCH,
    )
    Bye.objects.bulk_create(
        [Bye(entrant_id=entrants[version], round=round_.number) for version in round_.byes], batch_size=BATCH
    )
    seatings = [
        [[entrants[version] for version in seating] for seating in plan.seatings] for plan in round_.groups
    ]
    return write_batch(tournament, zip(groups, seatings, strict=True), 1, range(1, tournament.boards + 1))


def write_batch(
    tournament: Tournament,
    groups: Iterable[tuple[Group, Sequence[Sequence[int]]]],
    batch: int,
    numbers: range,
) -> list[int]:
    """Write boards of these numbers for groups, and the tables that play them, each seated as told by the
    entrants' ids; returns the tables' ids in order."""
    groups = list(groups)
    seated = [
        (
            Table(tournament=tournament, group=group, batch=batch, number=number, boards=len(numbers)),
            seating,
        )
        for group, seatings in groups
        for number, seating in enumerate(seatings)
    ]
    boards = [_board(group, number, batch) for group, _ in groups for number in numbers]
    Board.objects.bulk_create(boards, batch_size=BATCH)
    tables = Table.objects.bulk_create([table for table, _ in seated], batch_size=BATCH)
    TableSeat.objects.bulk_create(
        [
            TableSeat(table=table, seat=seat, entrant_id=entrant)
            for table, seating in seated
            for seat, entrant in enumerate(seating)
        ],
        batch_size=BATCH,
    )
    return [table.pk for table in tables]


def seed_field(tournament: Tournament) -> None:
    """Give the entrants their places in the field: who is rated in the pool by that, best first, then the
    others as they entered."""
    entrants = list(tournament.entrants.order_by("pk"))
    rated = skills(tournament.pool) if tournament.pool else {}
    entrants.sort(key=lambda entrant: -rated[entrant.version_id].elo if entrant.version_id in rated else inf)
    for place, entrant in enumerate(entrants, start=1):
        entrant.seeded = place
    Entrant.objects.bulk_update(entrants, ["seeded"], batch_size=BATCH)


def _board(group: Group, number: int, batch: int) -> Board:
    seed = secrets.token_bytes(32)
    return Board(group=group, number=number, batch=batch, seed=seed.hex(), commitment=commitment(seed))
