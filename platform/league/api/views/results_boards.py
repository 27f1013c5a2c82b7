"""Boards: what was dealt, and what everybody made of it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.serializers.boards import BoardDetailOut, BoardHandOut
from league.api.views.common import View, known_user
from league.matches.boards import hands_of
from league.tournaments.models import Board
from league.tournaments.selectors import visible_to


class Boards(mixins.RetrieveModelMixin, View):
    """One board; `matches/?board=` has its matches."""

    queryset = Board.objects.none()
    serializer_class = BoardDetailOut
    permission_classes = (AllowAny,)

    def get_queryset(self) -> Any:
        seen = visible_to(known_user(self.request)).order_by().values("pk")
        return Board.objects.filter(group__tournament__in=seen).select_related("group__tournament")

    @extend_schema(responses=BoardHandOut(many=True), filters=False)
    @action(detail=True, pagination_class=None)
    def hands(self, request: Request, pk: str) -> Response:
        """Every hand as played by each bot that held it: bids, cards, points. When the tournament is over."""
        return Response(BoardHandOut(hands_of(self.get_object()), many=True).data)
