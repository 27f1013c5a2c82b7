"""What the API keeps, for operators."""

from django.contrib import admin

from league.api.models import Answer
from league.common.admin import ReadOnlyAdmin


@admin.register(Answer)
class AnswerAdmin(ReadOnlyAdmin):
    """Whose write with which key was answered when. What the answer said, is the user's."""

    huge = True
    secret = ("body",)
    list_display = ("id", "user", "key", "status", "at")
    list_filter = ("at",)
    list_select_related = ("user",)
    search_fields = ("user__username__exact", "key__exact")
    search_help_text = "An id, a user's whole name, or a key"
    ordering = ("-id",)
