"""The site as an ASGI application; league.server says how it is served.

A request is read whole (league.intake), then answered by Django in one of a few threads, each with its own
lasting connection to the database. Where the answer is a stream of live events it goes on from there without
a thread (league.live).
"""

import os

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")

#: Requests that a process works on at a time, and so its connections to the database, but for those of
#: league.live.
THREADS = 16
#: Requests that wait for a thread; whoever comes then is told to come back.
WAITING = 2048

_django = WSGIMiddleware(get_wsgi_application(), workers=THREADS)  # type: ignore[arg-type]

from league.api.errors import problem  # noqa: E402 - Django is set up by now
from league.intake import Body, Gone, Message, Receive, Scope, Send, readable, tidy  # noqa: E402
from league.live.hub import hub  # noqa: E402
from league.live.stream import FOLLOWS, follow  # noqa: E402


class Site:
    """One process's site."""

    def __init__(self) -> None:
        self._in_hand = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        scope, body = tidy(scope), Body()
        try:
            if readable(scope):
                await body.read(receive)
            if self._in_hand >= THREADS + WAITING:
                await _busy(send)
                return
            self._in_hand += 1
            try:
                await _django(scope, body.receive, _but_the_end(scope, send))  # type: ignore[arg-type]
            finally:
                self._in_hand -= 1
        except Gone:
            return
        finally:
            body.close()
        if FOLLOWS in scope:
            await follow(hub, scope[FOLLOWS], receive, send)


def _but_the_end(scope: Scope, send: Send) -> Send:
    """`send`, which leaves the answer open where a stream follows."""

    async def sending(message: Message) -> None:
        ends = message["type"] == "http.response.body" and not message.get("more_body")
        if not (ends and FOLLOWS in scope):
            await send(message)

    return sending


async def _busy(send: Send) -> None:
    answer = problem("unavailable", "Too many requests wait already.")
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})


application = Site()
