"""From results to ratings, to the next round, and to the end of a tournament."""

import logging

from league.pipeline.queue import RATE, nudge
from league.ratings.models import Pool
from league.ratings.services import recompute
from league.tournaments.advancing import advance
from league.tournaments.leaving import disqualify_failing
from league.tournaments.models import Board, Table

log = logging.getLogger(__name__)


def table_done(table: Table) -> None:
    """What follows when a table is done: who fails again and again is out, a complete block is rated, and the
    last table of a round brings the next round, or the end."""
    for entrant in disqualify_failing(table.tournament, table):
        log.info("%s was disqualified in tournament %d", entrant, table.tournament_id)
    advance(table.tournament)
    complete = Board.objects.filter(group=table.group_id, batch=table.batch, complete=True)
    if table.tournament.pool_id is not None and complete.exists():
        nudge(RATE, [table.tournament.pool_id])


def rate_pool(pool_id: int) -> None:
    """Bring a pool's ratings up to date, unless they are; nothing for a pool that isn't there."""
    pool = Pool.objects.filter(pk=pool_id).first()
    if pool is not None:
        recompute(pool)
