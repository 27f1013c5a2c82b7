"""What takes long to find out and stays as it is: kept in the cache, and without one found out each time."""

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

T = TypeVar("T")
DAY_S = 86_400


def remembered(name: object, make: Callable[[], T], seconds: int = DAY_S) -> T:
    """What `make` gives, or gave under this name, which must tell all that it depends on."""
    key = "remembered/" + sha256(repr(name).encode()).hexdigest()
    with suppress(RedisError):
        found: T | None = cache.get(key)
        if found is not None:
            return found
    made = make()
    with suppress(RedisError):
        cache.set(key, made, seconds)
    return made
