"""Bots for operators: looked at, not edited; what is done goes through the services."""

from django.contrib import admin

from league.bots import services
from league.bots.models import Bot, Check, Version
from league.common.admin import ReadOnlyAdmin, one_of
from league.common.deeds import Deed
from league.pipeline import start, submit
from sandbox.stages import Stage

RECHECK = Deed(
    "recheck",
    "Check parked versions again",
    "A version that the platform failed to check waits for its check again, with fresh attempts. If it fails "
    "again, it is parked again.",
    submit.retry,
)
RETIRE = Deed(
    "retire",
    "Retire",
    "The version can't be entered any more. What it has entered, it plays to its end, and that counts. This "
    "is what owners do with old versions, and it can't be undone: they upload it again.",
    services.retire_version,
)
DISQUALIFY = Deed(
    "disqualify",
    "Disqualify everywhere",
    "The version can't be entered any more, vanishes from open tournaments, and is disqualified in those "
    "that run: blocks that it has not completed never count, what is completed stays. Its owner reads why. "
    "“Enable” undoes it for tournaments to come; where it was put out, it stays out.",
    start.disqualify_version,
)
ENABLE = Deed(
    "enable",
    "Enable a disqualified version",
    "The version is active again, and may be entered. Tournaments that it was put out of don't take it back. "
    "“Disqualify everywhere” undoes it.",
    services.enable_version,
)


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    """Who owns what."""

    list_display = ("name", "owner", "created_at")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    date_hierarchy = "created_at"


@admin.register(Version)
class VersionAdmin(ReadOnlyAdmin):
    """Every upload, and where it is."""

    list_display = ("label", "status", "language", "attempt", "failure", "reason", "same_as", "created_at")
    # "Not empty": programs that somebody else sent before, for a look at who copied from whom.
    list_filter = ("status", ("same_as", admin.EmptyFieldListFilter), "language")
    list_select_related = ("bot", "same_as__bot")
    search_fields = ("bot__name", "bot__owner__username", "digest__startswith", "archive__startswith")
    date_hierarchy = "created_at"
    ordering = ("-id",)
    deeds = (RECHECK, RETIRE, DISQUALIFY, ENABLE)


@admin.register(Check)
class CheckAdmin(ReadOnlyAdmin):
    """What the checks found."""

    list_display = ("version", "position", "stage", "outcome", "code", "message", "duration_ms")
    list_filter = (one_of("stage", Stage), "outcome")
    list_select_related = ("version__bot",)
    search_fields = ("version__bot__name", "code", "message")
    ordering = ("-id",)
