"""The wire: messages between the referee and a bot, and their codec (protocol.md)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from arena import strictjson

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


# The garbage collector needn't follow messages: none can come to hold itself.
class _Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", gc=False):
    pass


class Hello(_Message, frozen=True, tag="hello"):
    """Asks for ``ready``; ``rules`` holds every option."""

    id: str
    rules: dict[str, Any]
    players: int
    clock: ClockLimits
    protocol: int = PROTOCOL_VERSION


class MatchStart(_Message, frozen=True, tag="match"):
    """A match begins; ``match`` is an opaque name."""

    match: str
    seat: int


class DealStart(_Message, frozen=True, tag="deal"):
    """A deal begins; ``hand`` is the bot's own, ``totals`` go by seat."""

    deal: int
    dealer: int
    seats: tuple[int, ...]
    playoff: bool
    hand: list[str]
    totals: list[int]
    luck: str


#: ``("bid", seat, bid)``, ``("card", seat, card)`` or ``("trick", seat that took it)``.
Event: TypeAlias = tuple[str | int, ...]


class BidQuestion(_Message, frozen=True, tag="bid"):
    """Asks for one of ``options``."""

    id: str
    options: list[str]
    hand: list[str]
    events: Sequence[Event]
    bank_ms: int


class PlayQuestion(_Message, frozen=True, tag="play"):
    """Asks for one of ``legal``; enough by itself to choose a card."""

    id: str
    legal: list[str]
    hand: list[str]
    trick: list[str]
    leader: int
    events: Sequence[Event]
    bank_ms: int


class Refused(_Message, frozen=True, tag="refused"):
    """The last reply was a revoke; the question comes again with a new id, on the same clock."""

    reason: str


class DealEnd(_Message, frozen=True, tag="deal_end"):
    """A deal has ended; ``points`` and ``totals`` go by seat."""

    events: Sequence[Event]
    points: list[int]
    totals: list[int]


class MatchEnd(_Message, frozen=True, tag="match_end"):
    """A match has ended; both lists go by seat."""

    totals: list[int]
    ranks: list[int]


class Bye(_Message, frozen=True, tag="bye"):
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


#: Takes what nearly every bot sends: some keys with a text each. As strict as RFC 8259, but for equal keys.
_texts: msgspec.json.Decoder[dict[str, str]] = msgspec.json.Decoder(dict[str, str])


class Garbage(ValueError):
    """A line that is no reply at all (protocol.md, Faults: ``garbage``); the text says why."""


def parse_reply(line: bytes) -> Mapping[str, Any]:
    """The object on a bot's output line.

    Raises:
        Garbage: not UTF-8, not JSON as RFC 8259 has it, no object, a key twice, nested deeper than 16.
    """
    try:
        texts = _texts.decode(line)
        # Each key and each text has two quotation marks: with more of them one was escaped, or a key was
        # there twice. That and all else takes the long way.
        if line.count(b'"') == 4 * len(texts):
            return texts
    except msgspec.DecodeError:
        pass
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Garbage(f"not UTF-8: byte {error.start + 1} of the line") from None
    try:
        value = strictjson.loads(text, MAX_DEPTH)
    except strictjson.NotStrictJson as error:
        hint = "" if text.lstrip().startswith("{") else "; debug text belongs on standard error"
        raise Garbage(f"not JSON: {error}{hint}") from None
    if not isinstance(value, dict):
        raise Garbage("not a JSON object; debug text belongs on standard error")
    return value
