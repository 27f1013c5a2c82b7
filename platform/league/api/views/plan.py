"""What a tournament plans, and how far it is: readable by whoever sees the tournament."""

from types import SimpleNamespace
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import filters
from league.api.failures import may
from league.api.serializers.plan import BoardOut, GroupOut, ProgressOut, RankOut, TableOut
from league.api.views.common import View, found
from league.bots.selectors import named
from league.common.errors import Conflict
from league.tournaments import selectors
from league.tournaments.history import ranking_of
from league.tournaments.models import Board, Entrant, Tournament
from league.tournaments.progress import progress
from league.tournaments.waiting import moment


class Planned(View):
    """The reading half of a tournament under way."""

    @extend_schema(responses=ProgressOut)
    @action(detail=True)
    def progress(self, request: Request, pk: str) -> Response:
        """How far it is, how fast, how long yet, and why it waits if it does."""
        return Response(ProgressOut(progress(self._one())).data)

    @extend_schema(responses=GroupOut(many=True), filters=False)
    @action(detail=True, lists=True, filterset_class=None, ordering_fields=())
    def groups(self, request: Request, pk: str) -> Response:
        """Its groups in the order of the plan, round after round."""
        return self._page(selectors.groups_of(self._one()), GroupOut)

    @extend_schema(responses=BoardOut(many=True), filters=False)
    @action(detail=True, lists=True, filterset_class=None, ordering_fields=())
    def boards(self, request: Request, pk: str) -> Response:
        """Its boards: the commitments from the start, the seeds when it is over."""
        tournament = self._one()
        boards = Board.objects.filter(group__tournament=tournament).select_related("group")
        return self._page(
            boards.order_by("group__number", "number"), BoardOut, over=selectors.is_over(tournament)
        )

    @extend_schema(responses=TableOut(many=True))
    @action(detail=True, lists=True, filterset_class=filters.TableFilter, ordering_fields=())
    def tables(self, request: Request, pk: str) -> Response:
        """Its tables in the order of the plan; for one that waits the reason, and its place in the queue."""
        tournament = self._one()
        page = self.paginate_queryset(self.filter_queryset(selectors.tables_of(tournament))) or []
        here = {"moment": moment(tournament, page)}
        return self.get_paginated_response(TableOut(page, many=True, context=here).data)

    @may("no_ranking")
    @extend_schema(responses=RankOut(many=True), filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None, ordering_fields=())
    def ranking(self, request: Request, pk: str) -> Response:
        """The order that a swiss or a knockout has of its own, as it is now; 409 for others."""
        tournament = self._one()
        places = ranking_of(tournament)
        if places is None:
            raise Conflict("no_ranking", f"In a {tournament.format} the standings decide.")
        versions = named().in_bulk([place.entrant for place in places])
        rows: Any = [
            SimpleNamespace(place=place, version=versions[place.entrant], version_id=place.entrant)
            for place in places
        ]
        return Response(RankOut(rows, many=True).data)

    def _one(self) -> Tournament:
        tournament: Tournament = found(self.get_queryset(), pk=int(self.kwargs["pk"]))
        return tournament

    def _entrants(self) -> Any:
        entrants = Entrant.objects.filter(tournament=self._one())
        return entrants.select_related("version__bot__owner", "tournament").order_by("id")

    def _page(self, rows: Any, serializer: Any, **context: Any) -> Response:
        return self.get_paginated_response(
            serializer(self.paginate_queryset(rows), many=True, context=context).data
        )
