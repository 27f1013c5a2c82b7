"""A receiver of webhooks: a real server on this machine, that answers as it is told."""

import socket
import ssl
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Received:
    """A request."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """What came, and what is answered: each of `answers` once, then `usual`.

    An answer is a status, (status, headers, body), or a function that is given the connection.
    """

    url: str = ""
    requests: list = field(default_factory=list)
    answers: list = field(default_factory=list)
    usual: object = 204
    #: How many connections were made, whatever came over them.
    connections: int = 0

    def next(self):
        return self.answers.pop(0) if self.answers else self.usual


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        receiver = self.server.receiver
        receiver.requests.append(Received(self.path, dict(self.headers), body))
        answer = receiver.next()
        if callable(answer):
            with suppress(OSError):
                answer(self.connection)
            self.close_connection = True
            return
        status, headers, text = answer if isinstance(answer, tuple) else (answer, {}, b"")
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        """Nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    secrets: ssl.SSLContext | None = None

    def get_request(self):
        connection, address = super().get_request()
        self.receiver.connections += 1
        return connection, address

    def finish_request(self, request, address):
        if self.secrets is not None:
            request = self.secrets.wrap_socket(request, server_side=True)
        super().finish_request(request, address)
        if self.secrets is not None:
            request.close()

    def handle_error(self, request, address):
        """A caller that hangs up is none of ours."""


@contextmanager
def receiver(host="127.0.0.1", tls=None):
    """A receiver at that address of this machine; `tls`: a server's SSLContext."""
    with _Server((host, 0), _Handler) as server:
        server.secrets = tls
        scheme = "https" if tls else "http"
        server.receiver = Receiver(f"{scheme}://{host}:{server.server_port}/hook")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server.receiver
        server.shutdown()
        thread.join()


def dribble(connection, start, stop):
    """Answer with the start, then go on a byte at a time, until `stop` is set or nobody listens."""
    connection.sendall(start)
    while True:
        connection.sendall(b"a")
        if stop.wait(0.02):
            connection.shutdown(socket.SHUT_RDWR)
            return
