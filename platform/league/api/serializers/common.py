"""What several topics share."""

from typing import Any

from rest_framework import serializers


class OfVersion(serializers.Serializer[Any]):
    """Whose row it is: the same five keys everywhere."""

    bot = serializers.CharField(source="version.bot.name")
    bot_id = serializers.IntegerField(source="version.bot_id")
    version = serializers.IntegerField(source="version.number", help_text="the version's number")
    version_id = serializers.IntegerField()
    owner = serializers.CharField(source="version.bot.owner.username")


OF_VERSION = ("bot", "bot_id", "version", "version_id", "owner")


class VersionRef(serializers.Serializer[Any]):
    """Which version."""

    bot = serializers.CharField(source="bot.name")
    bot_id = serializers.IntegerField()
    version = serializers.IntegerField(source="number", help_text="the version's number")
    version_id = serializers.IntegerField(source="pk")
    owner = serializers.CharField(source="bot.owner.username")


class HealthOut(serializers.Serializer[Any]):
    """All is well."""

    status = serializers.CharField()
