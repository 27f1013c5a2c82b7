"""How static files are named in production."""

from typing import Any, ClassVar

from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's own pattern for modules would read all scripts, and those of others import what they don't bring.
_OUR_IMPORTS = ("web/js/*.js", ((r'(?P<matched>from "(?P<url>\./[^"]+)")', 'from "%(url)s"'),))


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Names with a hash of what is inside, in the imports between our JavaScript modules too: a browser that
    keeps a file for ever never mixes modules of two versions."""

    patterns: ClassVar[tuple[Any, ...]] = (*CompressedManifestStaticFilesStorage.patterns, _OUR_IMPORTS)
