"""Tournaments for operators; the boards' seeds are not shown."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from league.common.admin import ReadOnlyAdmin, user_of
from league.common.errors import UserError
from league.pipeline import start
from league.tournaments import services
from league.tournaments.models import Board, Bye, Entrant, Group, PlayWorker, Table, Tournament, Turn


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Every tournament, and where it is."""

    list_display = (
        "name",
        "organiser",
        "status",
        "format",
        "round",
        "players",
        "boards",
        "rated",
        "created_at",
    )
    list_filter = ("status", "format", "rated", "players")
    exclude = ("seed",)
    search_fields = ("name", "organiser__username")
    actions = ("cancel",)

    @admin.action(description="Cancel")
    def cancel(self, request: HttpRequest, chosen: QuerySet[Tournament]) -> None:
        for tournament in chosen:
            try:
                services.cancel(tournament, by=user_of(request))
            except UserError as error:
                messages.error(request, f"{tournament}: {error.message}")


@admin.register(Entrant)
class EntrantAdmin(ReadOnlyAdmin):
    """Who takes part."""

    list_display = ("tournament", "version", "status", "seeded", "entered_at")
    list_filter = ("status",)
    search_fields = ("tournament__name", "bot__name")


@admin.register(Group)
class GroupAdmin(ReadOnlyAdmin):
    """Who plays the same boards."""

    list_display = ("tournament", "number", "round", "seatings")
    search_fields = ("tournament__name",)


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    """The boards' commitments."""

    list_display = ("group", "number", "batch", "complete", "commitment")
    list_filter = ("complete",)
    search_fields = ("commitment",)
    exclude = ("seed",)


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """The queue: what waits, is played, is done or parked."""

    list_display = ("id", "group", "number", "status", "attempt", "lease_until", "not_before", "failure")
    list_filter = ("status",)
    search_fields = ("group__tournament__name", "failure")
    actions = ("retry",)

    @admin.action(description="Put parked tables back into the queue")
    def retry(self, request: HttpRequest, chosen: QuerySet[Table]) -> None:
        for table in chosen:
            try:
                start.retry(table, by=user_of(request))
            except UserError as error:
                messages.error(request, f"{table}: {error.message}")


@admin.register(Bye)
class ByeAdmin(ReadOnlyAdmin):
    """Who has no group in a round."""

    list_display = ("entrant", "round")
    search_fields = ("entrant__bot__name",)


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    """When whose table was last begun."""

    list_display = ("organiser", "served_at")
    search_fields = ("organiser__username",)


@admin.register(PlayWorker)
class PlayWorkerAdmin(ReadOnlyAdmin):
    """The processes that play tables."""

    list_display = ("name", "seen_at")
    search_fields = ("name",)
