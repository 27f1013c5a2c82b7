"""Tournaments: what goes in and what comes out."""

from typing import Any

from rest_framework import serializers

from arena.schedule.plan import Format
from league.api.fields import RulesField, WholeNumber
from league.api.serializers.common import OF_VERSION, Body, OfVersion, RowOut
from league.tournaments.models import Entrant, Tournament
from league.tournaments.previewing import MOST_ENTRANTS, Expected
from league.tournaments.selectors import is_over


class Draft(Body):
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


class NewEntry(Body):
    """A version to enter."""

    version = WholeNumber(help_text="a version's id")


class PreviewIn(Draft):
    """A tournament that might be, with so many entrants, each of another owner."""

    entrants = WholeNumber(max_value=MOST_ENTRANTS)
    name = serializers.CharField(
        required=False, help_text="not looked at: a preview takes the body of a draft as it is"
    )

    def validate(self, attrs: Any) -> Any:
        attrs.pop("name", None)
        return attrs


class WidthOut(serializers.Serializer[Any]):
    """How wide a 95 % interval will be, from end to end; null where no block is played."""

    elo = serializers.FloatField(allow_null=True)
    points = serializers.FloatField(allow_null=True, help_text="penalty points a deal")


class PreviewOut(serializers.Serializer[Expected]):
    """What there is to play, how long that takes, and how sure the result will be."""

    entrants = serializers.IntegerField()
    rounds = serializers.IntegerField(
        source="plan.rounds", allow_null=True, help_text="null: a ladder, shown by one of its rounds"
    )
    groups = serializers.IntegerField(source="plan.groups")
    tables = serializers.IntegerField(source="plan.tables")
    boards = serializers.IntegerField(source="plan.boards", help_text="of all groups together")
    matches = serializers.IntegerField(source="plan.matches")
    deals = serializers.IntegerField(source="plan.deals", help_text="expected")
    workers = serializers.IntegerField(help_text="at hand: tables played at a time")
    deals_per_second = serializers.FloatField(
        allow_null=True, help_text="of one worker, as measured of late; null: nothing was played yet"
    )
    table_seconds = serializers.FloatField(
        allow_null=True, help_text="what a table takes beside its deals (its bots start), as measured of late"
    )
    seconds = serializers.FloatField(
        source="plan.seconds", allow_null=True, help_text="expected, if nobody else plays; null: unknown"
    )
    widest = WidthOut(source="plan.widest", help_text="of the entrant with the fewest blocks")
    narrowest = WidthOut(source="plan.narrowest", help_text="of the one with the most")


class Extension(Body):
    """More boards for every group."""

    boards = WholeNumber(min_value=1, help_text="how many each group shall have played in all")


class TournamentOut(RowOut, serializers.ModelSerializer[Tournament]):
    """A tournament."""

    organiser = serializers.CharField(source="organiser.username")
    rules = RulesField()
    options = serializers.DictField(help_text="the format's, all of them")
    entrants = serializers.SerializerMethodField()
    seed = serializers.SerializerMethodField()
    actions = serializers.SerializerMethodField()

    class Meta:
        model = Tournament
        fields = (
            "id",
            "name",
            "organiser",
            "status",
            "status_at",
            "actions",
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
            "seed",
            "pool",
            "entrants",
            "created_at",
            "started_at",
            "ended_at",
        )

    def get_seed(self, tournament: Tournament) -> str | None:
        """What the schedule's chance was drawn from; null until it is over."""
        return tournament.seed if is_over(tournament) else None

    def get_actions(self, tournament: Tournament) -> list[str]:
        """What its status allows, to those who have the right to it."""
        actions: list[str] = tournament.state()["actions"]
        return actions

    def get_entrants(self, tournament: Tournament) -> int:
        """How many have entered."""
        counted = getattr(tournament, "entered", None)
        return tournament.entrants.count() if counted is None else int(counted)


class EntrantOut(OfVersion, serializers.ModelSerializer[Entrant]):
    """Who takes part."""

    class Meta:
        model = Entrant
        fields = ("id", *OF_VERSION, "status", "status_at", "entered_at")
