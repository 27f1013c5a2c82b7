"""Kinds of errors."""

from typing import Any

from rest_framework import serializers


class ProblemKindOut(serializers.Serializer[Any]):
    """A kind of error."""

    code = serializers.CharField(help_text="stable, for programs")
    type = serializers.CharField(help_text="this address, as an error tells it")
    status = serializers.IntegerField(help_text="the HTTP status, always the same")
    title = serializers.CharField(help_text="what is wrong, in general")
    advice = serializers.CharField(help_text="what would be right")
