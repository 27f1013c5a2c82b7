"""Cards and sets of cards (rules.md § 2).

A card is a small integer, ``suit * 8 + rank``, with the suits in the order S H D C and the ranks in the
order K Q J A T 9 8 7: the order of the pack before the shuffle. A set of cards is one integer whose bit
``c`` says whether card ``c`` is in it, so that "which of my cards follow suit" is a single ``&``.

Both are plain ``int`` to the interpreter: a wrapper class here halves the engine's speed. ``Card`` and
``Cards`` say in signatures which one is meant. The text forms are ``"JS"`` for a card (rank, then suit)
and a list of such texts for a set.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int
Cards: TypeAlias = int

SUITS: Final = "SHDC"
RANKS: Final = "KQJAT987"
PACK_SIZE: Final = 32

NO_CARDS: Final[Cards] = 0

CARD_TEXTS: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_CARD_BY_TEXT: Final[dict[str, Card]] = {text: card for card, text in enumerate(CARD_TEXTS)}

#: For each suit, the set of its eight cards.
SUIT_CARDS: Final[tuple[Cards, ...]] = tuple(0xFF << (8 * suit) for suit in range(4))

#: For each card, the cards of its suit: what must be played when this card was led.
SAME_SUIT: Final[tuple[Cards, ...]] = tuple(SUIT_CARDS[card // 8] for card in range(PACK_SIZE))

CARD_BITS: Final[tuple[Cards, ...]] = tuple(1 << card for card in range(PACK_SIZE))

# The cards of each byte of a set, so that a set is listed by four look-ups instead of 32 tests.
_CARDS_OF_BYTE: Final[tuple[tuple[tuple[Card, ...], ...], ...]] = tuple(
    tuple(tuple(8 * suit + bit for bit in range(8) if byte >> bit & 1) for byte in range(256))
    for suit in range(4)
)

_SPADES, _HEARTS, _DIAMONDS, _CLUBS = _CARDS_OF_BYTE

# Most sets that are listed are what may be played to a suit led: those by one look-up.
_CARDS_OF_ONE_SUIT: Final[dict[Cards, tuple[Card, ...]]] = {
    byte << 8 * suit: _CARDS_OF_BYTE[suit][byte] for suit in range(4) for byte in range(256)
}

_TEXTS_OF_ONE_SUIT: Final[dict[Cards, list[str]]] = {
    cards: [CARD_TEXTS[card] for card in listed] for cards, listed in _CARDS_OF_ONE_SUIT.items()
}
_SPADES_TEXT, _HEARTS_TEXT, _DIAMONDS_TEXT, _CLUBS_TEXT = (
    tuple([CARD_TEXTS[card] for card in listed] for listed in suit) for suit in _CARDS_OF_BYTE
)


def card_text(card: Card) -> str:
    """A card's two letters, ``"JS"`` for the jack of spades."""
    return CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """The card of a text form.

    Raises:
        ValueError: the text is no card of the 32-card pack.
    """
    try:
        return _CARD_BY_TEXT[text]
    except (KeyError, TypeError):
        raise ValueError(
            f"{text!r} is no card: a rank of {' '.join(RANKS)}, then a suit of {' '.join(SUITS)}, as in JS"
        ) from None


def list_cards(cards: Cards) -> tuple[Card, ...]:
    """The cards of a set, in pack order."""
    if (one_suit := _CARDS_OF_ONE_SUIT.get(cards)) is not None:
        return one_suit
    spades, hearts, diamonds, clubs = cards.to_bytes(4, "little")
    return _SPADES[spades] + _HEARTS[hearts] + _DIAMONDS[diamonds] + _CLUBS[clubs]


def set_of(cards: Iterable[Card]) -> Cards:
    """The set that holds these cards, which must differ."""
    return sum(map(CARD_BITS.__getitem__, cards))


def cards_text(cards: Cards) -> list[str]:
    """A set as texts, in pack order."""
    if (one_suit := _TEXTS_OF_ONE_SUIT.get(cards)) is not None:
        return one_suit.copy()
    spades, hearts, diamonds, clubs = cards.to_bytes(4, "little")
    return [*_SPADES_TEXT[spades], *_HEARTS_TEXT[hearts], *_DIAMONDS_TEXT[diamonds], *_CLUBS_TEXT[clubs]]


def parse_cards(texts: Iterable[str]) -> Cards:
    """The set of some text forms.

    Raises:
        ValueError: one is no card, or is named twice.
    """
    bits = NO_CARDS
    for text in texts:
        bit = 1 << parse_card(text)
        if bits & bit:
            raise ValueError(f"{text} is named twice")
        bits |= bit
    return bits


#: The whole pack in order, and the pack without 7S and 7C.
FULL_PACK: Final[tuple[Card, ...]] = tuple(range(PACK_SIZE))
SHORT_PACK: Final[tuple[Card, ...]] = tuple(
    card for card in FULL_PACK if CARD_TEXTS[card] not in {"7S", "7C"}
)
