"""Tournaments: what goes in and what comes out."""

from typing import Any

from rest_framework import serializers

from arena.schedule.plan import Format
from league.api.fields import RulesField, WholeNumber
from league.api.serializers.common import OF_VERSION, OfVersion
from league.tournaments.models import Board, Entrant, Tournament
from league.tournaments.selectors import Progress
from league.tournaments.standings import Standing


class Draft(serializers.Serializer[Any]):
    """What a tournament is to be."""

    format = serializers.ChoiceField([str(f) for f in Format], default=str(Format.ROUND_ROBIN))
    options = serializers.DictField(
        default=dict, help_text="the format's (docs/tournaments.md); what is left out has its default"
    )
    rules = RulesField(default=dict)
    boards = WholeNumber(
        default=1, min_value=1, help_text="how many boards each group plays, in all its seatings"
    )
    rated = serializers.BooleanField(default=True, help_text="whether its results count in a pool")
    luck = serializers.BooleanField(
        default=True, help_text="whether a hand has the same `luck` wherever it is played (docs/protocol.md)"
    )
    disqualify_after = WholeNumber(
        default=12, help_text="so many matches in a row with its seat vacated put an entrant out; 0: none do"
    )


class NewTournament(Draft):
    """A tournament to be."""

    name = serializers.CharField(max_length=200, trim_whitespace=False)


class NewEntry(serializers.Serializer[Any]):
    """A version to enter."""

    version = WholeNumber(help_text="a version's id")


class TournamentOut(serializers.ModelSerializer[Tournament]):
    """A tournament."""

    organiser = serializers.CharField(source="organiser.username")
    rules = RulesField()
    options = serializers.DictField(help_text="the format's, all of them")
    entrants = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = (
            "id",
            "name",
            "organiser",
            "status",
            "status_at",
            "format",
            "options",
            "rules",
            "players",
            "boards",
            "rated",
            "luck",
            "disqualify_after",
            "round",
            "last",
            "pool",
            "entrants",
            "created_at",
            "started_at",
            "ended_at",
        )

    def get_entrants(self, tournament: Tournament) -> int:
        """How many have entered."""
        counted = getattr(tournament, "entered", None)
        return tournament.entrants.count() if counted is None else int(counted)


class EntrantOut(OfVersion, serializers.ModelSerializer[Entrant]):
    """Who takes part."""

    class Meta:
        model = Entrant
        fields = ("id", *OF_VERSION, "status", "status_at", "entered_at")


class BoardOut(serializers.ModelSerializer[Board]):
    """A board; `seed` is null until the tournament is over."""

    group = serializers.IntegerField(source="group.number")
    seed = serializers.SerializerMethodField()

    class Meta:
        model = Board
        fields = ("id", "group", "number", "commitment", "seed")

    def get_seed(self, board: Board) -> str | None:
        """The seed, once it may be known."""
        return board.seed if self.context["over"] else None


class ProgressOut(serializers.Serializer[Progress]):
    """How far a tournament is."""

    status = serializers.CharField()
    tables = serializers.IntegerField()
    queued = serializers.IntegerField()
    playing = serializers.IntegerField()
    done = serializers.IntegerField()
    parked = serializers.IntegerField(
        help_text="given up after several failures of the platform; need an operator"
    )
    cancelled = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="played")
    matches_planned = serializers.IntegerField()
    blocks = serializers.IntegerField(help_text="boards played in all seatings: only these count")
    blocks_planned = serializers.IntegerField()


class StandingOut(serializers.Serializer[Standing]):
    """How a version stands in a tournament."""

    place = serializers.IntegerField()
    bot = serializers.CharField()
    bot_id = serializers.IntegerField()
    version = serializers.IntegerField(help_text="the version's number")
    version_id = serializers.IntegerField()
    owner = serializers.CharField()
    score = serializers.FloatField(help_text="the share of opponents left behind, ties half")
    points_per_deal = serializers.FloatField(help_text="penalty points: lower is better")
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    faults = serializers.IntegerField()
    vacated = serializers.IntegerField()
