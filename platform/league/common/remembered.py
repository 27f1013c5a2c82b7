"""What takes long to find out and stays as it is: kept in the cache, and without one found out each time."""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

import arena

T = TypeVar("T")
DAY_S = 86_400


def _fingerprint() -> str:
    folders = Path(arena.__file__).parent, Path(__file__).parents[1]
    files = (path for folder in folders for path in sorted(folder.rglob("*.py")))
    return sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


#: Of the code that makes things: another release may make them otherwise, or of other fields.
CODE = _fingerprint()


def remembered(name: object, make: Callable[[], T], seconds: int = DAY_S) -> T:
    """What `make` gives, or gave under this name, which must tell all that it depends on but the code."""
    key = "remembered/" + sha256(repr((CODE, name)).encode()).hexdigest()
    with suppress(RedisError):
        found: T | None = cache.get(key)
        if found is not None:
            return found
    made = make()
    with suppress(RedisError):
        cache.set(key, made, seconds)
    return made
