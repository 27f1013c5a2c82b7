"""What the views share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar, cast

from django.db.models import Model, QuerySet
from rest_framework.exceptions import APIException
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from league.accounts.models import User
from league.api import caching, idempotency
from league.api.filters import ID, refuse_unknown
from league.api.permissions import HasScope, IsStaff, Scopes
from league.api.throttles import FairThrottle
from league.common.errors import Missing, UserError

__all__ = ["ID", "View", "found", "known_user", "user_of"]

#: Permissions that let no stranger in.
KNOWN_ONLY = (IsAuthenticated, IsStaff)
Row = TypeVar("Row", bound=Model)
#: OPTIONS would tell what the OpenAPI document does, in another form: it is refused like what is not there.
METHODS = ("get", "head", "post", "put", "patch", "delete")


class View(GenericViewSet[Any]):
    """A view set whose rows are found by ids of ASCII digits.

    `permission_classes` say who may come in, `scopes` what a token must be good for (league.api.permissions).

    Attributes:
        lists: whether an action answers with a list, and takes what the class has for lists in its query.
        query_parameters: what an operation takes besides.
        cached: how long answers may be kept, by action, where it is not as for all (`caching`).
        repeatable: how a write behaves under an `Idempotency-Key`, by action, where it is not as for all.
        waits: the method that does what an action has to wait for, by action: before its transaction begins.
    """

    http_method_names = METHODS
    lookup_value_regex = ID
    permission_classes: Any = (IsAuthenticated,)
    scopes: Scopes = {}  # noqa: RUF012 - a view's, and never changed
    filterset_class: Any = None
    ordering_fields: tuple[str, ...] = ()
    lists: bool = False
    query_parameters: tuple[str, ...] = ()
    cached: ClassVar[Mapping[str, str]] = {}
    repeatable: ClassVar[Mapping[str, idempotency.Kind]] = {}
    waits: ClassVar[Mapping[str, str]] = {}

    def get_permissions(self) -> Any:
        """Those of the view, and the scope."""
        return [*super().get_permissions(), HasScope()]

    def perform_authentication(self, request: Request) -> None:
        """Raises AuthenticationFailed, Throttled."""
        with self._refusals_counted(request):
            super().perform_authentication(request)

    def check_permissions(self, request: Request) -> None:
        """Raises NotAuthenticated, PermissionDenied, ScopeMissing, Throttled."""
        with self._refusals_counted(request):
            super().check_permissions(request)

    @contextmanager
    def _refusals_counted(self, request: Request) -> Iterator[None]:
        """Who is refused is counted, too: the framework does that for those only who may come in."""
        try:
            yield
        except (APIException, UserError):
            throttle = FairThrottle()
            if not throttle.allow_request(request, self):
                self.throttled(request, throttle.wait())
            raise

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who may, then what was asked: before the operation's own code. Raises Invalid."""
        super().initial(request, *args, **kwargs)
        if self.action is None:
            return  # a method that this address doesn't have
        refuse_unknown(request, self)
        key, method = idempotency.key_of(request), (request.method or "").lower()
        kind = self.repeatable.get(self.action, idempotency.Kind.KEPT)
        if self.action in self.waits and not (key and idempotency.answered(request, key)):
            getattr(self, self.waits[self.action])(request)
        if key is not None and kind is not idempotency.Kind.PLAIN:
            once = idempotency.once(key, kind, getattr(self, method))
            setattr(self, method, once)  # what the request is handed to

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """The answer, with how long it may be kept: nowhere, where strangers are not let in."""
        response = super().finalize_response(request, response, *args, **kwargs)
        known_only = any(isinstance(who, KNOWN_ONLY) for who in self.get_permissions())
        rule = self.cached.get(self.action or "", caching.SECRET if known_only else None)
        if rule and response.status_code < 400:
            response.headers.setdefault(caching.HEADER, rule)
        return response

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
    row = next(iter(rows.filter(**where).order_by()[:1]), None)
    if row is None:
        raise Missing("not_found", f"There is no such {rows.model._meta.verbose_name}.")
    return row
