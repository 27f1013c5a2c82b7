"""Ratings for operators."""

from django.contrib import admin

from league.common.admin import ReadOnlyAdmin
from league.ratings.models import Pool, Rating, Sheet, Snapshot


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    """The pools."""

    list_display = ("id", "variant", "players", "created_at")
    list_filter = ("variant", "players")
    search_fields = ("key",)


@admin.register(Sheet)
class SheetAdmin(ReadOnlyAdmin):
    """What is added up, and whether it is up to date: where `through` is `changes`."""

    list_display = ("id", "pool", "tournament", "current", "changes", "through", "due_at")
    list_select_related = ("pool", "tournament", "current__sheet")
    search_fields = ("tournament__name",)


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """What the sheets said, and from which results."""

    list_display = (
        "id",
        "sheet",
        "number",
        "results_hash",
        "matches",
        "components",
        "computed_at",
        "took_ms",
    )
    list_select_related = ("sheet__pool", "sheet__tournament")
    search_fields = ("results_hash",)


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    """The lines of snapshots."""

    list_display = ("snapshot", "place", "version", "elo", "elo_error", "provisional", "matches", "wins")
    list_select_related = ("snapshot__sheet__pool", "snapshot__sheet__tournament", "version__bot")
    search_fields = ("version__bot__name",)
    exclude = ("versus", "live")
