"""The committed shuffle: from a match's seed to the hands of each deal, so that anyone can check it
(rules.md § 3)."""

import hmac
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256, shake_256
from itertools import islice
from operator import itemgetter
from typing import Final

from arena.cards import Card, Cards
from arena.rules import DealKind, pack_for

SEED_BYTES: Final = 32

#: Packets in which cards are dealt, by number of players (rules.md § 3).
_EVEN_PACKETS: Final[dict[int, tuple[int, ...]]] = {
    2: (3, 2, 3, 3, 2, 3),
    3: (3, 2, 3, 2),
    4: (3, 2, 3),
    5: (3, 3),
    6: (3, 2),
}
_UNEVEN_PACKETS: Final[dict[int, tuple[int, ...]]] = {5: (3, 3, 1), 6: (3, 2, 1)}

# A word a swap and one for the cut; as it happens, what one permutation of the hash gives.
_WORDS: Final = struct.Struct(">32I")
#: For each m, the words from here on are dropped, so that ``word % m`` favours no value.
_LIMITS: Final = tuple((1 << 32) - (1 << 32) % m if m else 0 for m in range(33))


def commitment(seed: bytes) -> str:
    """What is published when a match is created: ``sha256(seed)`` in hex."""
    return sha256(seed).hexdigest()


def luck(seed: bytes, number: int, place: int) -> str:
    """The hex string that seeds a bot's own choices in deal ``number`` (protocol.md, ``luck``).

    Args:
        seed: the match's 32 bytes.
        number: the deal's number, from 1.
        place: the seat's place from the eldest hand, from 0.
    """
    return hmac.digest(seed, f"polignac/1/luck/{number}/{place}".encode(), "sha256")[:16].hex()


def shuffled_pack(seed: bytes, number: int, attempt: int, pack: Sequence[int]) -> list[int]:
    """The pack of a deal, shuffled and cut (rules.md § 3, steps 1–4); ``pack`` is in order, as cards or
    as whatever stands for them."""
    name = seed + f"polignac/1/deal/{number}/{attempt}".encode()
    data = shake_256(name).digest(_WORDS.size)
    if b"\xff\xff\xff" in data:
        # Only a word that begins so can be one to drop: one pack in some 130,000 is looked at closely.
        return shuffle_checked(name, pack)
    words: tuple[int, ...] = _WORDS.unpack(data)
    cards = list(pack)
    last = len(cards) - 1
    for i, word in zip(range(last, 0, -1), words, strict=False):
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    cut = 1 + words[last] % last
    return cards[cut:] + cards[:cut]


def shuffle_checked(name: bytes, pack: Sequence[int]) -> list[int]:
    """The same word by word as the rule has it, from a stream that is long enough never to run out."""
    data = shake_256(name).digest(_WORDS.size * 64)
    words: Iterator[int] = (word for (word,) in struct.iter_unpack(">I", data))

    def below(m: int) -> int:
        return next(word for word in words if word < _LIMITS[m]) % m

    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    cut = 1 + below(len(cards) - 1)
    return cards[cut:] + cards[:cut]


def deal_cards(
    seed: bytes, number: int, attempt: int, players: int, kind: DealKind = DealKind.EVEN
) -> tuple[tuple[Card, ...], ...]:
    """The hands of a deal, from the eldest hand on, each in the order dealt (rules.md § 3).

    Args:
        seed: the match's 32 bytes.
        number: the deal's number ``k``, from 1; play-off deals go on counting.
        attempt: ``a``, 0 unless a misdeal was dealt again.
        players: who plays this deal, 2 (in a play-off only) to 6.
    """
    layout = _LAYOUTS[players, kind is DealKind.UNEVEN]
    pack = shuffled_pack(seed, number, attempt, layout.cards)
    return tuple([hand_of(pack) for hand_of in layout.hands])


def deal_hands(
    seed: bytes, number: int, attempt: int, players: int, kind: DealKind = DealKind.EVEN
) -> list[Cards]:
    """The same hands as sets, for whoever does not ask in which order they were dealt."""
    layout = _LAYOUTS[players, kind is DealKind.UNEVEN]
    pack = shuffled_pack(seed, number, attempt, layout.sets)
    return [sum(hand_of(pack)) for hand_of in layout.hands]


def hand_sizes(players: int, kind: DealKind) -> tuple[int, ...]:
    """How many cards each hand has, from the eldest hand on (rules.md § 3)."""
    return _LAYOUTS[players, kind is DealKind.UNEVEN].sizes


@dataclass(frozen=True, slots=True)
class _Layout:
    """How so many players are dealt to.

    Attributes:
        cards: the pack in order.
        sets: the same as sets of one card each.
        hands: for each hand, what takes its cards out of the shuffled pack.
        sizes: for each hand, how many those are.
    """

    cards: tuple[Card, ...]
    sets: tuple[Cards, ...]
    hands: tuple[Callable[[Sequence[int]], tuple[int, ...]], ...]
    sizes: tuple[int, ...]


def _layout(players: int, packets: Sequence[int], kind: DealKind) -> _Layout:
    """Packet after packet, seat after seat; in a last packet only while cards are left."""
    cards = pack_for(players, kind)
    positions = iter(range(len(cards)))
    hands: list[list[int]] = [[] for _ in range(players)]
    for packet in packets:
        for hand in hands:
            hand.extend(islice(positions, packet))
    return _Layout(
        cards=cards,
        sets=tuple(1 << card for card in cards),
        hands=tuple(itemgetter(*hand) for hand in hands),
        sizes=tuple(map(len, hands)),
    )


#: By number of players and whether the deal is uneven, which makes a difference from five players on.
_LAYOUTS: Final = {
    (players, kind is DealKind.UNEVEN): _layout(players, packets, kind)
    for kind, table in ((DealKind.EVEN, _EVEN_PACKETS), (DealKind.UNEVEN, _EVEN_PACKETS | _UNEVEN_PACKETS))
    for players, packets in table.items()
}
