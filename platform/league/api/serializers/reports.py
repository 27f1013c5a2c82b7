"""A duel's verdict, and the report of partner effects."""

from typing import Any

from rest_framework import serializers

from arena.ratings.duel import Verdict
from arena.ratings.partners import Effect
from league.api.serializers.common import VersionRef


class StepOut(serializers.Serializer[Any]):
    """The test after so many boards: the duel goes on while `mean` is within `outer` and beyond `inner`."""

    boards = serializers.IntegerField()
    mean = serializers.FloatField(help_text="points a deal of the first less those of the second")
    outer = serializers.FloatField(help_text="a mean this far from 0 names the better one")
    inner = serializers.FloatField(help_text="a mean nearer to 0 gives up; 0 while that is too early")


class DuelOut(serializers.Serializer[Any]):
    """How a duel stands."""

    first = VersionRef()
    second = VersionRef()
    verdict = serializers.ChoiceField([str(verdict) for verdict in Verdict], source="duel.verdict")
    boards = serializers.IntegerField(source="duel.boards", help_text="that the verdict rests on")
    planned = serializers.IntegerField(source="duel.planned", help_text="the most that the test may use")
    mean = serializers.FloatField(
        source="duel.mean",
        help_text="points a deal of the first less those of the second; below 0: better",
    )
    error = serializers.FloatField(source="duel.error", help_text="its standard error")
    detectable = serializers.FloatField(
        source="duel.detectable",
        help_text="the difference that the planned boards would show 9 times in 10",
    )
    trace = StepOut(source="duel.trace", many=True)


class EffectOut(serializers.Serializer[Any]):
    """A conspicuous pair."""

    effect = serializers.ChoiceField(
        [str(effect) for effect in Effect],
        help_text="transfer: `one` gains what `other` gives; together: both gain at the others' cost",
    )
    one = serializers.SerializerMethodField()
    other = serializers.SerializerMethodField()
    matches = serializers.IntegerField()
    groups = serializers.IntegerField()
    one_gain = serializers.FloatField(help_text="points a deal better than expected when they meet")
    other_gain = serializers.FloatField()
    p = serializers.FloatField(
        help_text="the chance of such an effect anywhere in the report if all are honest"
    )

    def get_one(self, effect: Any) -> VersionRef:
        """Who."""
        return VersionRef(self.context["versions"][effect.one]).data  # type: ignore[return-value]

    def get_other(self, effect: Any) -> VersionRef:
        """Beside whom."""
        return VersionRef(self.context["versions"][effect.other]).data  # type: ignore[return-value]


class PartnersOut(serializers.Serializer[Any]):
    """Who does better beside whom than chance explains; of honest bots empty, but for `level` of reports."""

    results_hash = serializers.CharField()
    matches = serializers.IntegerField()
    level = serializers.FloatField()
    effects = EffectOut(many=True)
