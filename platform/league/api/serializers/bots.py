"""Bots, versions and their checks."""

from typing import Any

from rest_framework import serializers

from league.bots.models import Bot, Check, Version


class NewBot(serializers.Serializer[Any]):
    """A bot to be."""

    name = serializers.CharField(max_length=200, trim_whitespace=False)


class Upload(serializers.Serializer[Any]):
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
