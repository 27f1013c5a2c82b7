"""What a tournament's results add up to: a part of its view."""

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import filters, pagination
from league.api.caching import tag_of, tagged
from league.api.failures import may
from league.api.serializers.ratings import CrossTableOut, MeetingOut, SnapshotOut, StandingOut, StandingsOut
from league.api.serializers.reports import DuelOut, PartnersOut
from league.api.views.common import View, found, user_of
from league.common.errors import Forbidden
from league.ratings import comparing, reports
from league.ratings import selectors as ratings
from league.ratings.models import Pool, Snapshot
from league.tournaments.models import Tournament

PAGE = [
    OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=text)
    for name, (schema, text) in pagination.PARAMETERS.items()
]

OF_VERSION = OpenApiParameter("version", int, description="a version's id: only its pairs, from its side")
TOP = OpenApiParameter("top", int, description="only pairs among the best so many")


def partners_of(scope: Pool | Tournament) -> Any:
    """The report's answer."""
    report = reports.partner_report(scope)
    return PartnersOut(report, context={"versions": report.versions}).data


class CrossTable(View):
    """The cross table of a pool or a tournament, whichever `_one` gives."""

    def _one(self) -> Pool | Tournament:
        raise NotImplementedError

    @extend_schema(responses=CrossTableOut, parameters=[*PAGE, OF_VERSION, TOP], filters=False)
    @action(detail=True, lists=True, filterset_class=filters.CrossTableFilter, ordering_fields=())
    def crosstable(self, request: Request, pk: str) -> HttpResponseBase:
        """Each pair that met, once, the better placed first; or, of one version, its opponents."""
        snapshot = ratings.current_of(self._one())
        version, top = filters.id_in(request, "version"), filters.id_in(request, "top")
        size = pagination.page_size(request)
        if snapshot is None:
            return Response({"results": [], "next": None, "previous": None, "snapshot": None})
        return tagged(
            request, tag_of(request, snapshot.pk), lambda: self._cross_table(snapshot, version, size, top)
        )

    def _cross_table(self, snapshot: Snapshot, version: int | None, size: int, top: int | None) -> Response:
        request = self.request
        about, cursor = [snapshot.results_hash, version, top], request.query_params.get(pagination.CURSOR)
        start = pagination.unsealed(cursor, about) if cursor else [0, 0]
        cells = comparing.cross_table(snapshot, version, start, size, top)
        following = pagination.sealed(about, cells.rest) if cells.rest else None
        return Response(
            {
                "results": MeetingOut(cells.meetings, many=True).data,
                "next": pagination.link(request, following),
                "previous": None,
                "snapshot": SnapshotOut(snapshot).data,
            }
        )


class TournamentResults(CrossTable):
    """Standings and reports; `get_queryset` gives the tournaments that one may see."""

    @extend_schema(responses=StandingsOut, parameters=PAGE, filters=False)
    @action(detail=True, lists=True, filterset_class=None, ordering_fields=())
    def standings(self, request: Request, pk: str) -> Response:
        """How its entrants stand, by the complete blocks; those without one are not in it yet."""
        snapshot = ratings.current_of(self._one())
        told = SnapshotOut(snapshot).data if snapshot else None
        return self.page(ratings.lines(snapshot), StandingOut, snapshot=told)

    @may("not_a_duel", "too_few_boards")
    @extend_schema(responses=DuelOut)
    @action(detail=True)
    def duel(self, request: Request, pk: str) -> Response:
        """How a duel stands: the verdict of its sequential test, and the test board by board."""
        return Response(DuelOut(reports.duel_report(self._one())).data)

    @may("not_yours", "too_many_matches")
    @extend_schema(responses=PartnersOut)
    @action(detail=True, permission_classes=[IsAuthenticated])
    def partners(self, request: Request, pk: str) -> Response:
        """Who does better beside whom than chance explains; for the organiser and staff."""
        tournament, user = self._one(), user_of(request)
        if tournament.organiser_id != user.pk and not user.is_staff:
            raise Forbidden("not_yours", "The report is for the organiser.")
        return Response(partners_of(tournament))

    def _one(self) -> Tournament:
        tournament: Tournament = found(self.get_queryset(), pk=int(self.kwargs["pk"]))
        return tournament
