"""Live events of what can be listened to."""

from typing import Any

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.urls import URLPattern, re_path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request

from league.api.views.common import ID, View, found, known_user
from league.live.answers import answer
from league.live.events import MEDIA_TYPE
from league.live.subjects import Subject, seen_by

_LAST = OpenApiParameter(
    "Last-Event-ID", str, OpenApiParameter.HEADER, description="the id of the last event that you have"
)
_STREAM = OpenApiResponse(
    OpenApiTypes.STR,
    "Server-sent events. The first tells the present state, each other one a new state, as JSON; an id is a "
    "hash of that. `end` comes last, when nothing can change any more.",
)


class AnyType(DefaultContentNegotiation):
    """Whatever type is asked for: events have one of their own, and errors that of all errors."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        """The first of the view's; nothing is rendered by it."""
        return renderers[0], renderers[0].media_type


class Events(View):
    """What changes about one thing, as it changes."""

    kind = "tournament"
    content_negotiation_class = AnyType

    def get_queryset(self) -> QuerySet[Any]:
        return seen_by(known_user(self.request), self.kind)

    @extend_schema(
        parameters=[_LAST],
        responses={(200, MEDIA_TYPE): _STREAM, 204: OpenApiResponse(description="You have the last event.")},
    )
    def events(self, request: Request, pk: str) -> HttpResponseBase:
        """Its state now, and again whenever it changes: server-sent events, resumable by `Last-Event-ID`."""
        return answer(request, Subject(self.kind, found(self.get_queryset(), pk=int(pk)).pk))


def _events(address: str, kind: str, *who: Any) -> URLPattern:
    view = Events.as_view({"get": "events"}, kind=kind, basename=kind, permission_classes=who)
    return re_path(f"^{address}/(?P<pk>{ID})/events/$", view, name=f"{kind}-events")


urlpatterns = [
    _events("tournaments", "tournament", AllowAny),
    _events("matches", "match", AllowAny),
    _events("versions", "version", IsAuthenticated),
    _events("sittings", "sitting", IsAuthenticated),
    _events("pools", "pool", AllowAny),
]
