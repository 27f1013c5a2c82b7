"""From results to ratings and the end of a tournament."""

from league.pipeline.queue import RATE, nudge
from league.ratings.models import Pool
from league.ratings.services import recompute
from league.tournaments.lifecycle import TableStatus
from league.tournaments.models import Group
from league.tournaments.services import finish_if_done


def table_done(group: Group) -> None:
    """What follows when a table is done: complete blocks are rated, the last one ends the tournament."""
    if group.tables.exclude(status=TableStatus.DONE).exists():
        return
    finish_if_done(group.tournament)
    if group.tournament.pool_id is not None:
        nudge(RATE, [group.tournament.pool_id])


def rate_pool(pool_id: int) -> None:
    """Bring a pool's ratings up to date, unless they are; nothing for a pool that isn't there."""
    pool = Pool.objects.filter(pk=pool_id).first()
    if pool is not None:
        recompute(pool)
