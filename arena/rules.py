"""The rules of a match: one frozen value, resolved and checked (rules.md § 1–8)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

from arena.cards import CARD_TEXTS, FULL_PACK, RANKS, SHORT_PACK, Card, Cards


class Variant(StrEnum):
    """The six games of rules.md § 6."""

    POLIGNAC = "polignac"
    QUATRE_VALETS = "quatre_valets"
    SLOBBERHANNES = "slobberhannes"
    KNAVES = "knaves"
    EICHELOBERN = "eichelobern"
    BASSADEWITZ = "bassadewitz"


class Ace(StrEnum):
    """Where the ace ranks (rules.md § 2)."""

    BELOW_JACK = "below_jack"
    HIGH = "high"


class DealKind(StrEnum):
    """Whether five or six players share out 30 cards evenly, or all 32 (rules.md § 3)."""

    EVEN = "even"
    UNEVEN = "uneven"


class Bid(StrEnum):
    """What a seat may say before the first lead (rules.md § 4)."""

    PASS = "pass"
    CAPOT = "capot"
    GENERAL = "general"


class FailedBid(StrEnum):
    """Whether a failed announcer's captures count beside the five points (rules.md § 6)."""

    ADD = "add"
    REPLACE = "replace"


class Revoke(StrEnum):
    """What a revoke leads to (rules.md § 6)."""

    CORRECT = "correct"
    PENALTY = "penalty"
    FORFEIT = "forfeit"


class Tiebreak(StrEnum):
    """What becomes of a tie for the lowest total (rules.md § 7)."""

    PLAYOFF = "playoff"
    SHARED = "shared"


@dataclass(frozen=True)
class _VariantDefaults:
    ace: Ace
    bids: tuple[Bid, ...]
    card_points: Mapping[str, int]
    tricks_count: bool = False
    max_players: int = 6


_JACKS: Final = {"JS": 2, "JH": 1, "JD": 1, "JC": 1}

VARIANTS: Final[Mapping[Variant, _VariantDefaults]] = {
    Variant.POLIGNAC: _VariantDefaults(Ace.BELOW_JACK, (Bid.CAPOT,), _JACKS),
    Variant.QUATRE_VALETS: _VariantDefaults(Ace.BELOW_JACK, (Bid.CAPOT,), {**_JACKS, "JS": 1}),
    Variant.SLOBBERHANNES: _VariantDefaults(Ace.HIGH, (), {"QC": 1}, tricks_count=True),
    Variant.KNAVES: _VariantDefaults(Ace.HIGH, (), {"JS": 2, "JD": 1}, max_players=4),
    Variant.EICHELOBERN: _VariantDefaults(Ace.HIGH, (), {"QC": 2, "QS": 1, "QH": 1, "QD": 1}),
    Variant.BASSADEWITZ: _VariantDefaults(Ace.HIGH, (), {"AS": 1, "AH": 1, "AD": 1, "AC": 1, "QC": 1}),
}

#: Ranks from high to low.
RANK_ORDER: Final[Mapping[Ace, str]] = {Ace.BELOW_JACK: "KQJAT987", Ace.HIGH: "AKQJT987"}

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 6
DEFAULT_THRESHOLD: Final = 10
MAX_POINTS: Final = 100


class RulesError(ValueError):
    """Rules that cannot be played (rules.md § 8).

    Attributes:
        option: the option's name.
        value: what was given.
        allowed: what would be right, in words.
    """

    def __init__(self, option: str, value: object, allowed: str) -> None:
        super().__init__(f"{option}={_shown(value)} is not allowed: {allowed}")
        self.option = option
        self.value = value
        self.allowed = allowed


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


@dataclass(frozen=True)
class Rules:
    """Every option of a match, resolved. Make one with :meth:`make`, which fills in and checks.

    Attributes:
        threshold: points that end the match, or ``None`` when ``deals`` does.
        deals: number of deals that end it, or ``None`` when ``threshold`` does.
        card_points: penalty points by card text, sorted by text; cards that score nothing are left out.
    """

    variant: Variant
    players: int
    ace: Ace
    deal: DealKind
    bids: tuple[Bid, ...]
    failed_bid: FailedBid
    threshold: int | None
    deals: int | None
    quick_end: bool
    tiebreak: Tiebreak
    max_playoffs: int
    max_deals: int
    revoke: Revoke
    card_points: tuple[tuple[str, int], ...]
    first_trick: int
    last_trick: int
    all_three_bonus: int

    # -- making -----------------------------------------------------------------------------------

    @classmethod
    def make(cls, **options: Any) -> "Rules":
        """Rules with these options, the others at their defaults; ``None`` stands for the default.

        Options may be given as enum members or as their texts (``variant="knaves"``, ``bids=["capot"]``).

        Raises:
            RulesError: rules.md § 8; names the option, the value and what is allowed.
        """
        return cls(**_resolve(options))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Rules":
        """Rules of a JSON object, whole (as in a record) or in part.

        Raises:
            RulesError: as :meth:`make`; also when ``data`` is no object.
        """
        if not isinstance(data, Mapping):
            raise RulesError("rules", data, "an object of options")
        return cls(**_resolve(dict(data)))

    @classmethod
    def from_texts(cls, texts: Iterable[str], **options: Any) -> "Rules":
        """Rules of ``key=value`` texts, as on a command line, over ``options``.

        Lists take commas (``bids=capot,general``, ``bids=`` for none); points are ``JS:2,JD:1``.

        Raises:
            RulesError: as :meth:`make`; also for a text without ``=`` and an option named twice.
        """
        given: dict[str, Any] = {}
        for text in texts:
            key, equals, value = text.partition("=")
            if not equals:
                raise RulesError(key, "", "write key=value, as in threshold=20")
            if key in given:
                raise RulesError(key, value, "given twice; once is enough")
            given[key] = value_of(key, value)
        return cls(**_resolve({**options, **given}))

    def to_json(self) -> dict[str, Any]:
        """The options as the record and ``hello`` carry them (record.md, ``rules``)."""
        return {**self._plain, "bids": list(self.bids), "card_points": dict(self.card_points)}

    @cached_property
    def _plain(self) -> dict[str, Any]:
        data = {field.name: getattr(self, field.name) for field in fields(self)}
        return {key: str(value) if isinstance(value, StrEnum) else value for key, value in data.items()}

    # -- derived tables: one look-up instead of a rule's words ---------------------------------------

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """The pack in order, before the shuffle (rules.md § 3)."""
        return pack_for(self.players, self.deal)

    @cached_property
    def strength(self) -> tuple[int, ...]:
        """For each card, its rank's strength from 0 (the seven) to 7; the higher wins within a suit."""
        order = RANK_ORDER[self.ace]
        return tuple(7 - order.index(RANKS[card & 7]) for card in FULL_PACK)

    @cached_property
    def beaten_by(self) -> tuple[Cards, ...]:
        """For each card, the set of the cards that beat it: the higher ones of its suit (rules.md § 5)."""
        strength = self.strength
        return tuple(
            sum(1 << c for c in FULL_PACK if c >> 3 == card >> 3 and strength[c] > strength[card])
            for card in FULL_PACK
        )

    @cached_property
    def points(self) -> tuple[int, ...]:
        """For each card, its penalty points (rules.md § 6)."""
        by_text = dict(self.card_points)
        return tuple(by_text.get(text, 0) for text in CARD_TEXTS)

    @cached_property
    def penalty_cards(self) -> Cards:
        """The set of the cards that carry points."""
        return sum(1 << card for card in FULL_PACK if self.points[card])

    @cached_property
    def lowest_first(self) -> tuple[Card, ...]:
        """All cards by rising rank, among equals S H D C: the order in which the referee plays for a
        seat that cannot (protocol.md, Faults)."""
        return tuple(sorted(FULL_PACK, key=lambda card: (self.strength[card], card >> 3)))


def pack_for(players: int, deal: DealKind) -> tuple[Card, ...]:
    """The pack in order for so many players (rules.md § 3); two play only in play-offs."""
    whole = players in {2, 4} or (players >= 5 and deal is DealKind.UNEVEN)
    return FULL_PACK if whole else SHORT_PACK


# -- resolving and checking -------------------------------------------------------------------------


def _resolve(given: dict[str, Any]) -> dict[str, Any]:
    """Every field of :class:`Rules` from what was given, checked (rules.md § 8)."""
    names = [f.name for f in fields(Rules)]
    for name, value in given.items():
        if name not in names:
            raise RulesError(str(name), value, f"there is no such option; there are {', '.join(names)}")
    options = {name: value for name, value in given.items() if value is not None}

    variant = _one_of(Variant, "variant", options.get("variant", Variant.POLIGNAC))
    defaults = VARIANTS[variant]
    most = defaults.max_players
    players = _whole("players", options.get("players", min(4, most)), MIN_PLAYERS, most, f" for {variant}")
    deal = _one_of(DealKind, "deal", options.get("deal", DealKind.EVEN))
    if deal is DealKind.UNEVEN and players < 5:
        raise RulesError("deal", deal, f"uneven needs 5 or 6 players, and there are {players}")
    if "threshold" in options and "deals" in options:
        raise RulesError("deals", options["deals"], "give threshold or deals, not both")

    tricks_count = int(defaults.tricks_count)
    resolved: dict[str, Any] = {
        "variant": variant,
        "players": players,
        "ace": _one_of(Ace, "ace", options.get("ace", defaults.ace)),
        "deal": deal,
        "bids": _bids(options.get("bids", defaults.bids)),
        "failed_bid": _one_of(FailedBid, "failed_bid", options.get("failed_bid", FailedBid.ADD)),
        "threshold": None,
        "deals": None,
        "quick_end": _truth("quick_end", options.get("quick_end", False)),
        "tiebreak": _one_of(Tiebreak, "tiebreak", options.get("tiebreak", Tiebreak.PLAYOFF)),
        "max_playoffs": _whole("max_playoffs", options.get("max_playoffs", 20), 0, 100),
        "max_deals": _whole("max_deals", options.get("max_deals", 200), 1, 1000),
        "revoke": _one_of(Revoke, "revoke", options.get("revoke", Revoke.CORRECT)),
        "card_points": _card_points(options.get("card_points", defaults.card_points), players, deal),
        "first_trick": _score("first_trick", options.get("first_trick", tricks_count)),
        "last_trick": _score("last_trick", options.get("last_trick", tricks_count)),
        "all_three_bonus": _score("all_three_bonus", options.get("all_three_bonus", tricks_count)),
    }
    if "deals" in options:
        resolved["deals"] = _whole("deals", options["deals"], 1, resolved["max_deals"], " (max_deals)")
    else:
        resolved["threshold"] = _whole("threshold", options.get("threshold", DEFAULT_THRESHOLD), 1, 100)
    _refuse_pointless(resolved)
    return resolved


def _refuse_pointless(resolved: Mapping[str, Any]) -> None:
    ways = (
        any(points for _, points in resolved["card_points"]),
        resolved["first_trick"],
        resolved["last_trick"],
        resolved["all_three_bonus"],
        resolved["bids"],
        resolved["revoke"] is Revoke.PENALTY,
    )
    if not any(ways):
        raise RulesError(
            "card_points",
            dict(resolved["card_points"]),
            "nobody could ever score; give a card, first_trick or last_trick points, or allow a bid",
        )


def _one_of(kind: type[StrEnum], option: str, value: object) -> Any:
    try:
        return kind(value)  # type: ignore[arg-type]  # a value of any type is asked for, and refused
    except ValueError:
        raise RulesError(option, value, "one of " + ", ".join(kind)) from None


def _whole(option: str, value: object, least: int, most: int, where: str = "") -> int:
    if type(value) is not int or not least <= value <= most:
        raise RulesError(option, value, f"a whole number from {least} to {most}{where}")
    return value


def _score(option: str, value: object) -> int:
    return _whole(option, value, 0, MAX_POINTS)


def _truth(option: str, value: object) -> bool:
    if type(value) is not bool:
        raise RulesError(option, value, "true or false")
    return value


def _bids(value: object) -> tuple[Bid, ...]:
    allowed = "a list of capot, general, both or neither, each once"
    if not isinstance(value, list | tuple | set | frozenset):
        raise RulesError("bids", value, allowed)
    given = list(value)
    bids = tuple(bid for bid in (Bid.CAPOT, Bid.GENERAL) if bid in given)
    if len(bids) != len(given):
        raise RulesError("bids", value, allowed)
    return bids


def _card_points(value: object, players: int, deal: DealKind) -> tuple[tuple[str, int], ...]:
    if not isinstance(value, Mapping):
        raise RulesError("card_points", value, 'an object from card to points, as in {"JS": 2}')
    in_pack = {CARD_TEXTS[card] for card in pack_for(players, deal)}
    for text, points in value.items():
        if text not in CARD_TEXTS:
            raise RulesError("card_points", text, "a card: rank then suit, as in JS")
        if text not in in_pack:
            raise RulesError("card_points", text, f"not in the pack of {len(in_pack)} for {players} players")
        _score(f"card_points[{text}]", points)
    # Without the cards that score nothing, so that equal games are equal rules.
    return tuple(sorted((text, points) for text, points in value.items() if points))


def value_of(option: str, text: str) -> Any:
    """An option's value from its text: lists take commas, points are ``JS:2,JD:1`` (as in
    :meth:`Rules.from_texts`). What can't be read is left for the checks to name.

    Raises:
        RulesError: a card is named twice.
    """
    if option == "bids":
        return [part for part in text.split(",") if part]
    if option == "card_points":
        pairs = [part.partition(":") for part in text.split(",") if part]
        points = {card: _number_or_text(number) for card, _, number in pairs}
        if len(points) != len(pairs):
            raise RulesError(option, text, "each card once")
        return points
    if option == "quick_end":
        return {"true": True, "false": False}.get(text.lower(), text)
    return _number_or_text(text)


def _number_or_text(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
