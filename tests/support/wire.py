"""A site that answers what it is told, and a wire to a site that is cut."""

import contextlib
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Answering(ThreadingHTTPServer):
    """Answers each request with the next of `answers`, (status, headers, body); the last one stays."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        """A connection that was cut is no news."""

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers = list(answers)
        self.seen = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, dict(self.headers), body))
        answers = self.server.answers
        status, headers, answer = answers.pop(0) if len(answers) > 1 else answers[0]
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Length": len(data), **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *args):
        pass


@contextlib.contextmanager
def answering(*answers):
    """A real HTTP server for the time being."""
    with Answering(answers) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class Wire:
    """A TCP proxy. Each connection takes the next of `cuts`: ("up", n) is cut once n bytes went to the site,
    ("down", n) once n bytes of the answer came back."""

    def __init__(self, site, cuts):
        host, _, port = site.removeprefix("http://").partition(":")
        self.target = (host, int(port))
        self.cuts = list(cuts)
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.threads = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self):
        while True:
            try:
                caller, _ = self.listener.accept()
            except OSError:  # closed
                return
            self.connections += 1
            cut = self.cuts.pop(0) if self.cuts else ("", 0)
            site = socket.create_connection(self.target)
            for name, source, sink in (("up", caller, site), ("down", site, caller)):
                most = cut[1] if cut[0] == name else None
                self.start(self.carry, source, sink, most)

    def start(self, function, *arguments):
        thread = threading.Thread(target=function, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    @staticmethod
    def carry(source, sink, most):
        """Carry bytes until an end closes, or so many went through: then both ends are closed."""
        with contextlib.suppress(OSError):
            while data := source.recv(65536 if most is None else min(65536, most) or 1):
                if most is not None:
                    data, most = data[:most], most - len(data)
                sink.sendall(data)
                if most is not None and most <= 0:
                    break
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextlib.contextmanager
def cut(site, *cuts):
    """A wire to `site`, for the time being."""
    wire = Wire(site, cuts)
    wire.start(wire.serve)
    try:
        yield wire
    finally:
        wire.listener.shutdown(socket.SHUT_RDWR)
        wire.listener.close()
        wire.threads[0].join()
