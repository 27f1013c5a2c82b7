"""Text from strangers: names that look alike are one name, and nothing is stored that a database refuses."""

import re
import unicodedata

from league.common.errors import Invalid

NAME_MAX = 40
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with NUL and lone surrogates, which PostgreSQL refuses, replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def clipped(text: str, most: int) -> str:
    """The text made storable, and cut to so many characters."""
    text = storable(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def name_key(name: str) -> str:
    """Equal for names that differ by case or by compatible forms only: "Ａnna", "ANNA" and "anna"."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def clean_name(name: str, field: str = "name") -> str:
    """The name as it is stored (NFC, outer spaces off). Raises Invalid for one that can't be shown safely."""
    cleaned = unicodedata.normalize("NFC", name.strip()) if not _UNSTORABLE.search(name) else ""
    if not cleaned or len(cleaned) > NAME_MAX or len(name_key(cleaned)) > 4 * NAME_MAX:
        raise Invalid("bad_name", f"A name has 1 to {NAME_MAX} visible characters.", field)
    # C*: control, format (the invisible and the direction-changing), private, unassigned; Z*: odd spaces.
    if any(unicodedata.category(c)[0] in "CZ" and c != " " for c in cleaned):
        raise Invalid("bad_name", "A name has no control, invisible or unusual space characters.", field)
    if not any(c.isalnum() for c in cleaned):
        raise Invalid("bad_name", "A name needs at least one letter or digit.", field)
    return cleaned
