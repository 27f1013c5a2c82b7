"""Users for operators."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from league.accounts.models import User


@admin.register(User)
class LeagueUserAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's own, and the key. A user is closed by switching `active` off: what they played stays."""

    readonly_fields = ("username_key", "last_login", "date_joined")

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False
