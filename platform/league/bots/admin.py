"""Bots for operators: looked at, not edited; actions go through the services."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from league.bots import services
from league.bots.models import Bot, Check, Version
from league.common.admin import ReadOnlyAdmin, user_of
from league.common.errors import UserError
from league.pipeline import submit


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    """Who owns what."""

    list_display = ("name", "owner", "created_at")
    search_fields = ("name", "owner__username")


@admin.register(Version)
class VersionAdmin(ReadOnlyAdmin):
    """Every upload, and where it is."""

    list_display = ("bot", "number", "status", "language", "attempt", "failure", "same_as", "created_at")
    # "Not empty": programs that somebody else sent before, for a look at who copied from whom.
    list_filter = ("status", ("same_as", admin.EmptyFieldListFilter), "language")
    list_select_related = ("bot", "same_as__bot")
    search_fields = ("bot__name", "digest", "archive")
    actions = ("retry", "retire")

    @admin.action(description="Check parked versions again")
    def retry(self, request: HttpRequest, chosen: QuerySet[Version]) -> None:
        for version in chosen:
            try:
                submit.retry(version, by=user_of(request))
            except UserError as error:
                messages.error(request, f"{version}: {error.message}")

    @admin.action(description="Retire")
    def retire(self, request: HttpRequest, chosen: QuerySet[Version]) -> None:
        for version in chosen:
            try:
                services.retire_version(version, by=user_of(request), why="by an operator")
            except UserError as error:
                messages.error(request, f"{version}: {error.message}")


@admin.register(Check)
class CheckAdmin(ReadOnlyAdmin):
    """What the checks found."""

    list_display = ("version", "position", "stage", "outcome", "code", "message", "duration_ms")
    list_filter = ("stage", "outcome", "code")
    search_fields = ("version__bot__name",)
