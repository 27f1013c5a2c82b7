"""A change, told to every process of the site: one Redis channel, a message names the subject.

A nudge may be lost: what is watched is looked at every few seconds anyway.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import redis
from django.conf import settings
from django.db import models, transaction
from redis import asyncio as redis_async

from league.bots.models import Version
from league.common.signals import changed
from league.ratings.models import Snapshot
from league.sittings.models import Sitting
from league.tournaments.models import Entrant, Table, Tournament

log = logging.getLogger(__name__)

CHANNEL = "league.live"
#: A Redis that does not answer is left alone for so long: who makes changes must not wait for it each time.
LEAVE_S = 10.0
_TELLING: dict[str, Any] = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}
_LISTENING: dict[str, Any] = {"socket_connect_timeout": 2, "socket_timeout": None, "socket_keepalive": True}

#: When each Redis that did not answer may be tried again.
_away_until: dict[str, float] = {}


def connect() -> None:
    """Hear of changes from now on."""
    changed.connect(_heard, dispatch_uid="league.live")


def _heard(sender: type[models.Model], row: models.Model, **_: Any) -> None:
    if (subject := subject_of(row)) is not None:
        transaction.on_commit(partial(nudge, subject), robust=True)


def subject_of(row: models.Model) -> str | None:
    """Which subject a change of the row is a change of, as `kind:id`; None: of none."""
    if isinstance(row, Tournament | Version | Sitting):
        return f"{row._meta.model_name}:{row.pk}"
    if isinstance(row, Table | Entrant):
        return f"tournament:{row.tournament_id}"
    if isinstance(row, Snapshot):
        of = row.sheet
        return f"pool:{of.pool_id}" if of.pool_id else f"tournament:{of.tournament_id}"
    return None


def nudge(subject: str) -> None:
    """Tell all processes, if Redis answers."""
    url = settings.REDIS_URL
    if time.monotonic() < _away_until.get(url, 0.0):
        return
    try:
        _redis(url).publish(CHANNEL, subject)
    except redis.RedisError as error:
        _away_until[url] = time.monotonic() + LEAVE_S
        log.warning("no Redis to tell changes through: %s", error)


@cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, **_TELLING)


async def hear(told: Callable[[str | None], None]) -> None:
    """Pass every nudge on, without end; None whenever some may have been missed."""
    while True:
        try:
            async with (
                redis_async.Redis.from_url(settings.REDIS_URL, **_LISTENING) as client,
                client.pubsub(ignore_subscribe_messages=True) as channel,
            ):
                await channel.subscribe(CHANNEL)
                told(None)
                async for message in channel.listen():
                    told(message["data"].decode())
        except (redis.RedisError, OSError) as error:
            log.warning("no Redis to hear of changes from: %s", error)
        await asyncio.sleep(LEAVE_S / 2)
