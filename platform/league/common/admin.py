"""Admin parts that every app uses: machine-owned rows are looked at, not edited."""

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.http import HttpRequest

from league.common.models import StatusNote

if TYPE_CHECKING:
    from league.accounts.models import User

    Base = admin.ModelAdmin[Any]
else:
    Base = admin.ModelAdmin


def user_of(request: HttpRequest) -> "User":
    """The operator."""
    return cast("User", request.user)


class ReadOnlyAdmin(Base):
    """To look and search; changes go through the services only."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(StatusNote)
class StatusNoteAdmin(ReadOnlyAdmin):
    """Who moved what, when and why."""

    list_display = ("at", "kind", "row", "old", "new", "text", "by")
    list_filter = ("kind", "new")
    search_fields = ("row", "text")
