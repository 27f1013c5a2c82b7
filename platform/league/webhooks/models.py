"""Addresses that users have told what happens, and what was, or is to be, sent to them."""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from league.common.claims import Claimable, lease_constraint
from league.common.lifecycle import Lived, known_status, status_field
from league.webhooks.lifecycle import DELIVERY, WEBHOOK, DeliveryStatus, WebhookStatus

URL_MAX = 500
#: How much is kept of what a receiver answers.
EXCERPT_MAX = 500


class Webhook(Lived):
    """An address of a user's that is sent what happens."""

    lifecycle = WEBHOOK

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="webhooks")
    url = models.CharField(max_length=URL_MAX)
    #: Types of events (league.webhooks.events), or "*" for all.
    events = models.JSONField()
    status = status_field(WEBHOOK, WebhookStatus.ACTIVE)
    #: Why it is disabled or blocked.
    reason = models.CharField(max_length=EXCERPT_MAX, blank=True, editable=False)
    #: What its secret is made of, with the site's (league.webhooks.signing).
    salt = models.CharField(max_length=32, editable=False)
    #: The one before, and until when what is sent is signed with that, too.
    old_salt = models.CharField(max_length=32, blank=True, editable=False)
    old_until = models.DateTimeField(null=True, editable=False)
    #: How many attempts in a row have failed.
    failures = models.PositiveIntegerField(default=0, editable=False)
    #: Nothing is sent before these: since it failed; since others come first after one that took long.
    held_until = models.DateTimeField(null=True, editable=False)
    rests_until = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar = ["id"]
        constraints: ClassVar = [
            known_status(WEBHOOK, "webhook_status_known"),
            models.CheckConstraint(
                condition=~Q(status__in=[WebhookStatus.DISABLED, WebhookStatus.BLOCKED]) | ~Q(reason=""),
                name="webhook_off_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.owner}"


class Delivery(Claimable):
    """One event for one webhook: written in the transaction that made it happen, sent after that.

    What is sent never changes, however often: its id, `event_id`, tells a receiver that it has it already.
    `attempt` counts since it was last given to be sent; `failure` says why the last attempt failed.
    """

    lifecycle = DELIVERY
    claimed_status = DeliveryStatus.SENDING

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    status = status_field(DELIVERY, DeliveryStatus.WAITING)
    event_id = models.CharField(max_length=40, unique=True, editable=False)
    type = models.CharField(max_length=40, editable=False)
    #: The API's address of what it is about.
    subject = models.CharField(max_length=200, blank=True, editable=False)
    #: Byte for byte what is signed and sent.
    body = models.TextField(editable=False)
    due_at = models.DateTimeField(default=timezone.now, editable=False)
    #: Of the last attempt: the answer's status and beginning, and how long it took; null before the first.
    response_code = models.PositiveSmallIntegerField(null=True, editable=False)
    response = models.CharField(max_length=EXCERPT_MAX, blank=True, editable=False)
    took_ms = models.PositiveIntegerField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(status=DeliveryStatus.WAITING), name="delivery_due"),
            models.Index(fields=["webhook", "type", "subject", "-id"], name="delivery_of_subject"),
            models.Index(fields=["status_at"], name="delivery_by_age"),
        ]
        constraints: ClassVar = [
            known_status(DELIVERY, "delivery_status_known"),
            lease_constraint(DeliveryStatus.SENDING, "delivery_leased_while_sending"),
            # One slow receiver takes one worker at the most.
            models.UniqueConstraint(
                fields=["webhook"],
                condition=Q(status=DeliveryStatus.SENDING),
                name="delivery_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=~Q(status=DeliveryStatus.FAILED) | ~Q(failure=""),
                name="delivery_failed_with_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.event_id}"

    @property
    def next_at(self) -> datetime:
        """When one that waits is sent, at the earliest."""
        hook = self.webhook
        return max(filter(None, (self.due_at, hook.held_until, hook.rests_until)))
