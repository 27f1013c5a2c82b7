"""Lists come in pages, found by where the last one ended: the thousandth costs no more than the first.

A cursor holds the list's address, its ordering and the values that the page's edge had in it, signed.
Nothing is counted, and rows that come or go meanwhile neither repeat others nor hide them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import Any, Self

from django.core.signing import BadSignature, Signer
from django.db.models import F, Field, Model, Q, QuerySet
from django.db.models.expressions import OrderBy
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from league.common.errors import Invalid

_NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
_SIGNER = Signer(salt="league.api.cursor")
PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
CURSOR, SIZE = "cursor", "page_size"
#: What a list takes in its query, for the schema.
PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    CURSOR: ({"type": "string", "minLength": 1}, "Where the page begins: from `next` or `previous`."),
    SIZE: (
        {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE, "default": PAGE_SIZE},
        "How many rows a page has.",
    ),
}


@dataclass(frozen=True)
class Term:
    """One column of an ordering. Where it may be null, null is the largest, on every database."""

    path: str
    falling: bool
    field: "Field[Any, Any]"

    @classmethod
    def of(cls, text: str, model: type[Model]) -> Self:
        """The term of `-column` or `relation__column`."""
        *relations, name = text.removeprefix("-").split("__")
        for relation in relations:
            related: Any = model._meta.get_field(relation).related_model
            model = related
        field: Any = model._meta.pk if name == "pk" else model._meta.get_field(name)
        return cls("__".join([*relations, field.attname]), text.startswith("-"), field)

    def order(self, backwards: bool) -> OrderBy:
        """For `order_by`."""
        falling = self.falling != backwards
        nulls = {} if not self.field.null else {"nulls_first": True} if falling else {"nulls_last": True}
        return OrderBy(F(self.path), descending=falling, **nulls)

    def of_row(self, row: Model) -> Any:
        """The row's value, as JSON has it."""
        value = reduce(getattr, self.path.split("__"), row)
        return value.isoformat() if isinstance(value, datetime) else value

    def beyond(self, value: Any, backwards: bool) -> Q:
        """Rows that come after those of this value."""
        falling = self.falling != backwards
        if value is None:
            return Q(**{f"{self.path}__isnull": False}) if falling else Q(pk__in=[])
        past = Q(**{f"{self.path}__{'lt' if falling else 'gt'}": value})
        return past | self.equal(None) if self.field.null and not falling else past

    def equal(self, value: Any) -> Q:
        """Rows of this value."""
        return Q(**{f"{self.path}__isnull": True}) if value is None else Q(**{self.path: value})

    def bound(self, value: Any, backwards: bool) -> Q:
        """Implied by what `after` asks, and all of it that an index can begin with."""
        if self.field.null:
            return Q()
        return Q(**{f"{self.path}__{'lte' if self.falling != backwards else 'gte'}": value})


def terms_of(rows: QuerySet[Any]) -> list[Term]:
    """The ordering of a query set, which must be total."""
    ordering = rows.query.order_by or rows.model._meta.ordering
    return [Term.of(str(term), rows.model) for term in ordering]


def after(terms: Sequence[Term], values: Sequence[Any], backwards: bool) -> Q:
    """The rows that come after the one with these values."""
    first, *rest = terms
    beyond = first.beyond(values[0], backwards)
    if not rest:
        return beyond
    tied = first.equal(values[0]) & after(rest, values[1:], backwards)
    return first.bound(values[0], backwards) & (beyond | tied)


class Pages(BasePagination):
    """`?cursor=…&page_size=50`. The query set's ordering must be total (league.api.filters)."""

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        """One page's rows. Raises Invalid for a cursor or a size that can't be."""
        size = page_size(request)
        terms = terms_of(queryset)
        ordering = [f"{'-' * term.falling}{term.path}" for term in terms]
        about, cursor = [request.path, ordering], request.query_params.get(CURSOR)
        backwards, values = unsealed(cursor, about) if cursor else (False, [])
        if values:
            pairs = zip(terms, values, strict=True)
            values = [None if value is None else term.field.to_python(value) for term, value in pairs]
            queryset = queryset.filter(after(terms, values, backwards))
        rows = list(queryset.order_by(*(term.order(backwards) for term in terms))[: size + 1])
        more = len(rows) > size
        rows = rows[:size][::-1] if backwards else rows[:size]

        def edge(row: Model, to_the_back: bool) -> str | None:
            place = [to_the_back, [term.of_row(row) for term in terms]]
            return link(request, sealed(about, place))

        self._next = edge(rows[-1], False) if rows and (more or backwards) else None
        self._previous = edge(rows[0], True) if rows and (more if backwards else values) else None
        return rows

    def get_paginated_response(self, data: Any) -> Response:
        """The page and the way to its neighbours."""
        return Response({"results": data, "next": self._next, "previous": self._previous})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """How a page looks."""
        link = {"type": "string", "format": "uri-reference", "nullable": True}
        return {
            "type": "object",
            "required": ["results", "next", "previous"],
            "properties": {
                "results": schema,
                "next": {**link, "description": "the next page's address; null on the last"},
                "previous": {**link, "description": "the page before; null on the first"},
            },
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        """What a list takes in its query."""
        return [
            {"name": name, "in": "query", "required": False, "schema": schema, "description": text}
            for name, (schema, text) in PARAMETERS.items()
        ]


def page_size(request: Request) -> int:
    """How many rows are asked for. Raises Invalid."""
    text = request.query_params.get(SIZE, str(PAGE_SIZE))
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= MAX_PAGE_SIZE:
        raise Invalid("bad_number", f"{SIZE} is a whole number from 1 to {MAX_PAGE_SIZE}.", SIZE)
    return int(text)


def sealed(about: Any, place: Any) -> str:
    """A cursor: a place in a list, and what the list must be for it to mean anything."""
    return _SIGNER.sign_object([about, place])


def unsealed(cursor: str, about: Any) -> Any:
    """The place that a cursor names. Raises Invalid for one made up, or made for another list."""
    try:
        made_for, place = _SIGNER.unsign_object(cursor)
    except BadSignature:
        raise Invalid(
            "bad_cursor", "A cursor is taken from `next` or `previous`, unchanged.", CURSOR
        ) from None
    if made_for != about:
        raise Invalid(
            "bad_cursor",
            "The cursor is of another list or order, or the list has changed; begin anew.",
            CURSOR,
        )
    return place


def link(request: Request, cursor: str | None) -> str | None:
    """The request's address with this cursor, relative to the site: whatever host a request names, it is
    led to no other, and what a cache keeps is the same for all names of the site."""
    return replace_query_param(request.get_full_path(), CURSOR, cursor) if cursor else None
