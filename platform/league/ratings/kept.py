"""What takes long to compute from the counted results of a pool or a tournament, kept until they change."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.core.cache import cache
from redis.exceptions import RedisError

from league.ratings.models import Pool, Sheet
from league.tournaments.models import Tournament

T = TypeVar("T")
DAY_S = 86_400


def kept(scope: Pool | Tournament, what: str, make: Callable[[], T]) -> T:
    """What `make` gives, or gave for the same results: from the cache, where there is one, for a day.

    `make` must be a function of the scope's counted results and of nothing that isn't in `what`, a text.
    """
    # Asked before the results are read: at worst newer ones are kept under an older name, which nobody asks
    # for again. The snapshot's hash tells apart two histories of one database that was restored.
    kind = "pool" if isinstance(scope, Pool) else "tournament"
    about = (
        Sheet.objects.filter(**{kind: scope}).values_list("pk", "changes", "current__results_hash").first()
    )
    origin = scope.key if isinstance(scope, Pool) else scope.seed
    key = "kept/" + hashlib.sha256(repr((kind, origin, scope.pk, about, what)).encode()).hexdigest()
    with suppress(RedisError):
        found: T | None = cache.get(key)
        if found is not None:
            return found
    made = make()
    with suppress(RedisError):
        cache.set(key, made, DAY_S)
    return made
