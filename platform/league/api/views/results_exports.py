"""Exports of matches, ratings and standings."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from league.api import filters
from league.api.exports import KINDS, file, stream, walk
from league.api.failures import may
from league.api.serializers.matches import MatchOut
from league.api.serializers.ratings import RatingOut, StandingOut
from league.api.views.common import View, found, known_user
from league.matches import selectors as matches
from league.matches.models import Match
from league.ratings import selectors as ratings
from league.tournaments.selectors import visible_to

KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=list(KINDS), description="of file")
FILE = {(200, media): OpenApiTypes.BINARY for media in ("text/csv", "application/x-ndjson")}
#: Read at a time: a record has some 10 KB.
RECORDS = 50
SEATED = ("seat", "bot", "bot_id", "version", "version_id", "owner", "total", "rank", "faults", "vacated")


class Export(View):
    """A whole list, with the filters of the list."""

    permission_classes = (AllowAny,)
    pagination_class = None

    def rows_as(self, serializer: Any, rows: Any) -> Iterator[dict[str, Any]]:
        """The rows as the list has them."""
        out = serializer(context=self.get_serializer_context())
        return (out.to_representation(row) for row in walk(rows))


class MatchExport(Export):
    """All matches of a filter."""

    queryset = matches.matches()
    serializer_class = MatchOut
    filterset_class = filters.MatchFilter

    @extend_schema(responses=FILE, parameters=[KIND], operation_id="match_export")
    def export(self, request: Request, kind: str) -> StreamingHttpResponse:
        """Matches: in JSON Lines as in the list, in CSV a row for each seat.

        `X-Total-Count`: how many matches there were at the beginning.
        """
        found = self.filter_queryset(self.get_queryset())
        rows: Iterable[dict[str, Any]] = self.rows_as(MatchOut, found)
        columns = [name for name in MatchOut.Meta.fields if name != "seats"] + list(SEATED)
        if kind == "csv":
            rows = ({**match, **seat} for match in rows for seat in match["seats"])
        return stream(kind, "matches", columns, rows, found.order_by().count())


class RecordExport(Export):
    """The records of a tournament."""

    queryset = Match.objects.none()
    serializer_class = MatchOut
    filterset_class = None

    @may("not_over")
    @extend_schema(
        responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY},
        operation_id="tournament_records_export",
        filters=False,
    )
    def export(self, request: Request, pk: str) -> StreamingHttpResponse:
        """Its records (record.md), byte for byte, one a line; when it is over."""
        tournament = found(visible_to(known_user(request)), pk=int(pk))
        played = matches.records(tournament)
        records = (bytes(match.record) + b"\n" for match in walk(played, RECORDS))
        return file("jsonl", f"tournament-{pk}-records", records, played.order_by().count())


class RatingExport(Export):
    """The ladder, or what a filter leaves of it."""

    queryset: Any = ratings.ladder()
    serializer_class = RatingOut
    filterset_class = filters.RatingFilter

    @extend_schema(responses=FILE, parameters=[KIND], operation_id="rating_export")
    def export(self, request: Request, kind: str) -> StreamingHttpResponse:
        """Ratings, as in the list."""
        found = self.filter_queryset(self.get_queryset())
        total = found.order_by().count()
        return stream(kind, "ratings", RatingOut.Meta.fields, self.rows_as(RatingOut, found), total)


class StandingsExport(Export):
    """The standings of a tournament."""

    queryset: Any = ratings.ladder().none()
    serializer_class = StandingOut
    filterset_class = None

    @extend_schema(
        responses=FILE, parameters=[KIND], operation_id="tournament_standings_export", filters=False
    )
    def export(self, request: Request, pk: str, kind: str) -> StreamingHttpResponse:
        """A tournament's standings, as in the list."""
        tournament = found(visible_to(known_user(request)), pk=int(pk))
        lines = ratings.lines(ratings.current_of(tournament))
        rows = self.rows_as(StandingOut, lines)
        total = lines.order_by().count()
        return stream(kind, f"tournament-{pk}-standings", StandingOut.Meta.fields, rows, total)
