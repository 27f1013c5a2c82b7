"""A person at a table with bots: what is to be played, how far it is, what came of it."""

import secrets
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from arena.shuffle import commitment
from league.common.claims import Claimable, lease_constraint
from league.common.lifecycle import known_status, status_field
from league.sittings.lifecycle import OPEN, SITTING, SittingStatus

#: A comparison that is not there so long after the end will not come.
COMPARED_FOR = timedelta(hours=1)


def new_seed() -> str:
    """32 bytes of the system's chance, as hex."""
    return secrets.token_bytes(32).hex()


class Sitting(Claimable):
    """One match that a person plays against bots. Never rated, and no match of the lists."""

    lifecycle = SITTING
    claimed_status = SittingStatus.PLAYING

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="sittings")
    rules = models.JSONField()
    players = models.PositiveSmallIntegerField()
    #: The person's.
    seat = models.PositiveSmallIntegerField()
    #: Ids of versions, by seat; null at the person's.
    versions = models.JSONField()
    #: Secret until it is over; its commitment is public from the start.
    seed = models.CharField(max_length=64, default=new_seed, editable=False)
    status = status_field(SITTING, SittingStatus.WAITING)
    #: What the person is asked, and since when: `number` from 1, `kind`, `legal`, and `mark`, which names the
    #: course up to there. It stays while the answer is acted upon.
    question = models.JSONField(null=True, editable=False)
    asked_at = models.DateTimeField(null=True, editable=False)
    #: The person's answers, in order: [bid or card, the question's mark].
    answers = models.JSONField(default=list, editable=False)
    #: What the person has seen: a record as far as one seat knows it (league.sittings.sight).
    course = models.JSONField(null=True, editable=False)
    #: The record's bytes (record.md), once it is over.
    record = models.BinaryField(null=True, editable=False)
    #: How each of its bots fared in the person's place (league.sittings.services.Stand), once that is known.
    comparison = models.JSONField(null=True, editable=False)
    #: When a message about it was last sent.
    nudged_at = models.DateTimeField(default=timezone.now, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        indexes: ClassVar = [models.Index(fields=["status", "nudged_at"], name="sitting_waiting")]
        constraints: ClassVar = [
            known_status(SITTING, "sitting_status_known"),
            lease_constraint(SittingStatus.PLAYING, "sitting_leased_while_playing"),
            models.UniqueConstraint(
                fields=["user"], condition=Q(status__in=list(map(str, OPEN))), name="sitting_one_open_a_user"
            ),
            models.CheckConstraint(condition=Q(seat__lt=F("players")), name="sitting_seat_at_table"),
            models.CheckConstraint(
                condition=Q(status=SittingStatus.OVER, record__isnull=False)
                | (~Q(status=SittingStatus.OVER) & Q(record__isnull=True)),
                name="sitting_recorded_when_over",
            ),
            models.CheckConstraint(
                condition=~Q(status=SittingStatus.PARKED) | ~Q(failure=""), name="sitting_parked_with_failure"
            ),
        ]

    def __str__(self) -> str:
        return f"sitting {self.pk} of {self.user}"

    @property
    def commitment(self) -> str:
        """The seed's, public from the start (rules.md § 3)."""
        return commitment(bytes.fromhex(self.seed))

    @property
    def asked(self) -> dict[str, Any] | None:
        """What the person is to answer now; None while it is the bots' turn, and at the end."""
        question: dict[str, Any] | None = self.question
        if question is None or self.status != SittingStatus.PLAYING:
            return None
        return question if question["number"] > len(self.answers) else None

    @property
    def to_compare(self) -> bool:
        """Whether its bots may yet be seen in the person's place."""
        recent = timezone.now() - self.status_at < COMPARED_FOR
        return self.status == SittingStatus.OVER and self.comparison is None and recent

    def state(self) -> dict[str, Any]:
        """For whoever asks for what can't be."""
        return {"status": self.status, "question": (self.asked or {}).get("number")}
