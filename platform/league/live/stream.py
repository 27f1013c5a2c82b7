"""How a stream goes on after Django's part of the answer: without a thread, without the database."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from league.live.events import HEARTBEAT
from league.live.hub import Follows, Hub, Listener, Watch

#: Under this key Django's part leaves in the request's ASGI scope who follows what.
FOLLOWS = "league.live.follows"
HEARTBEAT_S = 15.0

Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def follow(hub: Hub, follows: Follows, receive: Receive, send: Send) -> None:
    """Send what changes, until it is over, the listener is gone or may listen no more, or the site stops."""
    watch, listener = hub.join(follows)
    # A request for events is whole: what can be received still is that its connection is lost.
    gone = asyncio.ensure_future(receive())
    gone.add_done_callback(lambda _: listener.end())
    try:
        await _tell(watch, listener, send)
    finally:
        hub.leave(watch, listener)
        gone.cancel()
    await send({"type": "http.response.body", "body": b""})


async def _tell(watch: Watch, listener: Listener, send: Send) -> None:
    async def sending(wire: bytes) -> None:
        await send({"type": "http.response.body", "body": wire, "more_body": True})

    while not listener.ended:
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                await listener.woken.wait()
        except TimeoutError:
            await sending(HEARTBEAT)
            continue
        listener.woken.clear()
        event = None if listener.ended else watch.news(listener)
        if event is not None:
            listener.seen = event.id
            await sending(event.wire)
            if event.over:
                await sending(event.end)
                return
