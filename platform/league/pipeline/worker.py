"""What a play worker's main process does beside its pool: it examines the sandbox before anything is taken
from the queue, and clears away what killed workers left, and killed processes of its own pool.

A worker whose sandbox does not hold does not start: nothing is claimed, nobody is blamed, what waits stays
queued for the next one. Whoever supervises the process starts it again, so it recovers by itself.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from celery.signals import worker_init, worker_ready, worker_shutdown, worker_shutting_down
from django.db import DatabaseError, connection

from arena.errors import PlatformFailure
from league.pipeline.backend import examined, tidy
from league.pipeline.going import go_down
from league.tournaments import workers
from sandbox.session import Backend

log = logging.getLogger(__name__)
TIDY_EVERY_S = 60.0
#: Those whose tasks start bots.
_QUEUES = frozenset({"play", "seats"})

#: This process's own, once it was examined; empty in a worker that plays nothing.
_examined: list[Backend] = []


@worker_init.connect
def examine_first(sender: Any, **_: Any) -> None:
    """Before the pool is made and the queue is looked at. Ends the worker unless all holds."""
    if _QUEUES.isdisjoint(sender.app.amqp.queues.consume_from):
        return
    try:
        confined = examined()
    except PlatformFailure as failure:
        log.critical("this worker takes no tables and no checks: %s", failure)
        _tell(partial(workers.refuses, str(failure)))
        raise SystemExit(1) from None
    log.info("the sandbox, %s, denies what it must", confined.name)
    _tell(workers.accepts)
    _examined.append(confined)
    tidy(confined)


def _tell(action: Callable[[], None]) -> None:
    """For operators (`health/`); where the database doesn't answer, only the log has it.

    The pool's processes are forked from this one, and must inherit no connection.
    """
    try:
        action()
    except DatabaseError as error:
        log.warning("the database was not told: %s", error)
    finally:
        connection.close()


@worker_ready.connect
def tidy_now_and_then(sender: Any, **_: Any) -> None:
    """The bots of a killed process spin on in their containers until somebody removes them."""
    for confined in _examined:
        sender.timer.call_repeatedly(TIDY_EVERY_S, tidy, (confined,))


@worker_shutting_down.connect
def let_people_go(**_: Any) -> None:
    """Sittings may last for hours: another worker plays them on."""
    go_down()


@worker_shutdown.connect
def tidy_at_the_end(**_: Any) -> None:
    """The pool has ended: what it kept ready is nobody's."""
    for confined in _examined:
        tidy(confined)
