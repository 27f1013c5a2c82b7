"""Bots, versions and their checks."""

from typing import Any

from rest_framework import serializers

from league.api.serializers.common import Body
from league.bots.models import Bot, Check, Version
from league.matches.faults import MEANINGS


class NewBot(Body):
    """A bot to be."""

    name = serializers.CharField(max_length=200, trim_whitespace=False)


class Upload(Body):
    """A program: one source file, or a zip."""

    file = serializers.FileField(max_length=10_000)


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


PRIVATE = ("size_bytes", "digest", "reason_code", "reason")


class VersionSummary(serializers.ModelSerializer[Version]):
    """A version, without what its check found. In the context, `looks_into` tells for a version whether the
    reader may know what is its owner's alone; where it is missing, they may."""

    bot = serializers.CharField(source="bot.name")

    class Meta:
        model = Version
        extra_kwargs = {  # noqa: RUF012
            name: {"allow_null": True, "help_text": "null unless it is yours"} for name in PRIVATE
        }
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

    def to_representation(self, instance: Version) -> dict[str, Any]:
        """The fields, without what isn't for the reader."""
        looks_into = self.context.get("looks_into")
        if looks_into is None or looks_into(instance):
            return super().to_representation(instance)
        told: dict[str, Any] = {}
        for name, field in self.fields.items():
            secret = name in PRIVATE or name == "checks"  # not even read from the database
            told[name] = None if secret else field.to_representation(field.get_attribute(instance))
        return told


class VersionOut(VersionSummary):
    """A version and its check."""

    checks = CheckOut(many=True, allow_null=True, help_text="null unless it is yours")

    class Meta(VersionSummary.Meta):
        fields = (*VersionSummary.Meta.fields, "checks")  # type: ignore[assignment]


class UploadedOut(VersionOut):
    """What became of an upload."""

    new = serializers.BooleanField(help_text="false: the same program was sent before, and is that version")

    class Meta(VersionOut.Meta):
        fields = (*VersionOut.Meta.fields, "new")  # type: ignore[assignment]


class FaultsOut(serializers.Serializer[Any]):
    """A kind of fault in a bot's matches; `matches/?bot=…&fault=…` has those."""

    kind = serializers.ChoiceField(list(MEANINGS))
    meaning = serializers.CharField()
    faults = serializers.IntegerField()
    matches = serializers.IntegerField(help_text="with such a fault")
    latest = serializers.IntegerField(help_text="the id of the last of them")
    newest = serializers.IntegerField(help_text="the number of the newest version that had one")
