"""Matches, pools and ratings: readable by anybody."""

from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import filters
from league.api.caching import FOR_EVER, quoted, tag_of, tagged
from league.api.failures import may
from league.api.permissions import IsStaff
from league.api.serializers.matches import ClockOut, MatchOut, SeatLogOut
from league.api.serializers.ratings import HeadToHeadOut, HistoryOut, PoolOut, RatingOut, SnapshotOut
from league.api.serializers.reports import PartnersOut
from league.api.views.common import ID, View, found, user_of
from league.api.views.results_tournaments import CrossTable, partners_of
from league.matches import selectors as matches
from league.matches.clocks import clock_of
from league.matches.models import Match
from league.ratings import comparing
from league.ratings import selectors as ratings
from league.ratings.models import Pool

HASH = "[0-9a-f]{64}"
VERSIONS = OpenApiParameter("versions", str, description="versions' ids, with commas between them")


class Matches(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Matches played."""

    queryset = matches.matches()
    serializer_class = MatchOut
    permission_classes = (AllowAny,)
    filterset_class = filters.MatchFilter
    ordering_fields = ("id", "played_at")
    cached = {"record": FOR_EVER, "clock": FOR_EVER}  # noqa: RUF012 - never changed

    @may("not_over")
    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT})
    @action(detail=True)
    def record(self, request: Request, pk: str) -> HttpResponseBase:
        """The record (record.md), byte for byte; when the tournament is over."""
        rows = Match.objects.select_related("tournament")
        if "If-None-Match" in request.headers:  # most who ask so have it
            rows = rows.defer("record")
        match = found(rows, pk=int(pk))
        matches.must_be_over(match.tournament)
        headers = {"Content-Disposition": f'inline; filename="match-{match.pk}.json"'}
        return tagged(
            request,
            quoted(match.sha256),
            lambda: HttpResponse(bytes(match.record), content_type="application/json", headers=headers),
        )

    @may("not_over", "no_clock")
    @extend_schema(responses=ClockOut)
    @action(detail=True)
    def clock(self, request: Request, pk: str) -> HttpResponseBase:
        """What its decisions were charged, by seat and one by one; with its record, when the tournament is
        over."""
        match = found(Match.objects.select_related("tournament"), pk=int(pk))
        return Response(ClockOut(clock_of(match)).data)

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


class Pools(mixins.ListModelMixin, mixins.RetrieveModelMixin, CrossTable):
    """Pools: one list of ratings for each set of rules and number of players."""

    queryset = ratings.pools()
    serializer_class = PoolOut
    permission_classes = (AllowAny,)
    filterset_class = filters.PoolFilter
    cached = {"snapshot": FOR_EVER}  # noqa: RUF012 - never changed

    @extend_schema(responses=SnapshotOut(many=True), filters=False)
    @action(detail=True, lists=True, filterset_class=None)
    def snapshots(self, request: Request, pk: str) -> Response:
        """Its snapshots, the newest first: the last 50, and of each earlier day the last, for 400 days."""
        return self.page(ratings.snapshots(self._one()), SnapshotOut)

    @extend_schema(
        responses=SnapshotOut, parameters=[OpenApiParameter("results_hash", str, OpenApiParameter.PATH)]
    )
    @action(detail=True, url_path=f"snapshots/(?P<results_hash>{HASH})")
    def snapshot(self, request: Request, pk: str, results_hash: str) -> Response:
        """A snapshot by the hash of the results that it was computed from."""
        return Response(SnapshotOut(ratings.snapshot_by_hash(self._one(), results_hash)).data)

    @extend_schema(
        responses=RatingOut(many=True),
        filters=False,
        parameters=[OpenApiParameter("results_hash", str, OpenApiParameter.PATH), VERSIONS],
    )
    @action(
        detail=True,
        url_path=f"snapshots/(?P<results_hash>{HASH})/ratings",
        lists=True,
        filterset_class=filters.SnapshotRatingFilter,
    )
    def snapshot_ratings(self, request: Request, pk: str, results_hash: str) -> HttpResponseBase:
        """The ratings as that snapshot has them: all, or those of some versions."""
        snapshot = ratings.snapshot_by_hash(self._one(), results_hash)
        return tagged(
            request,
            tag_of(request, snapshot.pk),
            lambda: self.page(self.filter_queryset(ratings.lines(snapshot)), RatingOut),
        )

    @may("not_rated")
    @extend_schema(responses=HistoryOut, parameters=[OpenApiParameter("version", int, OpenApiParameter.PATH)])
    @action(detail=True, url_path=f"history/(?P<version>{ID})")
    def history(self, request: Request, pk: str, version: str) -> Response:
        """How a version's rating went: match by match, and as it was published."""
        return Response(HistoryOut(comparing.history(self._one(), int(version))).data)

    @may("not_rated")
    @extend_schema(
        responses=HeadToHeadOut,
        parameters=[OpenApiParameter(name, int, OpenApiParameter.PATH) for name in ("one", "other")],
    )
    @action(detail=True, url_path=f"head-to-head/(?P<one>{ID})/(?P<other>{ID})")
    def head_to_head(self, request: Request, pk: str, one: str, other: str) -> Response:
        """Two versions: their record where they met, and how likely it is that the one is the better."""
        return Response(HeadToHeadOut(comparing.head_to_head(self._one(), int(one), int(other))).data)

    @may("too_many_matches")
    @extend_schema(responses=PartnersOut)
    @action(detail=True, permission_classes=[IsStaff])
    def partners(self, request: Request, pk: str) -> Response:
        """Who does better beside whom than chance explains; for staff."""
        return Response(partners_of(self._one()))

    def _one(self) -> Pool:
        return found(Pool.objects.all(), pk=int(self.kwargs["pk"]))


class Ratings(mixins.ListModelMixin, View):
    """The ladder: current ratings, best first within each pool."""

    queryset: Any = ratings.ladder()
    serializer_class = RatingOut
    permission_classes = (AllowAny,)
    filterset_class = filters.RatingFilter
    ordering_fields = ("place", "elo", "elo_low", "points_per_deal", "score", "matches", "wins")
