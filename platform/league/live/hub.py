"""In each process of the site: one watch a subject, however many listen to it.

A watch looks at its subject when it was nudged, and every LIVE_POLL_S seconds anyway; what it found is
rendered once and handed to all its listeners. A listener has no queue: it is told the latest state when it is
ready for one, so a slow one misses states and costs nothing.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import close_old_connections

from league.common.errors import OverQuota, Unavailable
from league.live import rights
from league.live.events import Event
from league.live.nudges import hear
from league.live.subjects import State, Subject, look

log = logging.getLogger(__name__)

#: A subject is looked at no more often than this, and no more than one part in SHARE of the time.
PAUSE_S = 0.4
SHARE = 5
#: The right of those who listen is found out anew after so many times LIVE_POLL_S.
RECHECK = 3
#: Threads that look; each has a connection to the database.
THREADS = 2
#: So many looks a second that no nudge caused: where more is watched, each is looked at less often.
IDLE_LOOKS_A_S = 30


@dataclass(frozen=True)
class Follows:
    """Who wants to follow a subject: what Django found out about the request.

    Attributes:
        client: whose connections are counted together: a user, or a stranger's address.
        authorization: the header of that name, by which the right to listen is found out anew.
        seen: the id of the event that it has.
        seen_at: when that was looked at, by `time.monotonic`: what is older is no news.
    """

    subject: Subject
    client: str
    authorization: str
    seen: str
    seen_at: float


@dataclass(eq=False)
class Listener:
    """Somebody who listens, and the id of what it has. `woken`: there may be something to send, or an end."""

    follows: Follows
    seen: str
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    def end(self) -> None:
        """The stream ends as soon as it can."""
        self.ended = True
        self.woken.set()


class Watch:
    """A subject that somebody listens to."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.wakes = str(subject)
        self.latest: Event | None = None
        self.looked_at = 0.0
        self.listeners: set[Listener] = set()
        self.nudged = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def tell(self, state: State | None, at: float) -> None:
        """Hand a state, as of then, to whom it is news; where there is none any more, all streams end."""
        if state is None:
            self.end(self.listeners)
            return
        self.wakes, self.latest, self.looked_at = state.wakes, state.event, at
        for listener in self.listeners:
            if listener.seen != self.latest.id:
                listener.woken.set()

    def news(self, listener: Listener) -> Event | None:
        """What this listener has not seen; not what is older than what it has."""
        old = (
            self.latest is None
            or self.latest.id == listener.seen
            or self.looked_at < listener.follows.seen_at
        )
        return None if old else self.latest

    def end(self, listeners: Collection[Listener]) -> None:
        """End these streams."""
        for listener in listeners:
            listener.end()


class Hub:
    """All watches of a process. Its methods are for the event loop, but for `admit`.

    Args:
        look: gives a subject's state; called in a thread.
        allowed: gives those of some `Authorization` headers that may listen to a subject; likewise.
    """

    def __init__(
        self,
        look: Callable[[Subject], State | None] = look,
        allowed: Callable[[Subject, Collection[str]], Collection[str]] = rights.allowed,
    ) -> None:
        self._look, self._allowed = look, allowed
        self._watches: dict[Subject, Watch] = {}
        self._clients: Counter[str] = Counter()
        self._listeners = 0
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="live")
        self._hearing: asyncio.Task[None] | None = None
        self._closed = False

    def admit(self, client: str) -> None:
        """Raises OverQuota when the client has as many streams as it may here, Unavailable when all have."""
        if self._clients[client] >= settings.LIVE_PER_CLIENT:
            raise OverQuota("quota", f"Close one of your {settings.LIVE_PER_CLIENT} streams first.")
        if self._listeners >= settings.LIVE_LISTENERS:
            raise Unavailable("unavailable", "So many listen already; ask again later, or poll.")

    # -- in the event loop ---------------------------------------------------------------------------------

    def join(self, follows: Follows) -> tuple[Watch, Listener]:
        """Listen; `leave` must follow."""
        listener = Listener(follows, follows.seen, ended=self._closed)
        watch = self._watches.get(follows.subject)
        if watch is None:
            watch = self._watches[follows.subject] = Watch(follows.subject)
            watch.task = asyncio.create_task(self._keep(watch))
        if self._hearing is None:
            self._hearing = asyncio.create_task(hear(self.nudge))
        watch.listeners.add(listener)
        self._clients[follows.client] += 1
        self._listeners += 1
        listener.woken.set()  # what was rendered since the request's own look
        return watch, listener

    def leave(self, watch: Watch, listener: Listener) -> None:
        """Listen no more. The last one ends the watch."""
        watch.listeners.discard(listener)
        self._listeners -= 1
        self._clients[listener.follows.client] -= 1
        if not self._clients[listener.follows.client]:
            del self._clients[listener.follows.client]
        if not watch.listeners and self._watches.get(watch.subject) is watch:
            del self._watches[watch.subject]
            if watch.task:
                watch.task.cancel()

    def nudge(self, subject: str | None) -> None:
        """Something changed about a subject (None: nobody knows about which) that may be watched."""
        for watch in self._watches.values():
            if subject is None or subject == watch.wakes:
                watch.nudged.set()

    def close(self) -> None:
        """End all streams, those to come, too: the process stops. Harmless when repeated."""
        if self._closed:
            return
        self._closed = True
        for watch in self._watches.values():
            watch.end(watch.listeners)
        if self._hearing:
            self._hearing.cancel()

    async def _keep(self, watch: Watch) -> None:
        """Look, tell, wait; until nobody listens."""
        recheck_at = monotonic() + RECHECK * settings.LIVE_POLL_S
        while True:
            began = monotonic()
            try:
                watch.nudged.clear()
                watch.tell(await self._in_thread(self._look, watch.subject), began)
                if began >= recheck_at:
                    await self._recheck(watch)
                    recheck_at = began + RECHECK * settings.LIVE_POLL_S
            except Exception as error:  # the database is away, say: what was told last still holds
                log.warning("nothing new of %s: %r", watch.subject, error)
            await asyncio.sleep(max(PAUSE_S, (SHARE - 1) * (monotonic() - began)))
            idle_s = max(settings.LIVE_POLL_S, len(self._watches) / IDLE_LOOKS_A_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(idle_s):
                    await watch.nudged.wait()

    async def _recheck(self, watch: Watch) -> None:
        listeners = list(watch.listeners)
        asked = {listener.follows.authorization for listener in listeners}
        allowed = await self._in_thread(self._allowed, watch.subject, asked)
        watch.end([each for each in listeners if each.follows.authorization not in allowed])

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, _with_database, call, *arguments
        )


def _with_database(call: Callable[..., Any], *arguments: Any) -> Any:
    """The call, in a thread whose connection is not older than a request's would be."""
    close_old_connections()
    try:
        return call(*arguments)
    finally:
        close_old_connections()


#: This process's.
hub = Hub()
