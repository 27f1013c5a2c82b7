"""How gunicorn serves the site: `gunicorn --config python:league.server league.asgi`.

gunicorn supervises; each of its processes is a uvicorn, which reads requests without holding a thread, and
keeps the streams of live events open (league.live).
"""

import asyncio
import gc
import logging
import resource
import socket
from importlib import import_module
from typing import Any

from django.conf import settings
from h11 import SEND_BODY, Data, EndOfMessage, Response
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn_worker import UvicornWorker

bind = "0.0.0.0:8000"
workers = 2
worker_class = "league.server.Worker"
worker_tmp_dir = "/dev/shm"  # noqa: S108 - heartbeats, which must not wait for a disk
control_socket_disable = True
graceful_timeout = 30
# REQUEST_S, which is shorter, ends a connection that says nothing. At gunicorn's usual two seconds a client
# that pauses so long between two requests meets the end of its connection.
keepalive = 3600

#: Connections of one process, listeners included; what comes on more of them is answered with 503.
CONNECTIONS = 4096
#: Who takes nothing of an answer for so long is cut off, by the kernel.
DEAF_MS = 60_000
NO_REQUEST = (
    "This is no HTTP/1.1 request: an address is ASCII, with %XX for the rest; one Host; one Content-Length."
)

access = logging.getLogger("league.access")


class Protocol(H11Protocol):
    """uvicorn's HTTP/1.1, with an end to what it waits for without one.

    A request's head has REQUEST_S to arrive, from the connection or the last answer on; its body has as long
    (league.intake), and what is left of it when the answer is complete is not read.
    """

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        wire = transport.get_extra_info("socket")
        if wire is not None and wire.family != socket.AF_UNIX:
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAF_MS)
        self._await_head()

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._stop_waiting()

    def eof_received(self) -> bool | None:  # type: ignore[override]
        """Half a body is answered; otherwise whoever has no more to say is gone."""
        if self.cycle is None or self.cycle.response_complete or not self.cycle.more_body:
            return None
        self.cycle.more_body = False
        self.cycle.message_event.set()
        return True

    def send_400_response(self, msg: str) -> None:
        """What can't be read as a request is answered with a problem, too, and is in the log by its id."""
        from league.api.errors import problem
        from league.common import request_id

        number = request_id.begin()
        access.info("- - 400 0 ms")
        answer = problem("bad_request", NO_REQUEST)
        request_id.end()
        told = {
            **answer.headers,
            request_id.HEADER: number,
            "Cache-Control": "no-store",
            "Connection": "close",
        }
        told["Content-Length"] = str(len(answer.content))
        head = [(name.lower().encode(), value.encode()) for name, value in told.items()]
        for event in (Response(status_code=400, headers=head), Data(answer.content), EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def on_response_complete(self) -> None:
        if self.conn.their_state is SEND_BODY:
            self.transport.close()
        else:
            self._await_head()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The process is told to stop: a stream ends, and its listener comes back to the next one."""
        super().shutdown()
        from league.live.hub import hub

        hub.close()

    def _await_head(self) -> None:
        self._stop_waiting()
        self._late = self.loop.call_later(settings.REQUEST_S, self.timeout_keep_alive_handler)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Worker(UvicornWorker):
    """A process of gunicorn's that is a uvicorn."""

    CONFIG_KWARGS: dict[str, Any] = {  # noqa: RUF012 - as uvicorn_worker has it
        "loop": "asyncio",
        "http": Protocol,
        "ws": "none",
        "lifespan": "off",
        "limit_concurrency": CONNECTIONS,
        "timeout_graceful_shutdown": graceful_timeout - 5,
        # Whether a proxy is believed, TRUSTED_PROXIES says; what is logged, league.api.middleware.
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
    }

    def init_process(self) -> None:
        """Each connection is an open file: as many as the machine allows us."""
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        super().init_process()


def post_worker_init(worker: Worker) -> None:
    """gunicorn calls this when a process has loaded the site, before it answers.

    What is loaded stays to the end: Python's collector need not look at it again each time. That would hold
    up whoever is answered meanwhile for two to three times as long.
    """
    import_module(settings.ROOT_URLCONF)  # and so all that answers
    gc.collect()
    gc.freeze()
