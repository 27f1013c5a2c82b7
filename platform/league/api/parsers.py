"""JSON from strangers."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser as FrameworkJSONParser

MAX_DEPTH = 16


class JSONParser(FrameworkJSONParser):
    """JSON as RFC 8259 has it, not deeper than 16."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The body's value. Raises ParseError."""
        try:
            data = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("The JSON is nested too deep.") from None
        if _depth_over(data, MAX_DEPTH):
            raise ParseError(f"The JSON is nested deeper than {MAX_DEPTH}.")
        return data


def _depth_over(data: object, most: int) -> bool:
    level = [data]
    for _ in range(most):
        level = [
            part
            for value in level
            if isinstance(value, dict | list)
            for part in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return False
    return any(isinstance(value, dict | list) for value in level)
