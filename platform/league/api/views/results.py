"""Matches, pools and ratings: readable by anybody."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import filters
from league.api.serializers.matches import MatchOut, SeatLogOut
from league.api.serializers.ratings import PoolOut, RatingOut
from league.api.views.common import View, found, user_of
from league.matches import selectors as matches
from league.matches.models import Match
from league.ratings import selectors as ratings


class Matches(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Matches played."""

    queryset = matches.matches()
    serializer_class = MatchOut
    permission_classes = (AllowAny,)
    filterset_class = filters.MatchFilter
    ordering_fields = ("played_at", "duration_ms")

    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT})
    @action(detail=True)
    def record(self, request: Request, pk: str) -> HttpResponse:
        """The record (record.md), byte for byte; when the tournament is over."""
        match = found(Match.objects.select_related("table__group__tournament"), pk=int(pk))
        data = matches.record_of(match)
        headers = {
            "ETag": f'"{match.sha256}"',
            "Content-Disposition": f'inline; filename="match-{match.pk}.json"',
        }
        return HttpResponse(data, content_type="application/json", headers=headers)

    @extend_schema(responses=SeatLogOut(many=True), filters=False)
    @action(
        detail=True,
        permission_classes=[IsAuthenticated],
        pagination_class=None,
        filterset_class=None,
        ordering_fields=(),
    )
    def logs(self, request: Request, pk: str) -> Response:
        """What your bots wrote to their standard error in it."""
        match = found(Match.objects.defer("record"), pk=int(pk))
        return Response(SeatLogOut(matches.logs_for(match, user_of(request)), many=True).data)


class Pools(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Pools: one list of ratings for each set of rules and number of players."""

    queryset = ratings.pools()
    serializer_class = PoolOut
    permission_classes = (AllowAny,)
    filterset_class = filters.PoolFilter


class Ratings(mixins.ListModelMixin, View):
    """Ratings, best first within each pool."""

    queryset: Any = ratings.ratings()
    serializer_class = RatingOut
    permission_classes = (AllowAny,)
    filterset_class = filters.RatingFilter
    ordering_fields = ("pool", "place", "elo", "matches", "wins")
