"""Pools, and what the counted results of a pool or a tournament add up to."""

from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from league.bots.models import SHA256_HEX, Version

if TYPE_CHECKING:
    from league.tournaments.models import Tournament


class Pool(models.Model):
    """One list of ratings: a set of rules and a number of players."""

    #: The SHA-256 of the rules' canonical text: the same rules are the same pool.
    key = models.CharField(max_length=SHA256_HEX, unique=True, editable=False)
    #: Every option, resolved, as in a record.
    rules = models.JSONField(editable=False)
    variant = models.CharField(max_length=20, editable=False)
    players = models.PositiveSmallIntegerField(editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(players__gte=3, players__lte=6), name="pool_of_3_to_6_players"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.variant}, {self.players} players (pool {self.pk})"


class Sheet(models.Model):
    """Where the counted results of one pool, or of one tournament, are added up, again and again.

    `changes` grows, in the same transaction, whenever what counts changes; `through` is how far the current
    snapshot knows it. Where they differ, there is something to do, whatever became of the message about it.
    """

    pool = models.OneToOneField(Pool, null=True, on_delete=models.PROTECT, related_name="sheet")
    tournament = models.OneToOneField(
        "tournaments.Tournament", null=True, on_delete=models.PROTECT, related_name="sheet"
    )
    changes = models.PositiveBigIntegerField(default=0, editable=False)
    through = models.PositiveBigIntegerField(default=0, editable=False)
    #: A message is on its way, for this time; while it is, no second one is sent.
    due_at = models.DateTimeField(null=True, editable=False)
    #: What every page shows.
    current = models.OneToOneField(
        "Snapshot", null=True, on_delete=models.PROTECT, related_name="current_of", editable=False
    )

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(pool__isnull=True, tournament__isnull=False)
                | Q(pool__isnull=False, tournament__isnull=True),
                name="sheet_of_a_pool_or_a_tournament",
            ),
            models.CheckConstraint(condition=Q(through__lte=F("changes")), name="sheet_through_no_more"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=~Q(through=F("changes")), name="sheet_behind"),
        ]

    def __str__(self) -> str:
        return f"sheet of {self.scope}"

    @property
    def scope(self) -> "Pool | Tournament":
        """The pool or the tournament."""
        scope = self.pool or self.tournament
        assert scope is not None, "a constraint holds that there is one"
        return scope


class Snapshot(models.Model):
    """What one set of counted results adds up to. Written once; the newest of a sheet is its current one."""

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="snapshots")
    #: From 1 within its sheet.
    number = models.PositiveIntegerField()
    #: Names the set of results: `Results.digest`.
    results_hash = models.CharField(max_length=SHA256_HEX)
    matches = models.PositiveIntegerField()
    blocks = models.PositiveIntegerField()
    #: How many versions have a row.
    versions = models.PositiveIntegerField()
    #: More than one: groups of bots that no chain of matches links, and whose Elo can't be compared.
    components = models.PositiveIntegerField()
    #: Constants of the formulas that were used.
    parameters = models.JSONField()
    computed_at = models.DateTimeField(default=timezone.now)
    took_ms = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["sheet_id", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sheet", "number"], name="snapshot_numbered_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="snapshot_number_from_1"),
        ]
        indexes: ClassVar = [models.Index(fields=["results_hash"], name="snapshot_by_hash")]

    def __str__(self) -> str:
        return f"snapshot {self.number} of {self.sheet}"


class Rating(models.Model):
    """A version's line in a snapshot (arena.ratings.table.Rating, which says what each number is).

    All lines of a snapshot are written together and never patched.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="ratings")
    version = models.ForeignKey(Version, on_delete=models.PROTECT, related_name="ratings")
    #: From 1, without gaps or ties: the order of the list.
    position = models.PositiveIntegerField()
    #: From 1; equals share the better place. In a pool: within its component.
    place = models.PositiveIntegerField()
    component = models.PositiveIntegerField()
    elo = models.FloatField()
    elo_error = models.FloatField()
    elo_low = models.FloatField()
    elo_high = models.FloatField()
    provisional = models.BooleanField()
    elo_live = models.FloatField()
    score = models.FloatField()
    score_low = models.FloatField(null=True)
    score_high = models.FloatField(null=True)
    points_per_deal = models.FloatField()
    points_low = models.FloatField(null=True)
    points_high = models.FloatField(null=True)
    matches = models.PositiveIntegerField()
    blocks = models.PositiveIntegerField()
    groups = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    faults = models.PositiveIntegerField()
    vacated = models.PositiveIntegerField()
    #: Packed (league.ratings.packing), in the current snapshot only: how it did against each other version,
    #: and its `elo_live` from match to match.
    versus = models.BinaryField(null=True)
    live = models.BinaryField(null=True)

    class Meta:
        ordering: ClassVar = ["snapshot_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["snapshot", "version"], name="rating_once_a_snapshot"),
            models.UniqueConstraint(fields=["snapshot", "position"], name="rating_position_once"),
            models.CheckConstraint(
                condition=Q(place__gte=1, position__gte=F("place")), name="rating_place_from_1"
            ),
            models.CheckConstraint(condition=Q(matches__gte=1), name="rating_of_matches_played"),
            models.CheckConstraint(
                condition=Q(elo_low__lte=F("elo"), elo_high__gte=F("elo")), name="rating_within_interval"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.place}. {self.version} {self.elo:.0f}"
