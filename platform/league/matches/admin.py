"""Matches for operators; records, which hold hands and seeds, are not shown here."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from league.common.admin import ReadOnlyAdmin
from league.matches.models import Match, MatchSeat


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """What was played."""

    list_display = ("id", "table", "board", "ended", "deals", "backend", "played_at", "duration_ms")
    list_filter = ("ended", "backend")
    search_fields = ("name", "sha256")
    exclude = ("record",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).defer("record")


@admin.register(MatchSeat)
class MatchSeatAdmin(ReadOnlyAdmin):
    """How each bot did."""

    list_display = ("match", "seat", "version", "total", "rank", "faults", "vacated")
    list_filter = ("vacated",)
    search_fields = ("version__bot__name",)
