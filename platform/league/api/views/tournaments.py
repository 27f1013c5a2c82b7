"""Tournaments: from the draft to the standings."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from league.api import filters
from league.api.serializers.tournaments import (
    BoardOut,
    EntrantOut,
    NewEntry,
    NewTournament,
    ProgressOut,
    StandingOut,
    TournamentOut,
)
from league.api.views.common import ID, View, found, known_user, user_of
from league.bots.selectors import versions_for
from league.matches.selectors import results
from league.pipeline.start import start_tournament
from league.tournaments import selectors, services
from league.tournaments.models import Board, Entrant, Tournament
from league.tournaments.standings import standings


class Tournaments(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Tournaments. Every action is safe to repeat: the answer is the same, or 409 with the present state."""

    queryset = Tournament.objects.none()
    serializer_class = TournamentOut
    permission_classes = (IsAuthenticatedOrReadOnly,)
    filterset_class = filters.TournamentFilter
    ordering_fields = ("name", "created_at", "started_at", "ended_at")

    def get_queryset(self) -> Any:
        return selectors.visible_to(known_user(self.request))

    @extend_schema(request=NewTournament, responses={201: TournamentOut})
    def create(self, request: Request) -> Response:
        """Make a draft, which only you can see."""
        given = NewTournament(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        made = services.create_tournament(user_of(request), **data)
        return self._answer(made, status.HTTP_201_CREATED)

    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def open(self, request: Request, pk: str) -> Response:
        """Let bots enter."""
        return self._answer(services.open_tournament(self._one(), user_of(request)))

    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: str) -> Response:
        """Plan all its matches and have them played."""
        return self._answer(start_tournament(self._one(), user_of(request)))

    @extend_schema(request=None, responses=TournamentOut)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Stop it for good; complete blocks still count."""
        return self._answer(services.cancel(self._one(), user_of(request)))

    @extend_schema(responses=EntrantOut(many=True), filters=False)
    @action(detail=True, filterset_class=None, ordering_fields=())
    def entrants(self, request: Request, pk: str) -> Response:
        """Who takes part."""
        return self._page(self._entrants(), EntrantOut)

    @extend_schema(request=NewEntry, responses={201: EntrantOut, 200: EntrantOut})
    @entrants.mapping.post
    def enter(self, request: Request, pk: str) -> Response:
        """Enter an active version of a bot of yours, while it is open."""
        tournament = self._one()
        given = NewEntry(data=request.data)
        given.is_valid(raise_exception=True)
        user = user_of(request)
        version = found(versions_for(user), pk=given.validated_data["version"])
        entrant, new = services.enter(tournament, version, user)
        return Response(EntrantOut(entrant).data, status.HTTP_201_CREATED if new else status.HTTP_200_OK)

    @extend_schema(
        responses={204: None}, parameters=[OpenApiParameter("entrant", int, OpenApiParameter.PATH)]
    )
    @action(detail=True, methods=["delete"], url_path=f"entrants/(?P<entrant>{ID})")
    def withdraw(self, request: Request, pk: str, entrant: str) -> Response:
        """Take an entry back, while it is open."""
        services.withdraw(found(self._entrants(), pk=int(entrant)), user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses=ProgressOut)
    @action(detail=True)
    def progress(self, request: Request, pk: str) -> Response:
        """How far it is."""
        return Response(ProgressOut(selectors.progress(self._one())).data)

    @extend_schema(responses=StandingOut(many=True), filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None, ordering_fields=())
    def standings(self, request: Request, pk: str) -> Response:
        """How its entrants stand, by the complete blocks."""
        tournament = self._one()
        versions = {entrant.version_id: entrant.version for entrant in self._entrants()}
        table = standings(results(tournament), versions)
        whose = {key: _whose(version) for key, version in versions.items()}
        rows: Any = [{**standing.__dict__, **whose[standing.version]} for standing in table]
        return Response(StandingOut(rows, many=True).data)

    @extend_schema(responses=BoardOut(many=True), filters=False)
    @action(detail=True, filterset_class=None, ordering_fields=())
    def boards(self, request: Request, pk: str) -> Response:
        """Its boards: the commitments from the start, the seeds when it is over."""
        tournament = self._one()
        boards = Board.objects.filter(group__tournament=tournament).select_related("group")
        return self._page(
            boards.order_by("group__number", "number"), BoardOut, over=selectors.is_over(tournament)
        )

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

    def _answer(self, tournament: Tournament, code: int = status.HTTP_200_OK) -> Response:
        return Response(TournamentOut(tournament).data, status=code)


def _whose(version: Any) -> dict[str, Any]:
    return {
        "bot": version.bot.name,
        "bot_id": version.bot_id,
        "version": version.number,
        "version_id": version.pk,
        "owner": version.bot.owner.username,
    }
