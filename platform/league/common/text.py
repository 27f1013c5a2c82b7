"""Text from strangers: names that look alike are one name, and nothing is stored that a database refuses."""

import re
import unicodedata

from league.common.errors import Invalid

NAME_MAX = 40
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
#: What shows nothing, though its category doesn't tell: fillers and joiners (of Unicode's
#: Default_Ignorable_Code_Point), and the Braille cell without a dot.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
#: Scripts whose letters look alike.
_SCRIPTS = ("Latin", "Cyrillic", "Greek")
#: Cyrillic and Greek letters that look like a Latin one, without marks: the best known of UTS 39's.
_LIKE_LATIN = frozenset("асеорухіјѕһԁԛԝѵӏАВЕЅІЈКМНОРСТУХҺԌԚԜѴӀ" + "νορυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
#: Marks on one letter; real writing has four at the most (UTS 39, 5.4).
MARKS_MAX = 4


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
    """The name as it is stored: NFC, outer spaces off, one space between words. Raises Invalid for one that
    can't be shown safely."""
    spaced = "" if _UNSTORABLE.search(name) else re.sub(" +", " ", name.strip())
    cleaned = unicodedata.normalize("NFC", spaced)
    if not cleaned or len(cleaned) > NAME_MAX or len(name_key(cleaned)) > 4 * NAME_MAX:
        raise Invalid("bad_name", f"A name has 1 to {NAME_MAX} visible characters.", field)
    # C*: control, format (the invisible and the direction-changing), private, unassigned; Z*: odd spaces.
    odd = any(unicodedata.category(c)[0] in "CZ" and c != " " for c in cleaned)
    if odd or _INVISIBLE.search(cleaned) or _INVISIBLE.search(name_key(cleaned)):
        raise Invalid("bad_name", "A name has no control, invisible or unusual space characters.", field)
    if not any(c.isalnum() for c in cleaned):
        raise Invalid("bad_name", "A name needs at least one letter or digit.", field)
    apart = unicodedata.normalize("NFD", cleaned)
    marks = "".join("m" if unicodedata.category(c)[0] == "M" else "." for c in apart)
    if marks.startswith("m") or "m" * (MARKS_MAX + 1) in marks:
        raise Invalid("bad_name", f"A name begins with a letter, and has {MARKS_MAX} marks on one.", field)
    return cleaned


def clear_name(name: str, field: str = "name") -> str:
    """`clean_name` for a new user or bot, who must not pass for another by letters that look like theirs.

    As in browsers for names of hosts, refused are Latin, Cyrillic and Greek in one name, and a name whose
    every letter is a Cyrillic or Greek one that looks Latin.
    Names that are there already stay as they are. Within one script (l, I, 1) all is told apart.
    """
    cleaned = clean_name(name, field)
    letters = [c for c in unicodedata.normalize("NFKD", cleaned) if unicodedata.category(c)[0] == "L"]
    used = [script for script in _SCRIPTS if any(_script(c) == script for c in letters)]
    if len(used) > 1:
        text = f"This name mixes {' and '.join(used)} letters, which look alike: use one of them."
        raise Invalid("bad_name", text, field)
    if letters and _LIKE_LATIN.issuperset(letters):
        text = f"Each letter of this name is {used[0]} and looks Latin: write it in Latin letters."
        raise Invalid("bad_name", text, field)
    return cleaned


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0].capitalize()
