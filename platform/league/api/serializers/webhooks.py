"""Webhooks, and the log of what they were sent."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.serializers.common import Body
from league.webhooks.events import EVERYTHING, TYPES
from league.webhooks.lifecycle import DeliveryStatus
from league.webhooks.models import URL_MAX, Delivery, Webhook
from league.webhooks.signing import secret_of

EVENTS = {EVERYTHING: "All of these, and those to come.", **TYPES}
MEANING = "Which events it is sent. " + " ".join(f"`{type_}`: {text}" for type_, text in EVENTS.items())


class EventsField(serializers.ListField):
    """Types of events: one at least."""

    child = serializers.ChoiceField(choices=list(EVENTS))

    def to_internal_value(self, data: Any) -> list[str]:
        """The types. Raises ValidationError."""
        types = list(super().to_internal_value(data))
        if not types:
            raise serializers.ValidationError("Name one type of events at least.", code="invalid")
        return types


class NewWebhook(Body):
    """A webhook to be."""

    url = serializers.CharField(max_length=URL_MAX, help_text="https, and the host's addresses all public")
    events = EventsField(default=[EVERYTHING], help_text=MEANING)


class WebhookChange(Body):
    """What is to be changed; what is left out stays."""

    url = serializers.CharField(max_length=URL_MAX, required=False)
    events = EventsField(required=False, help_text=MEANING)
    active = serializers.BooleanField(
        required=False, help_text="false: pause it; true: switch it on again, after it was disabled, too"
    )


class WebhookOut(serializers.ModelSerializer[Webhook]):
    """A webhook of yours."""

    events = serializers.ListField(child=serializers.CharField(), help_text=MEANING)

    class Meta:
        model = Webhook
        fields = ("id", "url", "events", "status", "status_at", "reason", "failures", "created_at")
        extra_kwargs = {  # noqa: RUF012
            "reason": {"help_text": "why it is disabled or blocked; else empty"},
            "failures": {"help_text": "how many attempts in a row have failed"},
        }


class WebhookSecretOut(WebhookOut):
    """A webhook with its secret, which is shown this once."""

    secret = serializers.SerializerMethodField(
        help_text="whsec_ and the key in base64, as standardwebhooks.com has it"
    )

    class Meta(WebhookOut.Meta):
        fields = (*WebhookOut.Meta.fields, "secret")  # type: ignore[assignment]

    def get_secret(self, webhook: Webhook) -> str:
        """Its secret."""
        return secret_of(webhook)


class DeliverySummary(serializers.ModelSerializer[Delivery]):
    """One event for a webhook, and what became of it."""

    attempts = serializers.IntegerField(source="attempt", help_text="since it was last given to be sent")
    next_at = serializers.SerializerMethodField(
        help_text="when it is sent next, at the earliest; null where it isn't"
    )
    duration_ms = serializers.IntegerField(source="took_ms", allow_null=True)
    url = serializers.CharField(source="subject", help_text="the API's address of what it is about")

    class Meta:
        model = Delivery
        fields = (
            "id",
            "event_id",
            "type",
            "url",
            "status",
            "status_at",
            "attempts",
            "next_at",
            "failure",
            "response_code",
            "response",
            "duration_ms",
            "created_at",
        )
        extra_kwargs = {  # noqa: RUF012
            "event_id": {"help_text": "the `Webhook-Id` that it is sent with, each time"},
            "failure": {"help_text": "why the last attempt failed: a code, a colon, a sentence; else empty"},
            "response_code": {"help_text": "of the last attempt's answer; null where there was none"},
            "response": {"help_text": "the beginning of that answer's body, without control characters"},
        }

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_next_at(self, delivery: Delivery) -> Any:
        """The latest of what it waits for."""
        waits = delivery.status == DeliveryStatus.WAITING
        return serializers.DateTimeField().to_representation(delivery.next_at) if waits else None


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "type": {"type": "string"},
            "created_at": {"type": "string", "format": "date-time"},
            "url": {"type": "string"},
            "data": {"type": "object", "additionalProperties": {}},
        },
        "required": ["id", "type", "created_at", "url", "data"],
    }
)
class EventField(serializers.Field[Any, Any, Any, Any]):
    """What is sent, as JSON."""

    def to_representation(self, value: str) -> Any:
        return json.loads(value)


class DeliveryOut(DeliverySummary):
    """The same, with what is sent."""

    event = EventField(source="body", read_only=True)

    class Meta(DeliverySummary.Meta):
        fields = (*DeliverySummary.Meta.fields, "event")  # type: ignore[assignment]
