"""Matches for operators; records, which hold hands and seeds, are not shown here."""

from django.contrib import admin

from arena.seat import FaultKind
from league.common.admin import ReadOnlyAdmin, one_of
from league.matches.models import FaultCount, Match, MatchClock, MatchSeat


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """What was played."""

    huge = True
    secret = ("record",)
    list_display = (
        "id",
        "tournament",
        "table",
        "board",
        "ended",
        "deals",
        "backend",
        "played_at",
        "duration_ms",
    )
    list_filter = ("ended", one_of("backend", ("bubblewrap", "docker")), "played_at")
    list_select_related = ("tournament", "table__group__tournament", "board__group__tournament")
    search_fields = ("name__exact", "sha256__exact")
    search_help_text = "An id, the name in the record, or its SHA-256"
    ordering = ("-id",)


@admin.register(MatchSeat)
class MatchSeatAdmin(ReadOnlyAdmin):
    """How each bot did."""

    huge = True
    list_display = ("match", "seat", "version", "total", "rank", "faults", "vacated")
    list_filter = ("vacated",)
    list_select_related = ("match", "version__bot")
    search_fields = ("version__bot__name__exact",)
    search_help_text = "An id, or a bot's whole name"
    ordering = ("-id",)


@admin.register(MatchClock)
class MatchClockAdmin(ReadOnlyAdmin):
    """Of which matches it is kept what their decisions took."""

    huge = True
    secret = ("use",)
    list_display = ("match",)
    list_select_related = ("match",)
    search_fields = ("match__name__exact",)
    search_help_text = "A match's id, or its name in the record"
    ordering = ("-match_id",)


@admin.register(FaultCount)
class FaultCountAdmin(ReadOnlyAdmin):
    """How often each bot failed in a match, and how."""

    huge = True
    list_display = ("match", "version", "kind", "count")
    list_filter = (one_of("kind", tuple(map(str, FaultKind))),)
    list_select_related = ("match", "version__bot")
    search_fields = ("version__bot__name__exact",)
    search_help_text = "An id, or a bot's whole name"
    ordering = ("-id",)
