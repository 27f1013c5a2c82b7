"""The processes that play tables: each says now and then that it is there, or why it takes nothing."""

import os
import socket
from datetime import datetime, timedelta

from django.utils import timezone

from league.common.text import storable
from league.tournaments.models import PlayWorker

#: Seen within so long of the one seen last: at hand. A worker without work is silent, and still there.
TOGETHER_S = 600.0
FORGET_AFTER = timedelta(days=7)
#: A machine that refused and was not heard of since was taken away, not mended.
REFUSES_FOR = timedelta(days=1)


def seen() -> None:
    """This process looks for a table, or plays one."""
    accepts()
    name = f"{_machine()}:{os.getpid()}"
    PlayWorker.objects.update_or_create(name=name, defaults={"seen_at": timezone.now()})


def refuses(cause: str) -> None:
    """A worker of this machine takes nothing, as its sandbox fails: told until one of them takes some."""
    told = {"seen_at": timezone.now(), "refused": storable(cause)}
    PlayWorker.objects.update_or_create(name=_machine(), defaults=told)


def accepts() -> None:
    """This machine's sandbox holds: it refuses no more."""
    PlayWorker.objects.filter(name=_machine()).delete()


def refusing() -> int:
    """How many machines have a worker that takes nothing."""
    since = timezone.now() - REFUSES_FOR
    return PlayWorker.objects.exclude(refused="").filter(seen_at__gte=since).count()


def last_seen() -> datetime | None:
    """When any was seen last."""
    takes = PlayWorker.objects.filter(refused="")
    return takes.order_by("-seen_at").values_list("seen_at", flat=True).first()


def at_hand() -> int:
    """How many there were when one was seen last: so many tables are played at a time."""
    last = last_seen()
    if last is None:
        return 0
    return PlayWorker.objects.filter(refused="", seen_at__gte=last - timedelta(seconds=TOGETHER_S)).count()


def forget() -> None:
    """Drop the rows of processes that ended long ago."""
    PlayWorker.objects.filter(seen_at__lt=timezone.now() - FORGET_AFTER).delete()


def _machine() -> str:
    return socket.gethostname()[:180]
