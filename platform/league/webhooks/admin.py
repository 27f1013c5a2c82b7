"""Webhooks for operators, and what was sent. What signs it is shown to nobody."""

from django.contrib import admin

from league.common.admin import ReadOnlyAdmin
from league.common.deeds import Deed
from league.pipeline import deliver
from league.webhooks import services
from league.webhooks.models import Delivery, Webhook

BLOCK = Deed(
    "block",
    "Block",
    "Nothing more is sent to it, what waits is given up, and its owner, who reads why, can't switch it on "
    "again. “Enable” undoes it; what happened meanwhile is not told.",
    services.disable,
)
ENABLE = Deed(
    "enable",
    "Enable",
    "It is told what happens from now on, whoever had switched it off. “Block” undoes it.",
    services.enable,
)
REDELIVER = Deed(
    "redeliver",
    "Send again",
    "What was delivered or given up is sent once more: the same bytes, the same id. One that waits stays "
    "as it is. This can't be undone.",
    deliver.redeliver,
)


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Which addresses are told what happens."""

    secret = ("salt", "old_salt")
    list_display = ("id", "owner", "url", "status", "reason", "failures", "created_at")
    list_filter = ("status",)
    list_select_related = ("owner",)
    search_fields = ("owner__username", "url")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    deeds = (BLOCK, ENABLE)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """What was sent, or waits."""

    huge = True
    list_display = (
        "id",
        "webhook",
        "type",
        "subject",
        "status",
        "attempt",
        "response_code",
        "due_at",
        "failure",
    )
    list_filter = ("status", "created_at")
    list_select_related = ("webhook__owner",)
    search_fields = ("event_id__exact", "webhook__owner__username__exact")
    search_help_text = "An id, an event's id, or an owner's whole name"
    ordering = ("-id",)
    deeds = (REDELIVER,)
