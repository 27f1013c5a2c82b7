"""Matches."""

from typing import Any

from rest_framework import serializers

from league.api.serializers.common import OF_VERSION, OfVersion
from league.matches.models import Match, MatchSeat


class MatchSeatOut(OfVersion, serializers.ModelSerializer[MatchSeat]):
    """One bot's part in a match."""

    class Meta:
        model = MatchSeat
        fields = ("seat", *OF_VERSION, "total", "rank", "faults", "vacated")

    def to_representation(self, instance: MatchSeat) -> dict[str, Any]:
        """The fields by hand: a page has hundreds of seats, an export millions."""
        version = instance.version
        return {
            "seat": instance.seat,
            "bot": version.bot.name,
            "bot_id": version.bot_id,
            "version": version.number,
            "version_id": instance.version_id,
            "owner": version.bot.owner.username,
            "total": instance.total,
            "rank": instance.rank,
            "faults": instance.faults,
            "vacated": instance.vacated,
        }


class MatchOut(serializers.ModelSerializer[Match]):
    """A match: one table × one board."""

    tournament = serializers.IntegerField(source="tournament_id")
    group_id = serializers.IntegerField(source="table.group_id")
    group = serializers.IntegerField(source="table.group.number")
    board = serializers.IntegerField(source="board.number")
    commitment = serializers.CharField(source="board.commitment")
    seating = serializers.IntegerField(
        source="table.number", help_text="which of the group's seatings, from 0"
    )
    seats = MatchSeatOut(many=True)

    class Meta:
        model = Match
        fields = (
            "id",
            "tournament",
            "group",
            "group_id",
            "table",
            "seating",
            "board",
            "board_id",
            "commitment",
            "ended",
            "deals",
            "backend",
            "played_at",
            "duration_ms",
            "sha256",
            "seats",
        )


class SeatLogOut(serializers.ModelSerializer[MatchSeat]):
    """What a bot wrote to its standard error."""

    bot = serializers.CharField(source="version.bot.name")

    class Meta:
        model = MatchSeat
        fields = ("seat", "bot", "version_id", "log")
