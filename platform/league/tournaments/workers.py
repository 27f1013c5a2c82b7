"""The processes that play tables: each says now and then that it is there."""

import os
import socket
from datetime import datetime, timedelta

from django.utils import timezone

from league.tournaments.models import PlayWorker

#: Seen within so long of the one seen last: at hand. A worker without work is silent, and still there.
TOGETHER_S = 600.0
FORGET_AFTER = timedelta(days=7)


def seen() -> None:
    """This process looks for a table, or plays one."""
    name = f"{socket.gethostname()[:180]}:{os.getpid()}"
    PlayWorker.objects.update_or_create(name=name, defaults={"seen_at": timezone.now()})


def last_seen() -> datetime | None:
    """When any was seen last."""
    return PlayWorker.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()


def at_hand() -> int:
    """How many there were when one was seen last: so many tables are played at a time."""
    last = last_seen()
    if last is None:
        return 0
    return PlayWorker.objects.filter(seen_at__gte=last - timedelta(seconds=TOGETHER_S)).count()


def forget() -> None:
    """Drop the rows of processes that ended long ago."""
    PlayWorker.objects.filter(seen_at__lt=timezone.now() - FORGET_AFTER).delete()
