"""Matches."""

from typing import Any

from rest_framework import serializers

from league.api.serializers.common import OF_VERSION, OfVersion, RowOut
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


class MatchOut(RowOut, serializers.ModelSerializer[Match]):
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


class MomentOut(serializers.Serializer[Any]):
    """A decision of a match."""

    deal = serializers.IntegerField()
    trick = serializers.IntegerField(help_text="from 1; 0 is the bidding")
    place = serializers.IntegerField(help_text="from 1, among the bids or the cards of the trick")
    charged_ms = serializers.FloatField()


class SeatClockOut(serializers.Serializer[Any]):
    """What a seat's decisions were charged, in milliseconds."""

    seat = serializers.IntegerField()
    decisions = serializers.IntegerField(help_text="that it was asked for")
    total_ms = serializers.FloatField()
    mean_ms = serializers.FloatField(allow_null=True, help_text="null where it was asked for none")
    longest = MomentOut(allow_null=True)
    off_turn_ms = serializers.FloatField(help_text="processor time that it used while it was not asked")
    bank_ms = serializers.FloatField(help_text="what was left of its bank at the end")


class DealClockOut(serializers.Serializer[Any]):
    """The decisions of a deal: its bids, then its cards, in the order of the record."""

    deal = serializers.IntegerField()
    charged_ms = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="null where the referee played for the seat"
    )
    bank_ms = serializers.ListField(
        child=serializers.FloatField(), help_text="what each left in the bank of its seat"
    )


class ClockOut(serializers.Serializer[Any]):
    """The clock of a match; `move_ms` and `bank_ms` are its limits (protocol.md, The clock)."""

    move_ms = serializers.IntegerField(help_text="that each decision may take before it draws on the bank")
    bank_ms = serializers.IntegerField(help_text="that a seat has for the whole match")
    seats = SeatClockOut(many=True)
    deals = DealClockOut(many=True)
