"""Messages: each a nudge to look at one row. Sent after the commit; `reconcile` sends lost ones again."""

import logging
from collections.abc import Iterable
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

log = logging.getLogger(__name__)

CHECK, PLAY, RATE = "league.check_version", "league.play_table", "league.rate_pool"
#: Tables come last: neither a check of an upload nor a rating waits behind a long tournament.
PRIORITIES = {CHECK: 0, PLAY: 5, RATE: 0}


def nudge(task: str, ids: Iterable[int], *, in_s: float = 0.0) -> None:
    """Send a message for each row, once the transaction in hand has been committed."""
    transaction.on_commit(partial(_send, task, list(ids), in_s))


def _send(task: str, ids: list[int], in_s: float) -> None:
    for row in ids:
        try:
            current_app.send_task(task, args=[row], priority=PRIORITIES[task], countdown=in_s or None)
        except (BrokerError, OSError) as error:
            # The rows are stored: `reconcile` sends the messages when the broker is back.
            log.warning("no broker for %s, %d messages left to reconcile: %s", task, len(ids), error)
            return
