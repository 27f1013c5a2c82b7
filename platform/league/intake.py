"""How a request is taken in: whole, in time, and only then by a thread.

Django and the database work in threads, of which there are few; sending slowly costs a client's own time and
holds none. What is wrong with a request Django answers: this hands over what it got.
"""

from asyncio import timeout
from collections.abc import Awaitable, Callable, MutableMapping
from tempfile import SpooledTemporaryFile
from typing import Any, TypeAlias

from django.conf import settings

from league.api.middleware import ENVELOPE_KIB

Message: TypeAlias = MutableMapping[str, Any]
Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

#: What is kept in memory of a body; longer ones, uploads, wait on disk in files without a name.
IN_MEMORY = PIECE = 64 * 1024


class Gone(Exception):
    """The client left before its request was whole."""


class Body:
    """A request's body, as far as it came."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - `close` closes it

    def close(self) -> None:
        """Forget it."""
        self._file.close()

    async def read(self, receive: Receive) -> None:
        """Read it to its end, for REQUEST_S at the most. Raises Gone."""
        try:
            async with timeout(settings.REQUEST_S):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise Gone
                    self._file.write(message.get("body", b""))
                    more = message.get("more_body", False)
        except TimeoutError:
            pass  # too short for its length: who parses it sees that
        self._file.seek(0)

    async def receive(self) -> Message:
        """The next piece of it, as ASGI has it."""
        piece = self._file.read(PIECE)
        return {"type": "http.request", "body": piece, "more_body": len(piece) == PIECE}


def readable(scope: Scope) -> bool:
    """Whether the body may be read at all: its head tells the length, and no upload may be longer."""
    told = dict(scope["headers"])
    length = told.get(b"content-length", b"0")
    most = (settings.UPLOAD_MAX_KIB + ENVELOPE_KIB) * 1024
    return b"transfer-encoding" not in told and length.isdigit() and int(length) <= most


def tidy(scope: Scope) -> Scope:
    """The request's head without headers whose names would read as another's: `X_Forwarded_For`."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if b"_" not in name]}
