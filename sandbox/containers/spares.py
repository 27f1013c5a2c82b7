"""Containers that are started ahead of time: the next table's, while this one plays.

What a worker used last it will want again: so the spares are, one for one, of the recipes of its last
starts. They are started once no bot was for a moment: a table's own start comes first.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable
from contextlib import closing
from typing import Final

import docker

from arena.errors import PlatformFailure
from sandbox.containers.waiting import Recipe, Waiting

#: So long without a start: then all seats of a table have theirs.
_QUIET_S: Final = 0.5
#: Whoever used nothing for so long is idle, and keeps nothing ready.
_IDLE_S: Final = 600.0


class Spares:
    """The spares of one process.

    Args:
        most: how many there may be; 0 for none, ever.
        connect: makes a client of the engine.
        start: starts a container by a recipe.
    """

    def __init__(
        self,
        most: int,
        connect: Callable[[], docker.APIClient],
        start: Callable[[docker.APIClient, Recipe], Waiting],
    ) -> None:
        self._connect = connect
        self._start = start
        self._used: deque[Recipe] = deque(maxlen=most)
        self._spares: list[Waiting] = []
        self._lock = threading.Lock()
        #: Held by whoever starts or removes containers.
        self._working = threading.Lock()
        self._timer: threading.Timer | None = None

    @property
    def count(self) -> int:
        """How many are ready."""
        with self._lock:
            return len(self._spares)

    def take(self, recipe: Recipe) -> Waiting | None:
        """A spare by this very recipe, which is nobody else's from now on; ``None`` when there is none."""
        with self._lock:
            for spare in self._spares:
                # One that somebody ended stays, to be removed with the next look.
                if spare.recipe == recipe and spare.ready:
                    self._spares.remove(spare)
                    return spare
        return None

    def used(self, recipe: Recipe) -> None:
        """Note what was started, and have spares made like it when nothing was for a moment."""
        if self._used.maxlen:
            with self._lock:
                self._used.append(recipe)
            self._later(_QUIET_S, self._match)

    def clear(self) -> None:
        """Remove all of them, and make no more until a container is used."""
        with self._lock:
            self._used.clear()
            if self._timer is not None:
                self._timer.cancel()
        self._match()

    def _later(
        self, seconds: float, act: Callable[[], None], instead_of: threading.Thread | None = None
    ) -> None:
        """Do something after a pause, and nothing else that was to come.

        Args:
            instead_of: unless this is no more the latest that was to come.
        """
        with self._lock:
            if instead_of is not None and instead_of is not self._timer:
                return
            if self._timer is not None:
                self._timer.cancel()
            # It inherits the core of the table that it works for, and takes no other table's.
            self._timer = threading.Timer(seconds, act)
            self._timer.daemon = True
            self._timer.start()

    def _match(self) -> None:
        """Remove what is not wanted, start what is missing."""
        with self._working:
            try:
                with closing(self._connect()) as client:
                    for spare in self._surplus():
                        spare.discard(client)
                    while (recipe := self._missing()) is not None:
                        spare = self._start(client, recipe)
                        with self._lock:
                            self._spares.append(spare)
            except PlatformFailure:
                return  # the next bot is started without, and says what is wrong
        if self.count:
            self._later(_IDLE_S, self.clear, instead_of=threading.current_thread())

    def _surplus(self) -> list[Waiting]:
        with self._lock:
            wanted = Counter(self._used)
            keep: list[Waiting] = []
            surplus: list[Waiting] = []
            for spare in self._spares:
                wanted[spare.recipe] -= 1
                (keep if wanted[spare.recipe] >= 0 and spare.ready else surplus).append(spare)
            self._spares = keep
        return surplus

    def _missing(self) -> Recipe | None:
        with self._lock:
            missing = Counter(self._used)
            missing.subtract(spare.recipe for spare in self._spares)
        return next((recipe for recipe, number in missing.items() if number > 0), None)
