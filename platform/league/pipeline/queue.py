"""Messages: each a nudge. Sent after the commit; `reconcile` sends lost ones again.

A message about an upload or a pool names its row. A call to the play workers names none: whoever gets it
takes the table that is next (league.tournaments.queue). So only their number matters, and the broker is asked
for it.
"""

import logging
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerError

from league.tournaments.queue import queue, takeable

log = logging.getLogger(__name__)

CHECK, PLAY, RATE = "league.check_version", "league.play_table", "league.rate_sheet"
DELIVER, SIT = "league.deliver_next", "league.sit"
#: Tables come last: neither a check of an upload nor a rating waits behind a long tournament, or a receiver.
PRIORITIES = {CHECK: 0, PLAY: 5, RATE: 0, DELIVER: 5, SIT: 0}
#: Calls in the broker at a time. Each that is answered makes room for another: so many keep all workers busy.
MAX_CALLS = 200


def nudge(task: str, ids: Iterable[int], *, in_s: float = 0.0) -> None:
    """Send a message for each row, once the transaction in hand has been committed."""
    transaction.on_commit(partial(_send, task, [[row] for row in ids], in_s))


def call_players(since: datetime | None = None) -> None:
    """See that the play workers have a call for each table that waits, once the transaction in hand has been
    committed. `since`: only for those that have waited since then."""
    transaction.on_commit(partial(_top_up, since))


def call_later(in_s: float) -> None:
    """Send one call that is answered so many seconds later, once the transaction has been committed."""
    transaction.on_commit(partial(_send, PLAY, [[]], in_s))


def calls() -> int:
    """How many messages wait for a play worker. Raises BrokerError when the broker is away."""
    with current_app.connection_for_write() as connection:
        try:
            with connection.channel() as channel:
                declared: Any = channel
                return int(declared.queue_declare("play", passive=True).message_count)
        except connection.channel_errors:
            return 0  # there is no such queue: nothing was ever sent, or all is taken
        except connection.connection_errors as error:
            raise BrokerError(str(error)) from error


def _top_up(since: datetime | None) -> None:
    now = queue()
    waiting = now.waiting if since is None else takeable(now.now).filter(status_at__lte=since).count()
    if not waiting:
        return
    try:
        missing = min(waiting, MAX_CALLS) - calls()
    except (BrokerError, OSError) as error:
        log.warning("no broker to count calls in: %s", error)
        return
    _send(PLAY, [[]] * missing)


def _send(task: str, messages: list[list[int]], in_s: float = 0.0) -> None:
    for args in messages:
        try:
            current_app.send_task(task, args=args, priority=PRIORITIES[task], countdown=in_s or None)
        except (BrokerError, OSError) as error:
            # The rows are stored: `reconcile` sends the messages when the broker is back.
            log.warning("no broker for %s, %d messages left to reconcile: %s", task, len(messages), error)
            return
