"""Ratings for operators."""

from django.contrib import admin
from django.db.models import F, QuerySet
from django.http import HttpRequest

from league.common.admin import ReadOnlyAdmin
from league.ratings.models import Pool, Rating, Sheet, Snapshot


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    """The pools."""

    list_display = ("id", "variant", "players", "key", "created_at")
    list_filter = ("players", "variant")
    search_fields = ("key__startswith", "variant")


class Behind(admin.SimpleListFilter):
    """Whether a sheet's current snapshot misses changes."""

    title = parameter_name = "behind"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [("yes", "yes"), ("no", "no")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Sheet]) -> QuerySet[Sheet]:
        even = {"through": F("changes")}
        match self.value():
            case "yes":
                return queryset.exclude(**even)
            case "no":
                return queryset.filter(**even)
        return queryset


@admin.register(Sheet)
class SheetAdmin(ReadOnlyAdmin):
    """What is added up, and whether it is up to date: where `through` is `changes`."""

    list_display = ("id", "pool", "tournament", "current", "changes", "through", "due_at")
    list_filter = (Behind,)
    list_select_related = ("pool", "tournament", "current__sheet__pool", "current__sheet__tournament")
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
    list_filter = ("computed_at",)
    list_select_related = ("sheet__pool", "sheet__tournament")
    search_fields = ("results_hash__startswith", "sheet__tournament__name")
    ordering = ("-id",)


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    """The lines of snapshots."""

    huge = True
    secret = ("versus", "live")  # packed: nobody can read them
    list_display = ("snapshot", "place", "version", "elo", "elo_error", "provisional", "matches", "wins")
    list_filter = ("provisional",)
    list_select_related = ("snapshot__sheet__pool", "snapshot__sheet__tournament", "version__bot")
    search_fields = ("version__bot__name__exact",)
    search_help_text = "An id, or a bot's whole name"
    ordering = ("-id",)
