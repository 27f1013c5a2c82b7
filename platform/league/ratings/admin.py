"""Ratings for operators."""

from django.contrib import admin

from league.common.admin import ReadOnlyAdmin
from league.ratings.models import Pool, Rating


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    """The pools, and what their ratings were computed from."""

    list_display = ("id", "variant", "players", "matches", "results_hash", "rated_at")
    list_filter = ("variant", "players")
    search_fields = ("key",)


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin):
    """The tables."""

    list_display = ("pool", "place", "version", "elo", "matches", "wins")
    list_filter = ("pool",)
    search_fields = ("version__bot__name",)
