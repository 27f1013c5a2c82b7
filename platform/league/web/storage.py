"""How static files are named in production."""

from typing import ClassVar

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Names with a hash of what is inside, in the imports between JavaScript modules too: a browser that
    keeps a file for ever never mixes modules of two versions."""

    support_js_module_import_aggregation: ClassVar[bool] = True
