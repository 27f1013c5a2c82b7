"""What several topics share."""

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import attrgetter
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


class RowOut(serializers.Serializer[Any]):
    """A row, of which there are many: told as the framework tells it, but how each field is read is found out
    once for all."""

    @cached_property
    def _readers(self) -> list[tuple[str, Any, Callable[[Any], Any]]]:
        """Each field's name, itself, and what reads it."""
        usual = serializers.Field.get_attribute
        return [
            (
                name,
                field,
                attrgetter(".".join(field.source_attrs))
                if type(field).get_attribute is usual and field.source != "*"
                else field.get_attribute,
            )
            for name, field in self.fields.items()
            if not field.write_only
        ]

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """The fields; of a mapping as the framework does it."""
        if isinstance(instance, Mapping):
            return super().to_representation(instance)
        told = {}
        for name, field, read in self._readers:
            try:
                value = read(instance)
            except AttributeError:
                value = field.get_attribute(instance)  # which knows what is told then
            told[name] = None if value is None else field.to_representation(value)
        return told


class OfVersion(RowOut):
    """Whose row it is: the same five keys everywhere."""

    bot = serializers.CharField(source="version.bot.name")
    bot_id = serializers.IntegerField(source="version.bot_id")
    version = serializers.IntegerField(source="version.number", help_text="the version's number")
    version_id = serializers.IntegerField()
    owner = serializers.CharField(source="version.bot.owner.username")


OF_VERSION = ("bot", "bot_id", "version", "version_id", "owner")


class VersionRef(RowOut):
    """Which version."""

    bot = serializers.CharField(source="bot.name")
    bot_id = serializers.IntegerField()
    version = serializers.IntegerField(source="number", help_text="the version's number")
    version_id = serializers.IntegerField(source="pk")
    owner = serializers.CharField(source="bot.owner.username")


class HealthOut(serializers.Serializer[Any]):
    """All is well."""

    status = serializers.CharField()
    refusing_workers = serializers.IntegerField(
        help_text="machines whose play worker takes nothing, as its sandbox fails; the admin has the causes"
    )
