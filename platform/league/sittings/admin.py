"""Sittings for operators: where they are. Cards and answers are shown to nobody."""

from django.contrib import admin

from league.common.admin import ReadOnlyAdmin
from league.sittings.models import Sitting


@admin.register(Sitting)
class SittingAdmin(ReadOnlyAdmin):
    """Who plays against bots."""

    secret = ("seed", "record", "course", "question", "answers")
    list_display = ("id", "user", "status", "players", "asked_at", "failure", "created_at")
    list_filter = ("status",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    date_hierarchy = "created_at"
    ordering = ("-id",)
