"""Pools, snapshots, ratings, standings, and what compares versions."""

from typing import Any

from rest_framework import serializers

from league.api.fields import RulesField
from league.api.serializers.common import OF_VERSION, OfVersion, RowOut, VersionRef
from league.ratings.models import Pool, Rating, Snapshot

SURE = "of the 95 % interval; null where it can't be told"


class SnapshotOut(RowOut, serializers.ModelSerializer[Snapshot]):
    """One set of counted results, and when its sums were made."""

    class Meta:
        model = Snapshot
        fields = (
            "number",
            "results_hash",
            "matches",
            "blocks",
            "versions",
            "components",
            "parameters",
            "computed_at",
        )
        extra_kwargs = {  # noqa: RUF012
            "results_hash": {"help_text": "SHA-256 that names the set of results"},
            "blocks": {"help_text": "boards played in all seatings: only these count"},
            "components": {
                "help_text": "groups of bots that no chain of matches links; with more than one, Elo and "
                "places of different components can't be compared"
            },
            "parameters": {"help_text": "constants of the formulas"},
        }


class PoolOut(serializers.ModelSerializer[Pool]):
    """A pool of ratings; `snapshot` is the current one, null while nothing counts."""

    rules = RulesField()
    snapshot = serializers.SerializerMethodField()

    class Meta:
        model = Pool
        fields = ("id", "variant", "players", "rules", "created_at", "snapshot")

    def get_snapshot(self, pool: Pool) -> SnapshotOut:
        """What every page shows."""
        sheet = getattr(pool, "sheet", None)
        return SnapshotOut(sheet.current).data if sheet and sheet.current else None  # type: ignore[return-value]


class Line(OfVersion, serializers.ModelSerializer[Rating]):
    """What a rating and a standing share."""

    class Meta:
        model = Rating
        fields: tuple[str, ...] = (
            "place",
            *OF_VERSION,
            "score",
            "score_low",
            "score_high",
            "points_per_deal",
            "points_low",
            "points_high",
            "matches",
            "blocks",
            "wins",
            "faults",
            "vacated",
        )
        extra_kwargs = {  # noqa: RUF012
            "score": {"help_text": "the share of opponents left behind, ties half: 0 to 1"},
            "score_low": {"help_text": f"lower end {SURE}"},
            "score_high": {"help_text": f"upper end {SURE}"},
            "points_per_deal": {"help_text": "penalty points: lower is better"},
            "points_low": {"help_text": f"lower end {SURE}"},
            "points_high": {"help_text": f"upper end {SURE}"},
            "wins": {"help_text": "matches ranked first, alone or shared"},
            "vacated": {"help_text": "matches in which its seat was given up"},
            "component": {"help_text": "places and Elo of different components can't be compared"},
            "elo": {"help_text": "Bradley-Terry on the Elo scale; the mean of the component is 1500"},
            "elo_error": {"help_text": "its standard error, clustered"},
            "elo_low": {"help_text": "lower end of the 95 % interval"},
            "elo_high": {"help_text": "upper end of the 95 % interval"},
            "provisional": {"help_text": "too uncertain yet"},
            "elo_live": {"help_text": "sequential Elo, for the history graph"},
        }


class StandingOut(Line):
    """How a version stands in a tournament."""

    class Meta(Line.Meta):
        pass


class StandingsOut(serializers.Serializer[Any]):
    """A page of standings, and what all of them were computed from."""

    results = StandingOut(many=True)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    snapshot = SnapshotOut(allow_null=True, help_text="null while nothing counts")


class RatingOut(Line):
    """A place in a pool."""

    pool = serializers.IntegerField(source="snapshot.sheet.pool_id")
    snapshot = serializers.IntegerField(source="snapshot.number", help_text="the snapshot's number")

    class Meta(Line.Meta):
        fields = (
            "pool",
            "snapshot",
            "elo",
            "elo_error",
            "elo_low",
            "elo_high",
            "provisional",
            "component",
            "elo_live",
            *Line.Meta.fields,
        )


class MeetingOut(RowOut):
    """How `one` did against `other` in the matches where both sat."""

    one = VersionRef()
    other = VersionRef()
    matches = serializers.IntegerField()
    won = serializers.IntegerField(help_text="matches in which `one` ranked better")
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()
    score = serializers.FloatField(allow_null=True, help_text="won and half of the drawn: 0 to 1")


class CrossTableOut(serializers.Serializer[Any]):
    """A page of pairs; `previous` is always null: this list is read forwards."""

    results = MeetingOut(many=True)
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    snapshot = SnapshotOut(allow_null=True, help_text="null while nothing counts")


class ComparisonOut(serializers.Serializer[Any]):
    """Which of two is the better, by their ratings."""

    lead = serializers.FloatField(help_text="Elo of `one` less Elo of `other`")
    lead_error = serializers.FloatField(help_text="its standard error")
    lead_low = serializers.FloatField(help_text="lower end of the 95 % interval")
    lead_high = serializers.FloatField(help_text="upper end of the 95 % interval")
    chance = serializers.FloatField(help_text="that `one` is really the better: 0 to 1")
    boards = serializers.IntegerField(
        allow_null=True,
        help_text="boards that each of them still has to play until the difference is likely to be sure; 0: "
        "it is; null: no number would do",
    )


class CommonOut(serializers.Serializer[Any]):
    """The boards where both met."""

    boards = serializers.IntegerField()
    points = serializers.FloatField(
        allow_null=True, help_text="points a deal of `one` less those of `other`; below 0: `one` is better"
    )
    points_low = serializers.FloatField(allow_null=True, help_text=f"lower end {SURE}")
    points_high = serializers.FloatField(allow_null=True, help_text=f"upper end {SURE}")
    boards_needed = serializers.IntegerField(
        allow_null=True, help_text="common boards still, until the difference in points is likely to be sure"
    )


class HeadToHeadOut(serializers.Serializer[Any]):
    """Two versions of a pool."""

    snapshot = SnapshotOut()
    meeting = MeetingOut()
    comparison = ComparisonOut(allow_null=True, help_text="null where no chain of matches links the two")
    common = CommonOut(
        allow_null=True,
        help_text="null where they never met, met in more than 2,000 matches, or again since the snapshot",
    )


class LivePointOut(RowOut):
    """A point of the history graph."""

    matches = serializers.IntegerField(help_text="after so many of its matches")
    elo = serializers.FloatField()


class PublishedOut(RowOut, serializers.ModelSerializer[Rating]):
    """A rating as it was published."""

    snapshot = serializers.IntegerField(source="snapshot.number")
    results_hash = serializers.CharField(source="snapshot.results_hash")
    computed_at = serializers.DateTimeField(source="snapshot.computed_at")

    class Meta:
        model = Rating
        fields = (
            "snapshot",
            "results_hash",
            "computed_at",
            "place",
            "elo",
            "elo_low",
            "elo_high",
            "elo_live",
            "provisional",
            "matches",
        )


class HistoryOut(serializers.Serializer[Any]):
    """How a version's rating went."""

    version = VersionRef()
    live = LivePointOut(many=True, help_text="sequential Elo; 200 points at the most, evenly chosen")
    published = PublishedOut(many=True, help_text="in each snapshot that is kept, the oldest first")
