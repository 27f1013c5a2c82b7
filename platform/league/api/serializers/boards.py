"""Boards, and how their hands were played."""

from typing import Any

from rest_framework import serializers

from league.api.serializers.common import RowOut, VersionRef
from league.tournaments.models import Board
from league.tournaments.selectors import is_over


class BoardDetailOut(serializers.ModelSerializer[Board]):
    """A board, and where it is; `seed` is null until the tournament is over."""

    tournament = serializers.IntegerField(source="group.tournament_id")
    group = serializers.IntegerField(source="group.number")
    group_id = serializers.IntegerField()
    seed = serializers.SerializerMethodField()

    class Meta:
        model = Board
        fields = ("id", "tournament", "group", "group_id", "number", "complete", "commitment", "seed")

    def get_seed(self, board: Board) -> str | None:
        """The seed, once it may be known."""
        return board.seed if is_over(board.group.tournament) else None


class PlayingOut(RowOut):
    """One bot's way with a hand."""

    match = serializers.IntegerField()
    table = serializers.IntegerField()
    version = VersionRef()
    bids = serializers.ListField(child=serializers.CharField())
    cards = serializers.ListField(child=serializers.CharField(), help_text="in the order played")
    tricks = serializers.IntegerField(help_text="that it took")
    points = serializers.IntegerField(help_text="penalty points in this deal")


class BoardHandOut(serializers.Serializer[Any]):
    """A hand, and all who held it."""

    deal = serializers.IntegerField(help_text="from 1")
    attempt = serializers.IntegerField()
    playoff = serializers.BooleanField()
    dealer = serializers.IntegerField()
    seat = serializers.IntegerField()
    cards = serializers.ListField(child=serializers.CharField(), help_text="in the order dealt")
    played = PlayingOut(many=True, help_text="in the order of the tables")
