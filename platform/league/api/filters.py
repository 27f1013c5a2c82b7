"""Filters and orderings, each on an allow list; what is not on it is refused, not ignored."""

import re
from typing import Any

import django_filters
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Exists, OuterRef, Q, QuerySet
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework.filters import OrderingFilter
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.views import APIView

from arena.seat import FaultKind
from league.api.pagination import CURSOR, MAX_PAGE_SIZE, SIZE
from league.bots.lifecycle import VersionStatus
from league.bots.models import Bot, Version
from league.common.errors import Invalid
from league.common.text import name_key
from league.matches.models import FaultCount, Match, MatchSeat
from league.ratings.models import Pool, Rating
from league.tournaments.lifecycle import EntrantStatus, TableStatus, TournamentStatus
from league.tournaments.models import Entrant, Tournament
from league.tournaments.selectors import taking_entrants
from league.webhooks.lifecycle import DeliveryStatus
from league.webhooks.models import Delivery

#: An id as it is written, in addresses and in queries: ASCII digits without a zero in front. Every such
#: number fits into a column of 64 bits.
ID = "[1-9][0-9]{0,17}"
_ID = re.compile(ID)


def id_in(request: Request, name: str) -> int | None:
    """The id that a parameter gives, None where it is left out. Raises Invalid."""
    text = request.query_params.get(name)
    if text is not None and not _ID.fullmatch(text):
        raise Invalid("bad_number", "An id is a whole number from 1, in plain digits.", name)
    return None if text is None else int(text)


class IdField(forms.Field):
    """A row's id in a query: ASCII digits."""

    def to_python(self, value: Any) -> int | None:
        if value in self.empty_values:
            return None
        if not _ID.fullmatch(str(value)):
            raise ValidationError("An id is a whole number from 1, in plain digits.", code="bad_number")
        return int(value)


class IdFilter(django_filters.Filter):
    """Rows that have this id in a column."""

    field_class = IdField


class IdsField(forms.CharField):
    """Rows' ids in a query, with commas between them."""

    def to_python(self, value: Any) -> Any:
        ids = [] if value in self.empty_values else str(value).split(",")
        if len(ids) > MAX_PAGE_SIZE or not all(_ID.fullmatch(one) for one in ids):
            raise ValidationError(
                f"Ids are whole numbers from 1, in plain digits, {MAX_PAGE_SIZE} at the most, with commas.",
                code="bad_number",
            )
        return [int(one) for one in ids]


class IdsFilter(django_filters.CharFilter):
    """Rows that have one of these ids in a column."""

    field_class = IdsField

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        return qs.filter(**{f"{self.field_name}__in": value}) if value else qs


class SatFilter(IdFilter):
    """Matches of which it is true for some seat (`seats__…`); each once, for however many it is."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        if value is None:
            return qs
        seat = {self.field_name.removeprefix("seats__"): value}
        return qs.filter(Exists(MatchSeat.objects.filter(**seat, match=OuterRef("pk"))))


class FaultFilter(django_filters.ChoiceFilter):
    """Matches with a fault of this kind: of the bot or version asked for besides, or of whoever sat there."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        if not value:
            return qs
        asked = self.parent.form.cleaned_data
        whose = {"version__bot": asked.get("bot"), "version": asked.get("version")}
        counts = FaultCount.objects.filter(kind=value, **{name: pk for name, pk in whose.items() if pk})
        return qs.filter(pk__in=counts.values("match"))


class NameFilter(django_filters.CharFilter):
    """Rows whose name looks the same."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        named: QuerySet[Any] = super().filter(qs, name_key(value) if value else value)
        return named


class PartFilter(django_filters.CharFilter):
    """Rows of which one of these names has this in it, however it is written."""

    def __init__(self, *columns: str, **more: Any) -> None:
        super().__init__(columns[0], **more)
        self.columns = columns

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        if not value:
            return qs
        part = name_key(value)
        return qs.filter(Q(*((f"{column}__contains", part) for column in self.columns), _connector=Q.OR))


class Filters(DjangoFilterBackend):
    """django-filter's own; a value that can't be one is a 400."""


def refuse_unknown(request: Request, view: Any) -> None:
    """Raise Invalid for a parameter that this operation doesn't know, naming those that it does, and for one
    that is given twice, or without a value: what was meant, nobody can tell."""
    known = known_parameters(view) if request.method in SAFE_METHODS else frozenset()
    for name, values in request.query_params.lists():
        if name not in known:
            raise Invalid(
                "unknown_parameter",
                f"Nothing here goes by that; known: {', '.join(sorted(known)) or 'none'}.",
                name,
            )
        if len(values) > 1:
            raise Invalid("repeated_parameter", "Give it once.", name)
        if not values[0]:
            raise Invalid("blank", "Give it a value, or leave it out.", name)


def known_parameters(view: Any) -> frozenset[str]:
    """What the operation takes in its query: a list its filters, its pages and its orderings."""
    known = set(view.query_parameters)
    if view.lists or view.action in {"list", "export"}:
        known |= set(view.filterset_class.base_filters if view.filterset_class else ())
        known |= {CURSOR, SIZE} if view.pagination_class is not None else set()
        known |= {Ordering.ordering_param} if view.ordering_fields else set()
    return frozenset(known)


class Ordering(OrderingFilter):
    """`?ordering=-elo`; ties are broken by id, so that pages never overlap."""

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> Any:
        allowed = getattr(view, "ordering_fields", ())
        asked = request.query_params.get(self.ordering_param, "")
        if not allowed or not asked:
            return None
        terms = [term.strip() for term in asked.split(",")]
        for term in terms:
            if term.removeprefix("-") not in allowed:
                raise Invalid(
                    "bad_ordering", f"Order by one of {', '.join(allowed)}, with - for falling.", "ordering"
                )
        # In the direction of what they break, as an index has them.
        return [*terms, "-id" if terms[-1].startswith("-") else "id"]


def _choices(statuses: Any) -> list[tuple[str, str]]:
    return [(status.value, status.name) for status in statuses]


class BotFilter(django_filters.FilterSet):
    owner = NameFilter("owner__username_key", help_text="the owner's name")
    name = NameFilter("name_key", help_text="the bot's name")
    search = PartFilter("name_key", "owner__username_key", help_text="part of the bot's or its owner's name")

    class Meta:
        model = Bot
        fields: tuple[str, ...] = ()


class VersionFilter(django_filters.FilterSet):
    status = django_filters.ChoiceFilter(choices=_choices(VersionStatus))

    class Meta:
        model = Version
        fields: tuple[str, ...] = ()


class TournamentFilter(django_filters.FilterSet):
    status = django_filters.ChoiceFilter(choices=_choices(TournamentStatus))
    organiser = NameFilter("organiser__username_key", help_text="the organiser's name")
    name = NameFilter("name_key", help_text="the tournament's name")
    pool = IdFilter("pool_id", help_text="a pool's id")
    takes_entrants = django_filters.ChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        method="by_entrants",
        help_text="true: those that bots can enter now",
    )

    class Meta:
        model = Tournament
        fields: tuple[str, ...] = ()

    @staticmethod
    def by_entrants(qs: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        those = taking_entrants(Tournament.objects.all()).values("pk")
        return qs.filter(pk__in=those) if value == "true" else qs.exclude(pk__in=those)


class EntrantFilter(django_filters.FilterSet):
    status = django_filters.ChoiceFilter(choices=_choices(EntrantStatus))
    bot = IdFilter("bot_id", help_text="a bot's id")
    version = IdFilter("version_id", help_text="a version's id")
    owner = NameFilter("bot__owner__username_key", help_text="the owner's name")

    class Meta:
        model = Entrant
        fields: tuple[str, ...] = ()


class TableFilter(django_filters.FilterSet):
    status = django_filters.ChoiceFilter(choices=_choices(TableStatus))


class MatchFilter(django_filters.FilterSet):
    tournament = IdFilter("tournament_id", help_text="a tournament's id")
    group = IdFilter("table__group_id", help_text="a group's id")
    table = IdFilter("table_id", help_text="a table's id")
    board = IdFilter("board_id", help_text="a board's id")
    bot = SatFilter("seats__version__bot_id", help_text="a bot's id: it sat there")
    version = SatFilter("seats__version_id", help_text="a version's id: it sat there")
    fault = FaultFilter(
        choices=_choices(FaultKind), help_text="a kind of fault, of the bot or version asked for, or of any"
    )

    class Meta:
        model = Match
        fields: tuple[str, ...] = ()


class PoolFilter(django_filters.FilterSet):
    variant = django_filters.CharFilter("variant")
    players = IdFilter("players")

    class Meta:
        model = Pool
        fields: tuple[str, ...] = ()


class RatingFilter(django_filters.FilterSet):
    pool = IdFilter("snapshot__sheet__pool_id", help_text="a pool's id")
    bot = IdFilter("version__bot_id", help_text="a bot's id")
    version = IdFilter("version_id", help_text="a version's id")
    owner = NameFilter("version__bot__owner__username_key", help_text="the owner's name")
    search = PartFilter("version__bot__name_key", help_text="part of the bot's name")

    class Meta:
        model = Rating
        fields: tuple[str, ...] = ()


class SnapshotRatingFilter(django_filters.FilterSet):
    versions = IdsFilter("version_id", help_text="versions' ids, with commas between them")

    class Meta:
        model = Rating
        fields: tuple[str, ...] = ()


class DeliveryFilter(django_filters.FilterSet):
    status = django_filters.ChoiceFilter(choices=_choices(DeliveryStatus))
    type = django_filters.CharFilter("type", help_text="an event's type")

    class Meta:
        model = Delivery
        fields: tuple[str, ...] = ()


class CrossTableFilter(django_filters.FilterSet):
    version = IdFilter("version_id", help_text="a version's id: only its pairs, from its side")
    top = IdFilter("position", help_text="only pairs among the best so many")

    class Meta:
        model = Rating
        fields: tuple[str, ...] = ()
