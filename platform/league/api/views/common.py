"""What the views share."""

from typing import Any, TypeVar, cast

from django.db.models import Model, QuerySet
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from league.accounts.models import User
from league.api.filters import refuse_unknown
from league.api.permissions import HasScope, Scopes
from league.common.errors import Missing

ID = "[0-9]{1,18}"
Row = TypeVar("Row", bound=Model)


class View(GenericViewSet[Any]):
    """A view set whose rows are found by ids of ASCII digits.

    `permission_classes` say who may come in, `scopes` what a token must be good for (league.api.permissions).
    """

    lookup_value_regex = ID
    permission_classes: Any = (IsAuthenticated,)
    scopes: Scopes = {}  # noqa: RUF012 - a view's, and never changed
    filterset_class: Any = None
    ordering_fields: tuple[str, ...] = ()

    def get_permissions(self) -> Any:
        """Those of the view, and the scope."""
        return [*super().get_permissions(), HasScope()]

    def paginate_queryset(self, queryset: Any) -> Any:
        """A page of the rows. Raises Invalid for a parameter that the list doesn't know."""
        refuse_unknown(self.request, self)
        return super().paginate_queryset(queryset)

    def page(self, rows: Any, serializer: Any, **more: Any) -> Response:
        """A page of the rows; `more` goes beside `results`."""
        context = self.get_serializer_context()
        found = serializer(self.paginate_queryset(rows), many=True, context=context).data
        answer = self.get_paginated_response(found)
        answer.data |= more
        return answer


def user_of(request: Request) -> User:
    """Who asks; for views that only the known may use."""
    return cast(User, request.user)


def known_user(request: Request) -> User | None:
    """Who asks, where anybody may."""
    return user_of(request) if request.user.is_authenticated else None


def found(rows: QuerySet[Row], **where: Any) -> Row:
    """The row. Raises Missing."""
    row = rows.filter(**where).first()
    if row is None:
        raise Missing("not_found", f"There is no such {rows.model._meta.verbose_name}.")
    return row
