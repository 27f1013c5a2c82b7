"""The plan of a tournament: every group, board, table and seat, written together."""

import secrets

from arena.rules import Rules
from arena.schedule.preview import count_full
from arena.schedule.round_robin import full
from arena.schedule.seating import rotations
from arena.shuffle import commitment
from league.bots.lifecycle import VersionStatus
from league.common.errors import Conflict
from league.ratings.models import Pool
from league.ratings.services import pool_for
from league.tournaments.models import Board, Entrant, Group, Table, TableSeat, Tournament

MAX_TABLES = 20_000
BATCH = 500


def plan(tournament: Tournament) -> tuple[Pool, list[int]]:
    """Write the plan of a full round robin; returns the pool it counts in, and its tables' ids in order.

    Call it in a transaction that has locked the tournament. Raises Conflict when the field doesn't allow it.
    """
    entrants = list(tournament.entrants.select_related("version__bot"))
    _check_field(tournament, entrants)
    fields = list(full(entrants, tournament.players))
    groups = Group.objects.bulk_create(
        [Group(tournament=tournament, number=number) for number in range(1, len(fields) + 1)],
        batch_size=BATCH,
    )
    Board.objects.bulk_create(
        [_board(group, number) for group in groups for number in range(1, tournament.boards + 1)],
        batch_size=BATCH,
    )
    seatings = [
        (Table(group=group, number=number), seating)
        for group, field in zip(groups, fields, strict=True)
        for number, seating in enumerate(rotations(field))
    ]
    tables = Table.objects.bulk_create([table for table, _ in seatings], batch_size=BATCH)
    TableSeat.objects.bulk_create(
        [
            TableSeat(table=table, seat=seat, entrant=entrant)
            for table, seating in seatings
            for seat, entrant in enumerate(seating)
        ],
        batch_size=BATCH,
    )
    return pool_for(Rules.from_json(tournament.rules)), [table.pk for table in tables]


def _check_field(tournament: Tournament, entrants: list[Entrant]) -> None:
    if len(entrants) < tournament.players:
        raise Conflict(
            "too_few_entrants",
            f"The tournament is open with {len(entrants)} entrants; it needs {tournament.players} to start.",
        )
    tables = count_full(len(entrants), tournament.players, tournament.boards).tables
    if tables > MAX_TABLES:
        raise Conflict(
            "too_many_tables", f"{len(entrants)} entrants make {tables} tables; {MAX_TABLES} is the most."
        )
    for entrant in entrants:
        if entrant.version.status != VersionStatus.ACTIVE:
            raise Conflict("not_active", f"{entrant.version} is {entrant.version.status}; withdraw it first.")


def _board(group: Group, number: int) -> Board:
    seed = secrets.token_bytes(32)
    return Board(group=group, number=number, seed=seed.hex(), commitment=commitment(seed))
