"""Pools, and the ratings in them."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.bots.models import SHA256_HEX, Version


class Pool(models.Model):
    """One list of ratings: a set of rules and a number of players."""

    #: The SHA-256 of the rules' canonical text: the same rules are the same pool.
    key = models.CharField(max_length=SHA256_HEX, unique=True, editable=False)
    #: Every option, resolved, as in a record.
    rules = models.JSONField(editable=False)
    variant = models.CharField(max_length=20, editable=False)
    players = models.PositiveSmallIntegerField(editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    #: What the ratings were computed from: how many matches, and the hash of their results.
    matches = models.PositiveIntegerField(default=0, editable=False)
    results_hash = models.CharField(max_length=SHA256_HEX, blank=True, editable=False)
    rated_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(players__gte=3, players__lte=6), name="pool_of_3_to_6_players"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant}, {self.players} players (pool {self.pk})"


class Rating(models.Model):
    """The place of a version in a pool. All rows of a pool are replaced together, never patched."""

    pool = models.ForeignKey(Pool, on_delete=models.CASCADE, related_name="ratings")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="ratings")
    #: From 1; equal ratings share the better place.
    place = models.PositiveIntegerField()
    elo = models.FloatField()
    matches = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["pool_id", "place", "version_id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "version"], name="rating_once_a_pool"),
            models.CheckConstraint(condition=Q(place__gte=1), name="rating_place_from_1"),
            models.CheckConstraint(condition=Q(matches__gte=1), name="rating_of_matches_played"),
        ]
        indexes: ClassVar = [models.Index(fields=["pool", "place"], name="rating_by_place")]

    def __str__(self) -> str:
        return f"{self.place}. {self.version} {self.elo:.0f}"
