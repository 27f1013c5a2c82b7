"""What several topics share."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers


class Body(serializers.Serializer[Any]):
    """What is sent. A field that isn't known is refused, not ignored: mistyped, or meant for what nobody may
    set, it would have no effect, and the answer would not tell.
    """

    def to_internal_value(self, data: Any) -> Any:
        """The values. Raises ValidationError."""
        unknown = [key for key in data if key not in self.fields] if isinstance(data, Mapping) else []
        if unknown:
            text = f"There is no such field; there are {', '.join(sorted(self.fields))}."
            raise serializers.ValidationError({str(key): [text] for key in unknown}, code="unknown_field")
        return super().to_internal_value(data)


class BodyInSchema(OpenApiSerializerExtension):
    """How the schema describes it."""

    target_class = Body
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)
        return {**schema, "additionalProperties": False}


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
