"""Users and their tokens for operators."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission
from django.db.models import Q
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest

from league.accounts.models import Token, User
from league.common.admin import OperatorAdmin, ReadOnlyAdmin
from league.common.deeds import Deed
from league.pipeline.closing import close_account, reopen_account

CLOSE = Deed(
    "close",
    "Close the account",
    "The user has no way in any more: every token and session ends at once. The user's bots leave open "
    "tournaments, and the webhooks are paused; what runs is played to its end, and all results stay. "
    "“Open again” undoes it, but for what left.",
    close_account,
)
REOPEN = Deed(
    "reopen",
    "Open the account again",
    "The user may log in again, with the same password. Bots that left are entered again, and webhooks "
    "switched on again, by the user. “Close the account” undoes it.",
    reopen_account,
)
#: What makes somebody of the staff: only a superuser gives it.
RANK = ("is_staff", "is_superuser", "groups", "user_permissions")


class Permitting(OperatorAdmin):
    """A form with permissions: those that the admin asks for, to look and to act. No others do anything."""

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest, **more: Any
    ) -> "ModelMultipleChoiceField[Any] | None":
        field = super().formfield_for_manytomany(db_field, request, **more)
        if field is not None and db_field.related_model is Permission:
            asked = Q(codename__startswith="view_") | Q(codename__startswith="change_")
            models = [model._meta.model_name for model in self.admin_site._registry]
            field.queryset = field.queryset.filter(asked, content_type__model__in=models)  # type: ignore[union-attr]
        return field


@admin.register(User)
class LeagueUserAdmin(Permitting, UserAdmin):  # type: ignore[type-arg]
    """People. They sign up by themselves; who is of the staff, and another password, a superuser gives here.
    What a user is called stays: others know the bots' owner by it."""

    list_display = ("username", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser")
    search_fields = ("username", "email")
    date_hierarchy = "date_joined"
    ordering = ("-id",)
    secret = ("password",)
    fieldsets = (
        (None, {"fields": ("username", "password", "email", "is_active")}),
        ("What they may do", {"fields": RANK}),
        ("Times", {"fields": ("last_login", "date_joined")}),
        (None, {"fields": ("see_also",)}),
    )
    readonly_fields = ("username", "is_active", "last_login", "date_joined", "see_also")
    deeds = (CLOSE, REOPEN)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """A superuser's where the user is of the staff: a new password would be a way to more rights."""
        may = super().has_change_permission(request, obj)
        ranked = obj is not None and (obj.is_staff or obj.is_superuser)
        return may and (not ranked or bool(getattr(request.user, "is_superuser", False)))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        by_rank = () if getattr(request.user, "is_superuser", False) else RANK
        return (*super().get_readonly_fields(request, obj), *by_rank)


admin.site.unregister(Group)


@admin.register(Group)
class LeagueGroupAdmin(Permitting, GroupAdmin):  # type: ignore[misc]
    """What some of the staff may do, together. A superuser's, as it gives rights."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(getattr(request.user, "is_superuser", False))

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return bool(getattr(request.user, "is_superuser", False))

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return bool(getattr(request.user, "is_superuser", False))


def end_token(token: Token, by: User, why: str) -> None:
    """A token is no longer valid."""
    Token.objects.filter(pk=token.pk).delete()


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    """Who has which tokens, until when. What they are, nobody knows; their digests are not shown."""

    secret = ("digest", "token_key")
    list_display = ("id", "user", "name", "granted", "created", "expiry", "last_used_at")
    list_filter = ("expiry", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username", "name")
    ordering = ("-id",)
    deeds = (
        Deed(
            "end",
            "End",
            "The token is no longer valid, and vanishes. Its user makes another; this can't be undone.",
            end_token,
        ),
    )
