"""The OpenAPI document's common parts."""

from typing import Any, Literal

from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers


class ErrorItem(serializers.Serializer[Any]):
    """One thing that is wrong."""

    code = serializers.CharField(help_text="stable, for programs")
    message = serializers.CharField(help_text="a sentence, for people")
    field = serializers.CharField(allow_null=True, help_text="what in the request it is about")


class Error(ErrorItem):
    """Every error has this shape."""

    errors = ErrorItem(many=True, help_text="each single thing; one at least")  # type: ignore[assignment]


class Schema(AutoSchema):
    """Adds the error answer to every operation, and says what a list's filters are."""

    def _get_response_bodies(self, direction: Literal["request", "response"] = "response") -> dict[str, Any]:
        bodies: dict[str, Any] = super()._get_response_bodies(direction)
        if direction == "response":
            bodies["default"] = self._get_response_for_code(Error, "default")
            bodies["default"]["description"] = "Something is wrong: which and why."
        return bodies
