"""From results to ratings, to the next round, and to the end of a tournament."""

import logging

from league.pipeline.queue import RATE, nudge
from league.ratings.models import Sheet
from league.ratings.selectors import behind
from league.ratings.services import bring_up_to_date, reserve
from league.tournaments.advancing import advance
from league.tournaments.leaving import disqualify_failing
from league.tournaments.models import Table

log = logging.getLogger(__name__)


def table_done(table: Table) -> None:
    """What follows when a table is done: who fails again and again is out, a complete block is rated, and the
    last table of a round brings the next round, or the end."""
    for entrant in disqualify_failing(table.tournament, table):
        log.info("%s was disqualified in tournament %d", entrant, table.tournament_id)
    advance(table.tournament)
    ask_for_sheets()


def ask_for_sheets() -> None:
    """Have the sheets that are behind computed: one message each, while none is on its way."""
    for sheet in behind():
        wait_s = reserve(sheet)
        if wait_s is not None:
            nudge(RATE, [sheet.pk], in_s=wait_s)


def rate_sheet(sheet_id: int) -> None:
    """Bring a sheet up to date; nothing for one that isn't there."""
    sheet = Sheet.objects.filter(pk=sheet_id).first()
    if sheet is not None:
        bring_up_to_date(sheet)
