"""JSON as RFC 8259 has it, from strangers: what the standard library lets pass is refused here.

``json.loads`` takes NaN and Infinity, the last of two equal keys, and nests until the stack ends.
"""

import json
from collections import Counter
from typing import Any, Final

MAX_DIGITS: Final = 400


class NotStrictJson(ValueError):
    """The text is no JSON, or no honest one; the message says why."""


def loads(text: str, max_depth: int) -> Any:
    """The value of a JSON text.

    Args:
        max_depth: how deep arrays and objects may nest; ``[[]]`` is 2 deep.

    Raises:
        NotStrictJson: broken, nested too deep, a key twice in one object, NaN, Infinity, or a number
            that can't be held.
    """
    # The deepest nesting there can be is the number of opening brackets; few texts need a closer look.
    if text.count("[") + text.count("{") > max_depth and _deeper_than(max_depth, text):
        raise NotStrictJson(f"nested deeper than {max_depth}")
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise NotStrictJson(f"{error.msg} at character {error.pos + 1}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        counted = Counter(key for key, _ in pairs)
        twice = next(key for key, times in counted.items() if times > 1)
        raise NotStrictJson(f"the key {twice[:40]!r} twice in one object")
    return value


def _constant(name: str) -> Any:
    raise NotStrictJson(f"{name} is no JSON")


def _whole(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise NotStrictJson(f"a number of {len(text)} digits")
    return int(text)


def _real(text: str) -> float:
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        raise NotStrictJson(f"the number {text[:40]} is too large")
    return value


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_constant, parse_int=_whole, parse_float=_real
)


def _deeper_than(limit: int, text: str) -> bool:
    """Whether brackets nest deeper than this, those inside strings left out."""
    depth = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            if depth > limit:
                return True
        elif char in "]}":
            depth -= 1
    return False
