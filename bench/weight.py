"""What a browser loads for a page: its HTML, and the files of ours that the HTML names, as they travel."""

import gzip
import re
from functools import cache

from django.contrib.staticfiles import finders

PREFIX = "/static/"
#: What a page names: in a link, a script, or the attribute that tells a script where the cards are.
_NAMED = re.compile(rf'(?:href|src|data-sprite)="{PREFIX}([^"#]+)')
#: What a module imports.
_IMPORTED = re.compile(r'from "(\./[^"]+)"')


def files_of(html: str) -> set[str]:
    """The names of all files that the page loads."""
    found: set[str] = set()
    new = set(_NAMED.findall(html))
    while new:
        found |= new
        new = {other for name in new for other in _imports(name)} - found
    return found


def files_bytes(html: str) -> int:
    """What these weigh as production sends them: compressed beforehand, where that helps."""
    return sum(travelling(name) for name in files_of(html))


@cache
def travelling(name: str) -> int:
    """A file's size on the wire."""
    data = _read(name)
    return min(len(data), len(gzip.compress(data, 9)))


@cache
def _imports(name: str) -> frozenset[str]:
    if not name.endswith(".js"):
        return frozenset()
    folder = name.rpartition("/")[0]
    return frozenset(f"{folder}/{other[2:]}" for other in _IMPORTED.findall(_read(name).decode()))


def _read(name: str) -> bytes:
    found = finders.find(name)
    if found is None:
        raise FileNotFoundError(name)
    with open(found, "rb") as file:
        return file.read()
