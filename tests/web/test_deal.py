"""The shuffle as a reader's browser computes it, beside Python's hashlib and the engine."""

import json
import random
import struct
from hashlib import shake_256

import pytest

from arena.cards import card_text
from arena.rules import DealKind
from arena.shuffle import commitment, deal_cards
from tests.web.kit import GOLDEN, golden_records, node

pytestmark = pytest.mark.node


def test_shake_256_is_that_of_hashlib_at_every_length_around_its_blocks():
    chance = random.Random(1)
    lengths = [*range(140), *range(268, 277), 543, 544, 545, 1000]
    cases = [(chance.randbytes(length), 1 + (length * 37) % 600) for length in lengths]
    cases += [(b"", length) for length in (0, 1, 135, 136, 137, 272, 4096)]
    found = node("shake", [{"message": message.hex(), "length": length} for message, length in cases])
    assert found == [shake_256(message).hexdigest(length) for message, length in cases]


def test_the_given_shuffles_come_out_as_given():
    vectors = json.loads((GOLDEN / "shuffle.json").read_text())
    expected = [{"commitment": vector["commitment"], "hands": vector["hands"]} for vector in vectors]
    assert node("deal", vectors) == expected


def test_fresh_seeds_give_the_hands_that_the_engine_deals():
    chance = random.Random(2)
    cases, expected = [], []
    for players, kind in [(n, k) for n in range(2, 7) for k in DealKind]:
        for number in (1, 2, 17, 200):
            seed, attempt = chance.randbytes(32), chance.randrange(3)
            hands = deal_cards(seed, number, attempt, players, kind)
            named = {"seed": seed.hex(), "number": number, "attempt": attempt}
            cases.append(named | {"players": players, "deal": kind})
            expected.append(
                {"commitment": commitment(seed), "hands": [list(map(card_text, hand)) for hand in hands]}
            )
    assert node("deal", cases) == expected


def test_the_stream_of_words_goes_on_as_long_as_it_is_asked():
    (found,) = node("words", [{"message": b"polignac".hex(), "count": 300}])
    assert found == list(struct.unpack(">300I", shake_256(b"polignac").digest(1200)))


def test_a_word_that_would_favour_small_numbers_is_dropped():
    highest = 2**32 - 1
    cases = [
        {"words": [highest, highest, 7, 9], "m": 3},  # 2**32 = 1 modulo 3: the last word is one too many
        {"words": [highest - 1, 9], "m": 3},
        {"words": [highest, 9], "m": 32},
        {"words": [2**32 - 2**32 % 31, 2**32 - 2**32 % 31 - 1, 9], "m": 31},
    ]
    assert node("draws", cases) == [[1, 9], [2, 9], [31, 9], [30, 9]]


def sound_records():
    return [record for record in golden_records() if record["seed"]]


def test_sound_records_check_with_their_seed_and_commitment():
    records = sound_records()
    results = node("check", [{"record": record} for record in records])
    assert len(results) > 50
    assert {result["state"] for result in results} == {"sound"}
    assert [result["found"] for result in results] == [record["commitment"] for record in records]
    assert all(len(result["deals"]) == len(r["deals"]) for result, r in zip(results, records, strict=True))


def changed(record, change):
    copy = json.loads(json.dumps(record))
    change(copy)
    return copy


def swap_two_cards(record):
    hands = record["deals"][1]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


@pytest.fixture(scope="module")
def told():
    """What is said of records that someone has tampered with, and of what can't be checked."""
    record = next(record for record in sound_records() if len(record["deals"]) > 2)
    cases = {
        "cards": {"record": changed(record, swap_two_cards)},
        "attempt": {"record": changed(record, lambda r: r["deals"][0].update(attempt=1))},
        "commitment": {"record": changed(record, lambda r: r.update(commitment="0" * 64))},
        "published": {"record": record, "published": "1" * 64},
        "seed": {"record": changed(record, lambda r: r.update(seed="zz" * 32))},
        "short": {"record": changed(record, lambda r: r.update(seed="00" * 31))},
        "supplied": {"record": changed(record, lambda r: r.update(seed=None))},
    }
    return dict(zip(cases, node("check", cases.values()), strict=True))


@pytest.mark.parametrize(
    ("case", "state", "reason"),
    [
        ("cards", "unsound", "The seed gives other hands in deal 2."),
        ("attempt", "unsound", "The seed gives other hands in deal 1."),
        ("commitment", "unsound", "The seed is not the one committed to."),
        ("published", "unsound", "The seed is not the one committed to."),
        ("seed", "unsound", "The seed is no hex text."),
        ("short", "unsound", "The seed has 31 bytes, not 32."),
        ("supplied", "unknown", "The boards of this match were supplied: it has no seed."),
    ],
)
def test_what_is_wrong_with_a_shuffle_is_told(told, case, state, reason):
    assert (told[case]["state"], told[case]["reason"]) == (state, reason)


def test_without_webcrypto_the_hands_are_checked_and_the_commitment_is_called_unknown():
    (result,) = node("checkWithoutWebCrypto", sound_records()[:1])
    assert result["state"] == "unknown"
    assert result["reason"].startswith("The hands are the seed's; the commitment was not checked: ")
    assert all(deal["sound"] for deal in result["deals"])
