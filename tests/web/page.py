"""A page with a table on it, served from the project's own files: for the browser tests, and to look at.

Run as `python -m tests.web.page` and open the address that it prints; it takes `?record=N`, `&own=S`,
`&theme=dark` and `&suits=four`.
"""

import json
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import urlparse

from tests.web.kit import HERE, STATIC
from tests.web.matches import some_records

#: As strict as the site's own.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)


@cache
def records():
    return [json.dumps(record).encode() for record in some_records()]


class Handler(SimpleHTTPRequestHandler):
    """`/` is the page, `/parts` one with all parts, `/records/N` a record, all else a static file."""

    extra: ClassVar[dict[str, bytes]] = {}

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=str(STATIC))

    def do_GET(self):
        path = urlparse(self.path).path
        if path in {"/", "/parts"}:
            name = "parts.html" if path == "/parts" else "page.html"
            self.answer((HERE / name).read_bytes(), "text/html; charset=utf-8")
        elif path == "/page.js":
            self.answer((HERE / "page.js").read_bytes(), "text/javascript")
        elif path.startswith("/records/"):
            name = path.rpartition("/")[2]
            self.answer(self.extra.get(name) or records()[int(name)], "application/json")
        else:
            super().do_GET()

    def answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        """Say nothing."""


def server():
    """A server on a free port of this machine, not yet serving."""
    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)


if __name__ == "__main__":
    with server() as made:
        print(f"http://127.0.0.1:{made.server_port}/?record=0")  # noqa: T201 - a program of its own
        made.serve_forever()
