"""The wire: messages between the referee and a bot, and their codec (protocol.md)."""

import json
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import msgspec

PROTOCOL_VERSION: Final = 1
MAX_LINE_BYTES: Final = 64 * 1024
#: Output without a valid reply after which a bot is cut off.
MAX_UNANSWERED_BYTES: Final = 256 * 1024
MAX_LOG_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 16


class ClockLimits(msgspec.Struct, frozen=True):
    """What a bot's time is (protocol.md, The clock); milliseconds.

    Attributes:
        start_ms: from launch to ``ready``.
        move_ms: each decision.
        bank_ms: a reserve for the whole match, drawn on by what a decision takes over ``move_ms``.
    """

    start_ms: int = 10_000
    move_ms: int = 1_000
    bank_ms: int = 10_000


class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    pass


class Hello(_Message, tag="hello"):
    """Asks for ``ready``; ``rules`` holds every option."""

    id: str
    rules: dict[str, Any]
    players: int
    clock: ClockLimits
    protocol: int = PROTOCOL_VERSION


class MatchStart(_Message, tag="match"):
    """A match begins; ``match`` is an opaque name."""

    match: str
    seat: int


class DealStart(_Message, tag="deal"):
    """A deal begins; ``hand`` is the bot's own, ``totals`` go by seat."""

    deal: int
    dealer: int
    seats: tuple[int, ...]
    playoff: bool
    hand: list[str]
    totals: list[int]
    luck: str


#: ``("bid", seat, bid)``, ``("card", seat, card)`` or ``("trick", seat that took it)``.
Event: TypeAlias = tuple[str, int, str] | tuple[str, int]


class BidQuestion(_Message, tag="bid"):
    """Asks for one of ``options``."""

    id: str
    options: list[str]
    hand: list[str]
    events: list[Event]
    bank_ms: int


class PlayQuestion(_Message, tag="play"):
    """Asks for one of ``legal``; enough by itself to choose a card."""

    id: str
    legal: list[str]
    hand: list[str]
    trick: list[str]
    leader: int
    events: list[Event]
    bank_ms: int


class Refused(_Message, tag="refused"):
    """The last reply was a revoke; the question comes again with a new id, on the same clock."""

    reason: str


class DealEnd(_Message, tag="deal_end"):
    """A deal has ended; ``points`` and ``totals`` go by seat."""

    events: list[Event]
    points: list[int]
    totals: list[int]


class MatchEnd(_Message, tag="match_end"):
    """A match has ended; both lists go by seat."""

    totals: list[int]
    ranks: list[int]


class Bye(_Message, tag="bye"):
    """The process should end; it is killed a second later."""


Question: TypeAlias = Hello | BidQuestion | PlayQuestion
Message: TypeAlias = (
    Hello | MatchStart | DealStart | BidQuestion | PlayQuestion | Refused | DealEnd | MatchEnd | Bye
)

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def encode(messages: Iterable[Message]) -> bytes:
    """Messages as JSON Lines, one object a line."""
    return _encoder.encode_lines(messages)


def decode_message(line: bytes) -> Message:
    """One line back into its message.

    Raises:
        msgspec.ValidationError: the line is no message of this protocol.
    """
    return _decoder.decode(line)


class Garbage(ValueError):
    """A line that is no reply at all (protocol.md, Faults: ``garbage``); the text says why."""


def parse_reply(line: bytes) -> dict[str, Any]:
    """The object on a bot's output line.

    Raises:
        Garbage: not UTF-8, not JSON as RFC 8259 has it, no object, a key twice, nested deeper than 16.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Garbage(f"not UTF-8: byte {error.start + 1} of the line") from None
    # The deepest nesting there can be is the number of opening brackets; few lines need a closer look.
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise Garbage(f"nested deeper than {MAX_DEPTH}")
    try:
        value = _json_decoder.decode(text)
    except Garbage:
        raise
    except json.JSONDecodeError as error:
        hint = "" if text.lstrip().startswith("{") else "; debug text belongs on standard error"
        raise Garbage(f"not JSON: {error.msg} at character {error.pos + 1}{hint}") from None
    except ValueError:
        raise Garbage("not JSON: a number of too many digits") from None
    if not isinstance(value, dict):
        raise Garbage("not a JSON object")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Garbage(f"the key {twice[:40]!r} twice in one object")
    return value


def _constant(name: str) -> Any:
    raise Garbage(f"{name} is no JSON")


def _number(text: str) -> float:
    value = float(text)
    if value in {float("inf"), float("-inf")}:
        raise Garbage("a number too large to be read")
    return value


_json_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_number)


def _depth(text: str) -> int:
    """How deep brackets nest, those inside strings left out."""
    depth = deepest = 0
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
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest
