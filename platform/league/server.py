"""How gunicorn serves the site: `gunicorn --config python:league.server league.wsgi`."""

import socket
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from django.conf import settings
from gunicorn.workers.gthread import TConn, ThreadWorker

bind = "0.0.0.0:8000"
workers = 2
threads = 16
worker_class = "league.server.Worker"
worker_tmp_dir = "/dev/shm"  # noqa: S108 - heartbeats, which must not wait for a disk
control_socket_disable = True


class Worker(ThreadWorker):
    """gunicorn's threads, of which a client holds none for longer than REQUEST_S by sending slowly.

    gunicorn has no end to that of its own, for a body that dribbles in.
    """

    def init_process(self) -> None:
        self._reading: dict[TConn, float] = {}
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """A new connection waits for its first byte without a thread."""
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + settings.REQUEST_S
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: TConn) -> Any:
        """Read one request and answer it; reading has an end, answering has not."""
        self._reading[conn] = time.monotonic() + settings.REQUEST_S
        try:
            return super().handle(conn)
        finally:
            self._reading.pop(conn, None)

    def murder_pending(self) -> None:
        """Called about every second: what has not arrived by now is not waited for."""
        super().murder_pending()
        for conn, until in list(self._reading.items()):
            if until < time.monotonic():
                # Who reads sees the end of the stream; what was read whole is still answered.
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RD)
