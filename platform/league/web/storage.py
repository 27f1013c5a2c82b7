"""How static files are named in production."""

import logging
from collections.abc import Iterator
from typing import Any, ClassVar

from whitenoise.storage import CompressedManifestStaticFilesStorage

log = logging.getLogger(__name__)

# Django's own pattern for modules would read all scripts, and those of others import what they don't bring.
_OUR_IMPORTS = ("web/js/*.js", ((r'(?P<matched>from "(?P<url>\./[^"]+)")', 'from "%(url)s"'),))


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Names with a hash of what is inside, in the imports between our JavaScript modules too: a browser that
    keeps a file for ever never mixes modules of two versions.

    Where files are not collected, pages are bare, and the log says what to do: they are not an error each.
    """

    patterns: ClassVar[tuple[Any, ...]] = (*CompressedManifestStaticFilesStorage.patterns, _OUR_IMPORTS)
    _told: set[str]
    _collecting = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._told = set()

    def post_process(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """As the library has it: who collects is told of what is missing by an error."""
        self._collecting = True
        try:
            yield from super().post_process(*args, **kwargs)
        finally:
            self._collecting = False

    def stored_name(self, name: str) -> str:
        """The hashed name; the plain one of what was not collected."""
        try:
            hashed: str = super().stored_name(name)
        except ValueError:
            if self._collecting:
                raise
            if name not in self._told:
                self._told.add(name)
                log.error("static file %s is not collected: run `python manage.py collectstatic`", name)
            return name
        return hashed
