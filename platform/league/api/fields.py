"""Fields that take no more than they should."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

BIGGEST_ID = 2**63 - 1


class WholeNumber(serializers.IntegerField):
    """A whole number, as a JSON number: no text, no digits of other scripts, no true or false."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": BIGGEST_ID, **options})

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field(
    {"type": "object", "additionalProperties": {}, "example": {"variant": "polignac", "players": 4}}
)
class RulesField(serializers.JSONField):
    """Options of the rules (rules.md), by name; what is left out has its default."""
