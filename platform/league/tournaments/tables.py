"""What changes about a table while it is being played."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from league.accounts.models import User
from league.common.claims import Claim, lease_end
from league.common.errors import IllegalMove, Lost
from league.common.lifecycle import move
from league.common.text import clipped
from league.tournaments.lifecycle import TableStatus
from league.tournaments.models import Table


def claim_table(table_id: int) -> Claim | None:
    """Take a queued table to play it. None when it isn't waiting, or others were quicker: a normal end."""
    table = Table.objects.filter(pk=table_id, status=TableStatus.QUEUED).first()
    if table is None:
        return None
    claim = Claim(table.pk, table.token + 1, table.attempt + 1)
    try:
        move(
            table,
            TableStatus.PLAYING,
            only_if={"token": table.token},
            text=f"attempt {claim.attempt}",
            token=claim.token,
            attempt=claim.attempt,
            lease_until=lease_end(),
        )
    except (Lost, IllegalMove):
        return None
    return claim


def give_back_table(claim: Claim, failure: str, expired: datetime | None = None) -> Table:
    """The platform failed: back to the queue, or parked after too many attempts.

    `expired`: only if the lease has run out by then. Raises Lost when the claim has ended, or was renewed.
    """
    failure = clipped(failure, 500)
    parked = claim.attempt >= settings.MAX_ATTEMPTS
    try:
        return move(
            Table(pk=claim.pk),
            TableStatus.PARKED if parked else TableStatus.QUEUED,
            only_if=claim.held_until(expired),
            text=failure,
            lease_until=None,
            failure=failure,
            nudged_at=timezone.now(),
        )
    except IllegalMove as error:
        raise Lost(error.message) from None


def retry_table(table: Table, by: User | None = None) -> Table:
    """Put a parked table back into the queue, with fresh attempts. Raises IllegalMove for any other."""
    return move(table, TableStatus.QUEUED, by=by, attempt=0, nudged_at=timezone.now())
