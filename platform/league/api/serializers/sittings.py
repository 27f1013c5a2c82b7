"""Sittings: matches that a person plays against bots."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from arena.rules import Bid
from league.api.fields import RulesField, WholeNumber
from league.api.serializers.common import Body, VersionRef
from league.sittings.models import Sitting
from league.sittings.selectors import bots_of

MOST_SEATS = 6


class NewSitting(Body):
    """A match that you want to play."""

    rules = RulesField(default=dict)
    versions = serializers.ListField(
        child=WholeNumber(min_value=1),
        max_length=MOST_SEATS - 1,
        help_text="ids of active versions, one less than there are players, in the order of the seats",
    )
    seat = WholeNumber(
        required=False,
        min_value=0,
        max_value=MOST_SEATS - 1,
        help_text="yours; where it is left out, chance decides",
    )


class Answer(Body):
    """What you bid or play: one of the two."""

    number = WholeNumber(min_value=1, help_text="of the question that it answers")
    bid = serializers.ChoiceField([str(bid) for bid in Bid], required=False)
    card = serializers.CharField(required=False, max_length=2, help_text="`JS`")

    def validate(self, attrs: Any) -> Any:
        """`kind` and `text` instead of the two. Raises ValidationError."""
        given = [kind for kind in ("bid", "card") if kind in attrs]
        if len(given) != 1:
            raise serializers.ValidationError({"card": ["Send a bid or a card."]}, code="invalid")
        return {"number": attrs["number"], "kind": given[0], "text": attrs[given[0]]}


class QuestionOut(serializers.Serializer[Any]):
    """What you are asked."""

    number = serializers.IntegerField(help_text="from 1")
    kind = serializers.ChoiceField(["bid", "card"])
    legal = serializers.ListField(child=serializers.CharField(), help_text="what may be bid or played")


class SittingSummary(serializers.ModelSerializer[Sitting]):
    """A sitting of yours. `versions` in the context: those that sit there, where they are known already."""

    bots = serializers.SerializerMethodField(help_text="by seat; null at yours")

    class Meta:
        model = Sitting
        fields = ("id", "status", "status_at", "players", "seat", "bots", "commitment", "created_at")
        extra_kwargs = {"seat": {"help_text": "yours"}}  # noqa: RUF012

    @extend_schema_field(
        {
            "type": "array",
            "items": {"allOf": [{"$ref": "#/components/schemas/VersionRef"}], "nullable": True},
        }
    )
    def get_bots(self, sitting: Sitting) -> list[dict[str, Any] | None]:
        """Who sits where."""
        found = bots_of(sitting, self.context.get("versions"))
        return [None if version is None else dict(VersionRef(version).data) for version in found]


class DealStandOut(serializers.Serializer[Any]):
    """A deal of a comparison."""

    points = serializers.IntegerField(allow_null=True, help_text="null: it sat out")
    playoff = serializers.BooleanField()


class StandOut(serializers.Serializer[Any]):
    """How one of the bots fared in your place, with the same cards, the others where they were."""

    version_id = serializers.IntegerField()
    deals = DealStandOut(many=True, help_text="of that match, which may be shorter or longer than yours")
    total = serializers.IntegerField()
    rank = serializers.IntegerField()
    faults = serializers.IntegerField()


class SittingOut(SittingSummary):
    """A sitting of yours, as far as you have seen it."""

    seed = serializers.SerializerMethodField(help_text="null until it is over")
    question = QuestionOut(source="asked", allow_null=True, help_text="null while it is the bots' turn")
    answers = serializers.SerializerMethodField(help_text="how many questions you have answered")
    course = serializers.DictField(
        allow_null=True,
        help_text="a match record (docs/record.md) as far as you know it: of the others' cards there is a "
        "null for each, and what is not known yet is null; null before your first question",
    )
    comparison = StandOut(many=True, allow_null=True, help_text="null until it is known, after the end")

    class Meta(SittingSummary.Meta):
        fields = (  # type: ignore[assignment]
            *SittingSummary.Meta.fields,
            "rules",
            "seed",
            "question",
            "asked_at",
            "answers",
            "course",
            "comparison",
        )

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_seed(self, sitting: Sitting) -> str | None:
        """When nothing depends on it any more."""
        return sitting.seed if sitting.record is not None else None

    def get_answers(self, sitting: Sitting) -> int:
        """How many."""
        return len(sitting.answers)
