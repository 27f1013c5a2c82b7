"""Whether the engine that started a container is still there: one that ends takes its bots along, and a bot
must not be blamed for that.

A bot that the engine ended looks like one that ended itself: signal 15, or 9, or whatever it made of the
first.
"""

import contextlib
import os
import threading

from arena.errors import PlatformFailure
from sandbox.containers.engine import ENGINE_ERRORS, connect


class Presence:
    """The time that one engine answers, from now on.

    It holds a stream of the engine's open, which breaks when the engine ends, however that comes about.

    Raises:
        PlatformFailure: no engine answers.
    """

    def __init__(self) -> None:
        self._client = connect()
        try:
            # News that hardly ever come: it is the end of the stream that is waited for.
            self._stream = self._client.events(filters={"type": "daemon", "event": "reload"})
        except ENGINE_ERRORS as error:
            self._client.close()
            raise PlatformFailure("no_engine", str(error)) from error
        self._ended = threading.Event()
        self._process = os.getpid()
        threading.Thread(target=self._await_end, name="engine-presence", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Whether that engine is known to be gone, or nobody here would know: a fork has no watcher."""
        return self._ended.is_set() or self._process != os.getpid()

    def holds(self) -> bool:
        """Whether that engine is there, and takes new connections: one that is being stopped takes none,
        and ends its containers before it ends itself."""
        if self.ended:
            return False
        try:
            connect().close()
        except PlatformFailure:
            return False
        return not self.ended

    def _await_end(self) -> None:
        with contextlib.suppress(*ENGINE_ERRORS):
            for _ in self._stream:
                pass
        self._ended.set()
        with contextlib.suppress(*ENGINE_ERRORS, AttributeError):
            self._stream.close()
        self._client.close()
