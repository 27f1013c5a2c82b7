"""What counts as a reply, and what is garbage (protocol.md, Faults)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import strictjson
from arena.protocol import (
    MAX_DEPTH,
    Bye,
    ClockLimits,
    Garbage,
    Hello,
    PlayQuestion,
    Refused,
    decode_message,
    encode,
    parse_reply,
)
from arena.rules import Rules


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "not JSON"),
        (b"thinking...", "standard error"),
        (b"{", "not JSON"),
        (b'{"id": "a"} {"id": "b"}', "not JSON"),
        (b'\xff{"id": "a"}', "not UTF-8: byte 1"),
        (b'\xef\xbb\xbf{"id": "a"}', "not JSON"),
        ('{"id": "a"}'.encode("utf-16"), "not UTF-8"),
        (b'{"card": NaN}', "NaN is no JSON"),
        (b'{"card": Infinity}', "Infinity is no JSON"),
        (b'{"card": -Infinity}', "-Infinity is no JSON"),
        (b'{"card": 1e400}', "too large"),
        (b'{"card": ' + b"9" * 5000 + b"}", "5000 digits"),
        (b'{"id": "a", "id": "b"}', "'id' twice"),
        (b'{"id": "a", "x": {"y": 1, "y": 1}}', "'y' twice"),
        (b"[1]", "not a JSON object"),
        (b'"JS"', "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"card": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested deeper than 16"),
        (b"[" * 100_000, "nested deeper than 16"),
        (b'{"card": ' + b"[" * 16 + b"]" * 16 + b"}", "nested deeper than 16"),
        (b"{'id': 'a'}", "not JSON"),
        (b'{"id": "a",}', "not JSON"),
        (b'{"id": "a\x01"}', "not JSON"),
        (b'{"id": 01}', "not JSON"),
    ],
)
def test_garbage_is_told_with_its_reason(line, says):
    with pytest.raises(Garbage) as caught:
        parse_reply(line)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": "a", "card": "JS"}',
        b'{"id":"a","card":"JS"}\r',
        b'  {"id": "a", "card": "JS", "why": {"n": 1e3}}\t',
        b'{"id": "a", "card": "JS", "note": "[[[[[[[[[[[[[[[[[[[[[[ \\" {{{{"}',
        b'{"id": "a", "card": "JS", "deep": ' + b"[" * 15 + b"]" * 15 + b"}",
    ],
)
def test_a_reply_may_carry_spaces_line_ends_and_keys_of_its_own(line):
    reply = parse_reply(line)
    assert (reply["id"], reply["card"]) == ("a", "JS")


@given(st.binary(max_size=200))
def test_whatever_bytes_come_it_is_a_reply_or_garbage(line):
    try:
        reply = parse_reply(line)
    except Garbage:
        return
    assert isinstance(reply, dict)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=30,
    )
)
def test_an_honest_object_of_any_shape_is_read_as_it_is(value):
    reply = {"id": "a", "value": value}
    assert parse_reply(json.dumps(reply).encode()) == reply


def test_messages_are_one_object_a_line_and_come_back():
    messages = [
        Hello(id="a", rules=Rules.make().to_json(), players=4, clock=ClockLimits()),
        PlayQuestion(
            id="b",
            legal=["JS"],
            hand=["JS", "7H"],
            trick=["KS"],
            leader=3,
            events=[("card", 3, "KS"), ("trick", 1)],
            bank_ms=9000,
        ),
        Refused(reason="no"),
        Bye(),
    ]
    data = encode(messages)
    lines = data.splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["hello", "play", "refused", "bye"]
    assert [decode_message(line) for line in lines] == messages
    hello = json.loads(lines[0])
    assert (hello["protocol"], hello["players"]) == (1, 4)
    assert hello["clock"] == {"start_ms": 10000, "move_ms": 1000, "bank_ms": 10000}
    assert hello["rules"]["variant"] == "polignac"


#: Pieces that near replies are made of, and what may stand between them.
_PIECES = st.sampled_from(
    [
        "{",
        "}",
        '"',
        ":",
        ",",
        " ",
        '"id"',
        '"card"',
        '"JS"',
        '"q1"',
        "\r",
        "\t",
        "\\",
        "\x00",
        "\x7f",
        "é",
        "\u2028",
        "[",
        "1",
    ]
)
_KEYS = st.sampled_from(["id", "card", "bid", "ready", "", "i d", "é", '\\"', "\x1f"])
_TEXTS = st.sampled_from(["JS", "q1", "", " ", "pass", "\x7f", "\\u0041", "\\", "\x00", "{}", ",", "é"])
_SPACE = st.sampled_from(["", " ", "  ", "\r", "\t", "\n", "\x0b", "\xa0"])


@st.composite
def near_replies(draw):
    """Two pairs with anything nearly right about them."""
    first, second = draw(_KEYS), draw(_KEYS)
    parts = ["{", f'"{first}"', ":", f'"{draw(_TEXTS)}"', ",", f'"{second}"', ":", f'"{draw(_TEXTS)}"', "}"]
    return "".join(draw(_SPACE) + part for part in parts) + draw(_SPACE)


@given(st.one_of(near_replies(), st.lists(_PIECES, max_size=16).map("".join), st.text(max_size=40)))
def test_the_short_way_through_plain_replies_comes_out_where_the_long_way_does(text):
    try:
        expected = strictjson.loads(text, MAX_DEPTH)
    except strictjson.NotStrictJson:
        expected = None
    try:
        found = parse_reply(text.encode())
    except Garbage:
        found = None
    assert found == (expected if isinstance(expected, dict) else None)
