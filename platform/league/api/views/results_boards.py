"""Boards, groups and tables, each by its own id; the lists of them are the tournament's."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import mixins
from rest_framework.decorators import action
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.failures import may
from league.api.serializers.boards import BoardDetailOut, BoardHandOut
from league.api.serializers.plan import GroupOut, TableOut
from league.api.views.common import View, found, known_user
from league.matches.boards import hands_of
from league.tournaments import selectors
from league.tournaments.models import Board, Group, Table
from league.tournaments.waiting import moment


class Planned(View):
    """A part of a tournament's plan, for whoever sees the tournament."""

    permission_classes = (AllowAny,)

    def seen(self) -> Any:
        """The ids of the tournaments that one may see."""
        return selectors.visible_to(known_user(self.request)).order_by().values("pk")


class Boards(mixins.RetrieveModelMixin, Planned):
    """One board; `matches/?board=` has its matches."""

    queryset = Board.objects.none()
    serializer_class = BoardDetailOut

    def get_queryset(self) -> Any:
        boards = Board.objects.filter(group__tournament__in=self.seen())
        return boards.select_related("group__tournament")

    @may("not_over")
    @extend_schema(responses=BoardHandOut(many=True), filters=False)
    @action(detail=True, pagination_class=None)
    def hands(self, request: Request, pk: str) -> Response:
        """Every hand as played by each bot that held it: bids, cards, points. When the tournament is over."""
        return Response(BoardHandOut(hands_of(self.get_object()), many=True).data)


class Groups(mixins.RetrieveModelMixin, Planned):
    """One group; `matches/?group=` has its matches."""

    queryset = Group.objects.none()
    serializer_class = GroupOut

    def get_queryset(self) -> Any:
        return selectors.groups().filter(tournament__in=self.seen())


class Tables(Planned):
    """One table; `matches/?table=` has its matches."""

    queryset = Table.objects.none()
    serializer_class = TableOut

    def get_queryset(self) -> Any:
        return selectors.tables().filter(tournament__in=self.seen())

    def retrieve(self, request: Request, pk: str) -> Response:
        """A table; where it waits, why, and its place in the queue."""
        table = found(self.get_queryset().select_related("tournament"), pk=int(pk))
        return Response(TableOut(table, context={"moment": moment(table.tournament, [table])}).data)
