"""Bots, their versions, and what the check of a version found."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from league.bots.lifecycle import VERSION, Outcome, VersionStatus
from league.common.claims import Claimable, lease_constraint
from league.common.lifecycle import known_status, status_field
from league.common.text import NAME_MAX

SHA256_HEX = 64


class Bot(models.Model):
    """A program that plays, as its owner sees it: a name and its versions."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="bots")
    name = models.CharField(max_length=NAME_MAX)
    name_key = models.CharField(max_length=4 * NAME_MAX, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]

    def __str__(self) -> str:
        return self.name


class Version(Claimable):
    """One upload of a bot: numbered, immutable. What is rated."""

    lifecycle = VERSION
    claimed_status = VersionStatus.CHECKING

    bot = models.ForeignKey(Bot, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    status = status_field(VERSION, VersionStatus.RECEIVED)
    #: When a message about it was last sent.
    nudged_at = models.DateTimeField(default=timezone.now, editable=False)
    #: Where the canonical archive is kept: the SHA-256 of its bytes.
    archive = models.CharField(max_length=SHA256_HEX, editable=False)
    #: Where what was built of it is kept, in the same store; empty where the archive itself is run.
    artefact = models.CharField(max_length=SHA256_HEX, blank=True, editable=False)
    size_bytes = models.PositiveIntegerField(editable=False)
    #: Tells programs apart, however they were packed (sandbox.package).
    digest = models.CharField(max_length=SHA256_HEX, db_index=True, editable=False)
    language = models.CharField(max_length=40, editable=False)
    #: Why it was rejected or disqualified: a stable code, and a sentence for its owner.
    reason_code = models.CharField(max_length=60, blank=True, editable=False)
    reason = models.CharField(max_length=500, blank=True, editable=False)
    #: The first version with the same program that belongs to somebody else: for an operator to look at.
    same_as = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="+", editable=False
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["bot_id", "number"]
        indexes: ClassVar = [models.Index(fields=["status", "nudged_at"], name="version_waiting")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["bot", "number"], name="version_numbered_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="version_number_from_1"),
            known_status(VERSION, "version_status_known"),
            lease_constraint(VersionStatus.CHECKING, "version_leased_while_checking"),
            models.CheckConstraint(
                condition=~Q(status=VersionStatus.REJECTED) | ~Q(reason_code=""),
                name="version_rejected_with_reason",
            ),
            models.CheckConstraint(
                condition=~Q(status=VersionStatus.PARKED) | ~Q(failure=""), name="version_parked_with_failure"
            ),
            models.CheckConstraint(
                condition=Q(same_as__isnull=True) | ~Q(same_as=F("id")), name="version_same_as_another"
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def program(self) -> str:
        """Where what is run is kept: the artefact, or the archive where there was nothing to build."""
        return self.artefact or self.archive

    @property
    def label(self) -> str:
        """The name in records and tables: `Dodger#3`."""
        return f"{self.bot.name}#{self.number}"


class Check(models.Model):
    """What one stage of a version's check found. The log is for the owner."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="checks")
    position = models.PositiveSmallIntegerField()
    stage = models.CharField(max_length=40)
    outcome = models.CharField(max_length=10, choices=[(str(o), str(o)) for o in Outcome])
    code = models.CharField(max_length=60, blank=True)
    message = models.CharField(max_length=500, blank=True)
    log = models.TextField(blank=True)
    duration_ms = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["version_id", "position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "position"], name="check_stage_once"),
            models.CheckConstraint(
                condition=Q(outcome__in=list(map(str, Outcome))), name="check_outcome_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage}: {self.outcome}"
