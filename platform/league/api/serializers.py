"""What goes in and what comes out."""

from typing import Any

from rest_framework import serializers

from league.accounts.models import User
from league.api.fields import RulesField, WholeNumber
from league.bots.models import Bot, Check, Version
from league.matches.models import Match, MatchSeat
from league.ratings.models import Pool, Rating
from league.tournaments.lifecycle import Format
from league.tournaments.models import Board, Entrant, Tournament
from league.tournaments.selectors import Progress
from league.tournaments.standings import Standing

# -- in --------------------------------------------------------------------------------------------------


class Credentials(serializers.Serializer[Any]):
    """A name and a password."""

    username = serializers.CharField(max_length=200)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, style={"input_type": "password"})


class NewBot(serializers.Serializer[Any]):
    """A bot to be."""

    name = serializers.CharField(max_length=200, trim_whitespace=False)


class Upload(serializers.Serializer[Any]):
    """A program: one source file, or a zip."""

    file = serializers.FileField(max_length=10_000)


class NewTournament(serializers.Serializer[Any]):
    """A tournament to be."""

    name = serializers.CharField(max_length=200, trim_whitespace=False)
    format = serializers.ChoiceField([str(f) for f in Format], default=str(Format.ROUND_ROBIN))
    rules = RulesField(default=dict)
    boards = WholeNumber(
        default=1, min_value=1, help_text="how many boards each group plays, in all its seatings"
    )


class NewEntry(serializers.Serializer[Any]):
    """A version to enter."""

    version = WholeNumber(help_text="a version's id")


# -- out -------------------------------------------------------------------------------------------------


class UserOut(serializers.ModelSerializer[User]):
    """A user."""

    created_at = serializers.DateTimeField(source="date_joined")

    class Meta:
        model = User
        fields = ("id", "username", "created_at")


class MeOut(UserOut):
    """The user whose token was sent."""

    class Meta(UserOut.Meta):
        fields = ("id", "username", "created_at", "is_staff")  # type: ignore[assignment]


class TokenOut(serializers.Serializer[Any]):
    """A token: shown once."""

    token = serializers.CharField()
    expires_at = serializers.DateTimeField()


class BotOut(serializers.ModelSerializer[Bot]):
    """A bot."""

    owner = serializers.CharField(source="owner.username")
    current = serializers.IntegerField(allow_null=True, help_text="the number of its newest active version")

    class Meta:
        model = Bot
        fields = ("id", "name", "owner", "current", "created_at")


class CheckOut(serializers.ModelSerializer[Check]):
    """One stage of a version's check."""

    class Meta:
        model = Check
        fields = ("stage", "outcome", "code", "message", "log", "duration_ms")


class VersionSummary(serializers.ModelSerializer[Version]):
    """A version, without what its check found."""

    bot = serializers.CharField(source="bot.name")

    class Meta:
        model = Version
        fields = (
            "id",
            "bot",
            "bot_id",
            "number",
            "status",
            "status_at",
            "language",
            "size_bytes",
            "digest",
            "reason_code",
            "reason",
            "created_at",
        )


class VersionOut(VersionSummary):
    """A version and its check; for the owner and staff."""

    checks = CheckOut(many=True)

    class Meta(VersionSummary.Meta):
        fields = (*VersionSummary.Meta.fields, "checks")  # type: ignore[assignment]


class TournamentOut(serializers.ModelSerializer[Tournament]):
    """A tournament."""

    organiser = serializers.CharField(source="organiser.username")
    rules = RulesField()
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
            "rules",
            "players",
            "boards",
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


class _OfVersion(serializers.Serializer[Any]):
    """Whose row it is: the same five keys everywhere."""

    bot = serializers.CharField(source="version.bot.name")
    bot_id = serializers.IntegerField(source="version.bot_id")
    version = serializers.IntegerField(source="version.number", help_text="the version's number")
    version_id = serializers.IntegerField()
    owner = serializers.CharField(source="version.bot.owner.username")


OF_VERSION = ("bot", "bot_id", "version", "version_id", "owner")


class EntrantOut(_OfVersion, serializers.ModelSerializer[Entrant]):
    """Who takes part."""

    class Meta:
        model = Entrant
        fields = ("id", *OF_VERSION, "entered_at")


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


class MatchSeatOut(_OfVersion, serializers.ModelSerializer[MatchSeat]):
    """One bot's part in a match."""

    class Meta:
        model = MatchSeat
        fields = ("seat", *OF_VERSION, "total", "rank", "faults", "vacated")


class MatchOut(serializers.ModelSerializer[Match]):
    """A match: one table × one board."""

    tournament = serializers.IntegerField(source="table.group.tournament_id")
    group = serializers.IntegerField(source="table.group.number")
    board = serializers.IntegerField(source="board.number")
    commitment = serializers.CharField(source="board.commitment")
    seating = serializers.IntegerField(source="table.number", help_text="which rotation of the seats, from 0")
    seats = MatchSeatOut(many=True)

    class Meta:
        model = Match
        fields = (
            "id",
            "tournament",
            "group",
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


class PoolOut(serializers.ModelSerializer[Pool]):
    """A pool of ratings."""

    rules = RulesField()
    versions = serializers.IntegerField(help_text="how many are rated")

    class Meta:
        model = Pool
        fields = (
            "id",
            "variant",
            "players",
            "rules",
            "versions",
            "matches",
            "results_hash",
            "rated_at",
            "created_at",
        )


class RatingOut(_OfVersion, serializers.ModelSerializer[Rating]):
    """A place in a pool."""

    class Meta:
        model = Rating
        fields = ("pool", "place", "elo", "matches", "wins", *OF_VERSION)


class HealthOut(serializers.Serializer[Any]):
    """All is well."""

    status = serializers.CharField()
