"""From an open tournament to tables in the queue."""

from league.accounts.models import User
from league.pipeline.queue import PLAY, nudge
from league.tournaments import services
from league.tournaments.models import Table, Tournament
from league.tournaments.tables import retry_table


def start_tournament(tournament: Tournament, by: User) -> Tournament:
    """Plan the tournament in one transaction, and have its tables played. Harmless when repeated."""
    started, tables = services.start(tournament, by)
    nudge(PLAY, tables)
    return started


def retry(table: Table, by: User | None = None) -> Table:
    """Have a parked table played again."""
    table = retry_table(table, by=by)
    nudge(PLAY, [table.pk])
    return table
