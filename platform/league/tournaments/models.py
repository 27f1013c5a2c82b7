"""Tournaments, who entered them, and the plan of who plays whom on which boards."""

import secrets
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from arena.schedule.plan import Format
from league.bots.models import SHA256_HEX, Bot, Version
from league.common.claims import Claimable, lease_constraint
from league.common.lifecycle import Lived, known_status, status_field
from league.common.text import NAME_MAX
from league.ratings.models import Pool
from league.tournaments.lifecycle import (
    ACTIONS,
    ENTRANT,
    EXTENDABLE,
    TABLE,
    TOURNAMENT,
    EntrantStatus,
    TableStatus,
    TournamentStatus,
)

MAX_BOARDS = 1000


def new_seed() -> str:
    """The seed of a tournament's own chance: 32 bytes, as hex."""
    return secrets.token_hex(32)


class Tournament(Lived):
    """One competition: rules, a format, entrants; planned round by round."""

    lifecycle = TOURNAMENT

    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournaments"
    )
    name = models.CharField(max_length=NAME_MAX)
    name_key = models.CharField(max_length=4 * NAME_MAX, unique=True, editable=False)
    status = status_field(TOURNAMENT, TournamentStatus.DRAFT)
    format = models.CharField(
        max_length=20, choices=[(str(f), str(f)) for f in Format], default=str(Format.ROUND_ROBIN)
    )
    #: Every option of the format (arena.schedule), resolved.
    options = models.JSONField(default=dict, editable=False)
    #: Every option of the rules, resolved, as in a record.
    rules = models.JSONField(editable=False)
    players = models.PositiveSmallIntegerField(editable=False)
    #: How many boards each group plays.
    boards = models.PositiveSmallIntegerField()
    #: Whether its results count in a pool.
    rated = models.BooleanField(default=True)
    #: Whether `luck` is the same wherever a hand is played (protocol.md); else it is drawn anew each time.
    luck = models.BooleanField(default=True)
    #: An entrant is out after so many matches in a row in which its seat was vacated; 0: never.
    disqualify_after = models.PositiveSmallIntegerField(default=12)
    #: What the schedule's chance is drawn from; secret until it is over.
    seed = models.CharField(max_length=SHA256_HEX, default=new_seed, editable=False)
    #: The last round that was planned.
    round = models.PositiveIntegerField(default=0, editable=False)
    #: Whether no round will follow: the format said so, or a ladder was told to end.
    last = models.BooleanField(default=False, editable=False)
    #: Where its results count; given when it starts, if it is rated.
    pool = models.ForeignKey(
        Pool, null=True, on_delete=models.PROTECT, related_name="tournaments", editable=False
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    ended_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            known_status(TOURNAMENT, "tournament_status_known"),
            models.CheckConstraint(
                condition=Q(players__gte=3, players__lte=6), name="tournament_of_3_to_6_players"
            ),
            models.CheckConstraint(
                condition=Q(boards__gte=1, boards__lte=MAX_BOARDS), name="tournament_some_boards"
            ),
            models.CheckConstraint(
                condition=Q(format__in=list(map(str, Format))), name="tournament_format_known"
            ),
            models.CheckConstraint(
                condition=~Q(status__in=["running", "paused", "finished"])
                | (Q(started_at__isnull=False) & (Q(rated=False) | Q(pool__isnull=False))),
                name="tournament_started_with_pool",
            ),
            models.CheckConstraint(
                condition=Q(rated=True) | Q(pool__isnull=True), name="tournament_unrated_without_pool"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def state(self) -> dict[str, Any]:
        """Its status, and the actions that it allows."""
        ladder = self.format == Format.LADDER
        impossible = {"finish": not ladder, "extend": self.format not in EXTENDABLE}
        if self.status != TournamentStatus.OPEN:  # a ladder takes entrants until it is to end
            impossible["enter"] = not ladder or self.last
        actions = [action for action in ACTIONS[TournamentStatus(self.status)] if not impossible.get(action)]
        return {**super().state(), "actions": actions}


class Entrant(Lived):
    """A version that takes part. But for the two of a duel, a bot has one version in it at a time."""

    lifecycle = ENTRANT

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="entries")
    status = status_field(ENTRANT, EntrantStatus.ENTERED)
    #: Its place in the field by what was known at the start, from 1; who came later has none, and comes last.
    seeded = models.PositiveIntegerField(null=True, editable=False)
    entered_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["tournament_id", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "version"], name="entrant_version_once"),
            known_status(ENTRANT, "entrant_status_known"),
        ]

    def __str__(self) -> str:
        return str(self.version)


class Group(models.Model):
    """The bots that play one set of boards against each other."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="groups")
    number = models.PositiveIntegerField()
    round = models.PositiveIntegerField(default=1)
    #: How many tables a board is played at: all of them make a block.
    seatings = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar = ["tournament_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="group_numbered_once"),
            models.CheckConstraint(condition=Q(round__gte=1), name="group_round_from_1"),
            models.CheckConstraint(
                condition=Q(seatings__gte=1, seatings__lte=6), name="group_of_1_to_6_seatings"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, group {self.number}"


class Bye(models.Model):
    """An entrant that has no group in a round."""

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="byes")
    round = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["round", "entrant_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entrant", "round"], name="bye_once_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant}, round {self.round}"


class Board(models.Model):
    """One match seed. The commitment is public from the start, the seed only when the tournament is over."""

    group = models.ForeignKey(Group, on_delete=models.PROTECT, related_name="boards")
    number = models.PositiveSmallIntegerField()
    #: Boards are played in batches, each by tables of its own: 1 is that of the plan, more come by extending.
    batch = models.PositiveSmallIntegerField(default=1)
    seed = models.CharField(max_length=SHA256_HEX, unique=True, editable=False)
    commitment = models.CharField(max_length=SHA256_HEX, unique=True, editable=False)
    #: Whether every table of its batch has played it: a complete block. Written with the last table's result.
    complete = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering: ClassVar = ["group_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "number"], name="board_numbered_once"),
            models.CheckConstraint(condition=Q(batch__gte=1), name="board_batch_from_1"),
        ]

    def __str__(self) -> str:
        return f"{self.group}, board {self.number}"


class Table(Claimable):
    """One seating of a group: the unit of work. Plays the boards of its batch one after another."""

    lifecycle = TABLE
    claimed_status = TableStatus.PLAYING

    #: The group's, here too: what waits and what is done is counted by it, among very many.
    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="tables")
    group = models.ForeignKey(Group, on_delete=models.PROTECT, related_name="tables")
    batch = models.PositiveSmallIntegerField(default=1)
    #: Which of the group's seatings, from 0.
    number = models.PositiveSmallIntegerField()
    #: How many boards it plays.
    boards = models.PositiveSmallIntegerField()
    status = status_field(TABLE, TableStatus.QUEUED)
    claimed_at = models.DateTimeField(null=True, editable=False)
    #: After a failure of the platform: when it may be tried again.
    not_before = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["group_id", "batch", "number"]
        indexes: ClassVar = [
            # All that the queue asks of the tables that wait is in here: none of them has to be looked at.
            models.Index(fields=["status", "tournament", "not_before", "id"], name="table_queue"),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "batch", "number"], name="table_numbered_once"),
            known_status(TABLE, "table_status_known"),
            lease_constraint(TableStatus.PLAYING, "table_leased_while_playing"),
            models.CheckConstraint(
                condition=~Q(status=TableStatus.PARKED) | ~Q(failure=""), name="table_parked_with_failure"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group}, table {self.number}"


class TableSeat(models.Model):
    """Who sits where at a table."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["table_id", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "seat"], name="table_seat_held_once"),
            models.UniqueConstraint(fields=["table", "entrant"], name="table_entrant_sits_once"),
            models.CheckConstraint(condition=Q(seat__lte=5), name="table_seat_of_6"),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.entrant}"


class Turn(models.Model):
    """When an organiser's table was last begun: who has waited longest is served next (`queue`)."""

    organiser = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    served_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.organiser}: {self.served_at}"


class PlayWorker(models.Model):
    """A process that plays tables, one at a time; it says so whenever it looks for one and while it plays.

    A row with a cause in `refused` is a machine instead, where a worker takes nothing: its sandbox fails.
    """

    name = models.CharField(max_length=200, unique=True)
    seen_at = models.DateTimeField()
    refused = models.TextField(default="", blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["seen_at"], name="play_worker_seen")]

    def __str__(self) -> str:
        return self.name
