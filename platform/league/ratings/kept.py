"""What takes long to compute from the counted results of a pool or a tournament, kept until they change."""

from collections.abc import Callable
from typing import TypeVar

from league.common.remembered import remembered
from league.ratings.models import Pool, Sheet
from league.tournaments.models import Tournament

T = TypeVar("T")


def kept(scope: Pool | Tournament, what: str, make: Callable[[], T]) -> T:
    """What `make` gives, or gave for the same results, for a day.

    `make` must be a function of the scope's counted results and of nothing that isn't in `what`, a text.
    """
    # Asked before the results are read: at worst newer ones are kept under an older name, which nobody asks
    # for again. The snapshot's hash tells apart two histories of one database that was restored.
    kind, origin = ("pool", scope.key) if isinstance(scope, Pool) else ("tournament", scope.seed)
    about = (
        Sheet.objects.filter(**{kind: scope}).values_list("pk", "changes", "current__results_hash").first()
    )
    return remembered((kind, origin, scope.pk, about, what), make)
