"""Admin parts that every app uses: machine-owned rows are looked at, not edited; what is done, is a deed."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.models import LogEntry
from django.core.exceptions import SuspiciousOperation
from django.core.paginator import Paginator
from django.db.models import ManyToOneRel, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from league.common.deeds import ROWS_MAX, Deed
from league.common.lifecycle import Lived, StatusNote

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
    Filter = admin.SimpleListFilter
    Counted = Paginator[Any]
else:
    Base = admin.ModelAdmin
    Filter = admin.SimpleListFilter
    Counted = Paginator

admin.site.site_header = admin.site.site_title = "Polignac league, for operators"
admin.site.index_title = "All that is there"

_NUMBER = re.compile(r"[0-9]{1,18}")
#: What no database takes in a filter: NUL, and numbers that no id has.
_ODD = re.compile("\x00|[0-9]{19}")


class Pages(Counted):
    """Counts no further than anybody turns pages: to count a million matches takes long."""

    MOST = 10_000

    @cached_property
    def count(self) -> int:
        """How many rows there are, or MOST where there are more."""
        rows = cast(QuerySet[Any], self.object_list)
        return rows.order_by().values("pk")[: self.MOST].count()


def one_of(column: str, values: Iterable[str]) -> type[Filter]:
    """A filter by known values. Django's own would look for them in all rows."""
    options = [(value, value) for value in map(str, values)]

    class OneOf(Filter):
        title = column.replace("_", " ")
        parameter_name = column

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return options

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{column: self.value()}) if self.value() else queryset

    return OneOf


class OperatorAdmin(Base):
    """What lists have in common: deeds instead of Django's actions, no secrets, no long counts, no deletion.

    Attributes:
        secret: columns that are shown to nobody, and that no filter takes, which would tell them bit by bit.
        huge: there may be millions: no columns to sort by, and a number that is searched for is an id alone.
        deeds: what may be done to rows of the list, by whoever may change them.
    """

    secret: ClassVar[Sequence[str]] = ()
    huge: ClassVar[bool] = False
    deeds: ClassVar[Sequence[Deed]] = ()

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    paginator = Pages
    list_per_page = ROWS_MAX
    list_max_show_all = 0

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_deed_permission(self, request: HttpRequest) -> bool:
        """Whether the operator may do deeds here: Django's permission to change such rows."""
        return super().has_change_permission(request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        if not self.has_deed_permission(request):
            return {}
        return {deed.name: (deed, deed.name, deed.label) for deed in self.deeds}

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        if not set(lookup.split("__")).isdisjoint(self.secret):
            return False
        return super().lookup_allowed(lookup, value, request)  # type: ignore[arg-type]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        for name, values in request.GET.lists():
            if any("\x00" in value or (name != "q" and _ODD.search(value)) for value in values):
                raise SuspiciousOperation("a value that no row has")
        if not all(map(_NUMBER.fullmatch, request.POST.getlist(ACTION_CHECKBOX_NAME))):
            raise SuspiciousOperation("ids are whole numbers")
        return super().changelist_view(request, extra_context)

    def get_sortable_by(self, request: HttpRequest) -> Any:
        """Millions of rows are in one order, that of an index."""
        return () if self.huge else super().get_sortable_by(request)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        if self.huge and _NUMBER.fullmatch(search_term):
            return queryset.filter(pk=int(search_term)), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description="see also")
    def see_also(self, row: Model) -> SafeString:
        """Links to the lists of what belongs to the row, and to what happened to it."""
        return format_html_join(" · ", '<a href="{}">{}</a>', self._lists(row))

    def _lists(self, row: Model) -> list[tuple[str, str]]:
        lists = []
        for relation in row._meta.get_fields(include_hidden=True):
            if isinstance(relation, ManyToOneRel) and self.admin_site.is_registered(relation.related_model):
                theirs, column = relation.related_model._meta, relation.field.name
                text = f"{theirs.verbose_name_plural} ({relation.field.verbose_name})"
                lists.append((f"{_list(relation.related_model)}?{column}={row.pk}", text))
        if isinstance(row, Lived) or row._meta.model_name == "user":
            lists.append((f"{_list(StatusNote)}?kind={row._meta.model_name}&row={row.pk}", "status notes"))
        return lists


class ReadOnlyAdmin(OperatorAdmin):
    """To look and search; changes go through the services only. Every column is shown that isn't secret."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer(*self.secret)

    def get_fields(self, request: HttpRequest, obj: object = None) -> list[Any]:
        shown = [field.name for field in self.opts.concrete_fields if field.name not in self.secret]
        return [*shown, "see_also"]

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> list[Any]:
        return self.get_fields(request, obj)


def _list(model: type[Model]) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


class KindFilter(Filter):
    """What a note is about."""

    title = parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, kind) for kind in sorted(kinds())]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


def kinds() -> dict[str, type[Model]]:
    """What status notes are about, by their `kind`."""
    models = [model for model in apps.get_models() if issubclass(model, Lived)]
    return {model._meta.model_name or "": model for model in (*models, apps.get_model("accounts.User"))}


@admin.register(StatusNote)
class StatusNoteAdmin(ReadOnlyAdmin):
    """Who moved what, when and why."""

    huge = True
    list_display = ("at", "about", "old", "new", "text", "by")
    list_display_links = ("at",)
    list_select_related = ("by",)
    list_filter = (KindFilter,)
    search_fields = ("text", "by__username")
    ordering = ("-id",)

    @admin.display(description="about")
    def about(self, note: StatusNote) -> str:
        """What it is about, with a link to it."""
        model = kinds().get(note.kind)
        if model is None:
            return f"{note.kind} {note.row}"
        return format_html('<a href="{}{}/change/">{} {}</a>', _list(model), note.row, note.kind, note.row)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnlyAdmin):
    """What operators did here, with why."""

    list_display = ("action_time", "user", "content_type", "object_repr", "said")
    list_select_related = ("user", "content_type")
    list_filter = ("action_flag",)
    search_fields = ("object_repr", "change_message", "user__username")
    date_hierarchy = "action_time"
    ordering = ("-id",)

    @admin.display(description="what and why")
    def said(self, entry: LogEntry) -> str:
        """The message as people read it."""
        return entry.get_change_message()
