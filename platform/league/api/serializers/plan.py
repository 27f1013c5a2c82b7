"""What a tournament plans and how far it is: groups, boards, tables, progress, a format's own order."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.schedule.plan import Place
from league.api.serializers.common import OfVersion, RowOut
from league.tournaments.models import Board, Group, Table
from league.tournaments.progress import Progress
from league.tournaments.waiting import Reason, Waiting

WAITING = [(str(reason), reason.name) for reason in Reason]


class _Member(RowOut):
    """Whose row it is, found by way of the entrant."""

    bot = serializers.CharField(source="entrant.version.bot.name")
    bot_id = serializers.IntegerField(source="entrant.version.bot_id")
    version = serializers.IntegerField(source="entrant.version.number", help_text="the version's number")
    version_id = serializers.IntegerField(source="entrant.version_id")
    owner = serializers.CharField(source="entrant.version.bot.owner.username")


class MemberOut(_Member):
    """A member of a group."""


class TableSeatOut(_Member):
    """Who sits where."""

    seat = serializers.IntegerField()


class GroupOut(serializers.ModelSerializer[Group]):
    """Those who play the same boards."""

    tournament = serializers.IntegerField(source="tournament_id")
    members = serializers.SerializerMethodField()
    blocks = serializers.IntegerField(help_text="boards played at all its tables: only these count")

    class Meta:
        model = Group
        fields = ("id", "tournament", "number", "round", "seatings", "blocks", "members")

    @extend_schema_field(MemberOut(many=True))
    def get_members(self, group: Group) -> Any:
        """In the order of the first table's seats."""
        tables: Any = getattr(group, "first_tables", ())
        members: Any = [seat for table in tables for seat in table.seats.all()]
        return MemberOut(members, many=True).data


class BoardOut(RowOut, serializers.ModelSerializer[Board]):
    """A board; `seed` is null until the tournament is over."""

    group = serializers.IntegerField(source="group.number")
    seed = serializers.SerializerMethodField()

    class Meta:
        model = Board
        fields = ("id", "group", "number", "batch", "complete", "commitment", "seed")

    def get_seed(self, board: Board) -> str | None:
        """The seed, once it may be known."""
        return board.seed if self.context["over"] else None


class WaitingOut(serializers.Serializer[Waiting]):
    """Why a table is not being played yet."""

    reason = serializers.ChoiceField(WAITING)
    place = serializers.IntegerField(allow_null=True, help_text="in the queue of all organisers, from 1")
    message = serializers.CharField(help_text="a sentence, for people")
    cause = serializers.CharField(help_text="what the platform failed with the last time, if it did")


class TableOut(RowOut, serializers.ModelSerializer[Table]):
    """A table: one seating of a group, and where it is."""

    tournament = serializers.IntegerField(source="tournament_id")
    group = serializers.IntegerField(source="group.number")
    round = serializers.IntegerField(source="group.round")
    seating = serializers.IntegerField(source="number", help_text="which of the group's, from 0")
    boards = serializers.IntegerField(help_text="how many it plays")
    seats = TableSeatOut(many=True)
    waiting = serializers.SerializerMethodField()

    class Meta:
        model = Table
        fields = (
            "id",
            "tournament",
            "group",
            "group_id",
            "round",
            "batch",
            "seating",
            "boards",
            "status",
            "status_at",
            "attempt",
            "seats",
            "waiting",
        )

    @extend_schema_field(WaitingOut(allow_null=True))
    def get_waiting(self, table: Table) -> Any:
        """Why it waits; null where it doesn't."""
        why = self.context["moment"].why(table)
        return {**asdict(why), "reason": str(why.reason)} if why else None


class ProgressOut(serializers.Serializer[Progress]):
    """How far a tournament is."""

    status = serializers.CharField()
    round = serializers.IntegerField(help_text="the last that was planned")
    last = serializers.BooleanField(help_text="whether no other round follows")
    tables = serializers.IntegerField()
    queued = serializers.IntegerField()
    playing = serializers.IntegerField()
    done = serializers.IntegerField()
    parked = serializers.IntegerField(
        help_text="given up after several failures of the platform; need an operator"
    )
    cancelled = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="played")
    matches_planned = serializers.IntegerField(help_text="so far, without what was cancelled")
    blocks = serializers.IntegerField(help_text="boards played in all seatings: only these count")
    blocks_planned = serializers.IntegerField()
    matches_per_minute = serializers.FloatField(allow_null=True, help_text="of late")
    deals_per_minute = serializers.FloatField(allow_null=True, help_text="of late")
    seconds_left = serializers.FloatField(allow_null=True, help_text="for what is planned; null: unknown")
    reason = serializers.ChoiceField(
        WAITING, allow_null=True, help_text="why the table that is next waits; null: none does"
    )
    place = serializers.IntegerField(allow_null=True, help_text="that one's, in the queue of all")
    standings = serializers.CharField(
        allow_null=True, help_text="the `results_hash` of the standings; null: nothing counts yet"
    )


class RankOut(OfVersion, serializers.Serializer[Place]):
    """A line of a format's own order."""

    rank = serializers.IntegerField(source="place.rank", help_text="1 is best; equals share the better one")
    rounds = serializers.IntegerField(
        source="place.rounds", help_text="knockout: the last it was in; swiss: how many it was in"
    )
    score = serializers.FloatField(source="place.score", help_text="swiss: the sum; knockout: the last")
    points = serializers.FloatField(
        source="place.points", allow_null=True, help_text="penalty points a deal; null: no block complete"
    )
