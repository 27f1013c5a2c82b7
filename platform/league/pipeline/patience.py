"""Waiting for a database that doesn't answer: the match is over, only its commit is repeated."""

import logging
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

log = logging.getLogger(__name__)
Result = TypeVar("Result")
PATIENCE_S = 120.0


def insist(action: Callable[[], Result], patience_s: float = PATIENCE_S) -> Result:
    """Do something to the database, again and again while the database can't be reached.

    The action must be harmless when repeated. Raises what it raised last when the patience is used up.
    """
    until, pause_s = time.monotonic() + patience_s, 0.2
    while True:
        try:
            return action()
        except (OperationalError, InterfaceError) as error:
            if time.monotonic() + pause_s > until:
                raise
            log.warning("the database does not answer, trying again in %.1f s: %s", pause_s, error)
            connection.close()
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, 5.0)
