"""Matches played: what is left of a table and a board once they have met."""

from enum import StrEnum
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from arena.seat import FaultKind
from league.bots.models import SHA256_HEX, Version
from league.tournaments.models import Board, Table, Tournament


class Ended(StrEnum):
    """Why a match ended (record.md, `ended`)."""

    THRESHOLD = "threshold"
    DEALS = "deals"
    QUICK_END = "quick_end"
    FORFEIT = "forfeit"
    MAX_DEALS = "max_deals"


class Match(models.Model):
    """One table × one board, with its record. Written once, together with all others of its table."""

    #: The table's, here too: lists go by it, among very many.
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="matches", db_index=False
    )
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="matches", db_index=False)
    board = models.ForeignKey(Board, on_delete=models.PROTECT, related_name="matches")
    #: The name in the record, and the one that the bots were told: tells nothing.
    name = models.CharField(max_length=40, unique=True)
    ended = models.CharField(max_length=12, choices=[(str(e), str(e)) for e in Ended])
    deals = models.PositiveSmallIntegerField()
    #: The record's bytes (record.md), and their SHA-256.
    record = models.BinaryField()
    sha256 = models.CharField(max_length=SHA256_HEX)
    #: Which sandbox backend confined the bots.
    backend = models.CharField(max_length=20)
    played_at = models.DateTimeField(default=timezone.now)
    duration_ms = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["id"]
        verbose_name_plural = "matches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "board"], name="match_once_a_table_and_board"),
            models.CheckConstraint(condition=Q(ended__in=list(map(str, Ended))), name="match_ended_known"),
            models.CheckConstraint(condition=~Q(backend=""), name="match_backend_told"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tournament", "id"], name="match_of_tournament"),
            models.Index(fields=["played_at", "id"], name="match_by_time"),
        ]

    def __str__(self) -> str:
        return f"match {self.pk}"


class MatchSeat(models.Model):
    """One bot's part in a match."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats", db_index=False)
    seat = models.PositiveSmallIntegerField()
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="seats", db_index=False)
    total = models.IntegerField()
    rank = models.PositiveSmallIntegerField()
    faults = models.PositiveSmallIntegerField(default=0)
    vacated = models.BooleanField(default=False)
    #: What the bot wrote on its standard error: for its owner.
    log = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["match_id", "seat"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "seat"], name="match_seat_once"),
            models.UniqueConstraint(fields=["match", "version"], name="match_version_once"),
            models.CheckConstraint(condition=Q(seat__lte=5), name="match_seat_of_6"),
            models.CheckConstraint(condition=Q(rank__gte=1, rank__lte=6), name="match_rank_of_6"),
        ]
        # A match's seats are found by the first constraint.
        indexes: ClassVar = [models.Index(fields=["version", "match"], name="match_seat_of_version")]

    def __str__(self) -> str:
        return f"{self.version}: {self.total}"


class MatchClock(models.Model):
    """What the decisions of a match were charged: evidence beside its record, written with it. Matches played
    before it was kept have none."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="clock")
    #: arena.clock_use.ClockUse as its bytes, deflated.
    use = models.BinaryField()

    def __str__(self) -> str:
        return f"clock of match {self.pk}"


class FaultCount(models.Model):
    """How often a version failed in a match, by kind: to be counted and found. The record has the faults
    themselves."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="fault_counts", db_index=False)
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="+", db_index=False)
    kind = models.CharField(max_length=10)
    count = models.PositiveSmallIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "kind", "match"], name="fault_count_once"),
            models.CheckConstraint(condition=Q(kind__in=list(map(str, FaultKind))), name="fault_kind_known"),
            models.CheckConstraint(condition=Q(count__gte=1), name="fault_count_of_1"),
        ]
        indexes: ClassVar = [models.Index(fields=["kind", "match"], name="fault_count_of_kind")]

    def __str__(self) -> str:
        return f"{self.version}: {self.count} x {self.kind}"
