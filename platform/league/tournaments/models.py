"""Tournaments, who entered them, and the plan of who plays whom on which boards."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.bots.models import SHA256_HEX, Bot, Version
from league.common.claims import Claimable, lease_constraint
from league.common.lifecycle import Lived, known_status, status_field
from league.common.text import NAME_MAX
from league.ratings.models import Pool
from league.tournaments.lifecycle import TABLE, TOURNAMENT, Format, TableStatus, TournamentStatus

MAX_BOARDS = 1000


class Tournament(Lived):
    """One competition: rules, a format, entrants; planned as a whole when it starts."""

    lifecycle = TOURNAMENT

    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournaments"
    )
    name = models.CharField(max_length=NAME_MAX)
    name_key = models.CharField(max_length=4 * NAME_MAX, unique=True, editable=False)
    status = status_field(TOURNAMENT, TournamentStatus.DRAFT)
    format = models.CharField(
        max_length=20, choices=[(str(f), str(f)) for f in Format], default=Format.ROUND_ROBIN
    )
    #: Every option of the rules, resolved, as in a record.
    rules = models.JSONField(editable=False)
    players = models.PositiveSmallIntegerField(editable=False)
    #: How many boards each group plays.
    boards = models.PositiveSmallIntegerField()
    #: Where its results count; given when it starts.
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
                condition=~Q(status__in=[TournamentStatus.RUNNING, TournamentStatus.FINISHED])
                | Q(pool__isnull=False, started_at__isnull=False),
                name="tournament_started_with_pool",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """A version that takes part. A bot enters a tournament once."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="entries")
    entered_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["tournament_id", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "bot"], name="entrant_bot_once"),
        ]

    def __str__(self) -> str:
        return str(self.version)


class Group(models.Model):
    """The bots that play one set of boards against each other."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="groups")
    number = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["tournament_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="group_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, group {self.number}"


class Board(models.Model):
    """One match seed. The commitment is public from the start, the seed only when the tournament is over."""

    group = models.ForeignKey(Group, on_delete=models.PROTECT, related_name="boards")
    number = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=SHA256_HEX, unique=True, editable=False)
    commitment = models.CharField(max_length=SHA256_HEX, unique=True, editable=False)

    class Meta:
        ordering: ClassVar = ["group_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "number"], name="board_numbered_once"),
        ]

    def __str__(self) -> str:
        return f"{self.group}, board {self.number}"


class Table(Claimable):
    """One seating of a group: the unit of work. Plays the group's boards one after another."""

    lifecycle = TABLE
    claimed_status = TableStatus.PLAYING

    group = models.ForeignKey(Group, on_delete=models.PROTECT, related_name="tables")
    #: Which rotation of the group's seats, from 0.
    number = models.PositiveSmallIntegerField()
    status = status_field(TABLE, TableStatus.QUEUED)

    class Meta:
        ordering: ClassVar = ["group_id", "number"]
        indexes: ClassVar = [models.Index(fields=["status", "nudged_at"], name="table_waiting")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "number"], name="table_numbered_once"),
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
