"""What changes about a table while it is being played."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league.accounts.models import User
from league.common.claims import Claim, lease_end
from league.common.errors import IllegalMove, Lost
from league.common.lifecycle import move
from league.common.text import clipped
from league.tournaments.lifecycle import TableStatus
from league.tournaments.models import Board, Group, Table, Turn

#: How long a table is left alone after a failure of the platform, which may be passing.
RETRY_AFTER_S = 10.0


def claim_table(table_id: int) -> Claim | None:
    """Take a queued table to play it: its organiser was served. None when it isn't waiting, or others were
    quicker: a normal end."""
    table = Table.objects.select_related("tournament").filter(pk=table_id, status=TableStatus.QUEUED).first()
    if table is None:
        return None
    claim, now = Claim(table.pk, table.token + 1, table.attempt + 1), timezone.now()
    try:
        with transaction.atomic():
            move(
                table,
                TableStatus.PLAYING,
                only_if={"token": table.token},
                text=f"attempt {claim.attempt}",
                token=claim.token,
                attempt=claim.attempt,
                lease_until=lease_end(),
                claimed_at=now,
            )
            Turn.objects.update_or_create(
                organiser_id=table.tournament.organiser_id, defaults={"served_at": now}
            )
    except (Lost, IllegalMove):
        return None
    return claim


def mark_complete(table: Table) -> bool:
    """Note which boards are complete blocks now that this table is done. Tells whether there are any.

    Call it in the transaction that stores its results. Two last tables of a group wait for each other here,
    so that one of them sees both.
    """
    Group.objects.select_for_update(no_key=True).get(pk=table.group_id)
    batch = Table.objects.filter(group=table.group_id, batch=table.batch)
    if batch.exclude(status=TableStatus.DONE).exists():
        return False
    return bool(Board.objects.filter(group=table.group_id, batch=table.batch).update(complete=True))


def give_back_table(claim: Claim, failure: str, expired: datetime | None = None) -> Table:
    """The platform failed: back to the queue after a while, or parked after too many attempts.

    `expired`: the worker is dead; only if the lease has run out by then. Raises Lost when the claim has
    ended, or was renewed.
    """
    failure = clipped(failure, 500)
    parked = claim.attempt >= settings.MAX_ATTEMPTS
    at_once = parked or expired is not None
    try:
        return move(
            Table(pk=claim.pk),
            TableStatus.PARKED if parked else TableStatus.QUEUED,
            only_if=claim.held_until(expired),
            text=failure,
            lease_until=None,
            failure=failure,
            not_before=None if at_once else timezone.now() + timedelta(seconds=RETRY_AFTER_S),
        )
    except IllegalMove as error:
        raise Lost(error.message) from None


def retry_table(table: Table, by: User | None = None, why: str = "") -> Table:
    """Put a parked table back into the queue, with fresh attempts. Raises IllegalMove for any other."""
    return move(table, TableStatus.QUEUED, by=by, text=why, attempt=0, not_before=None)
