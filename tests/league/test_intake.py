"""How a request is taken in, before Django sees it; slow clients of the real server are in tests/faults."""

import asyncio
import json

import pytest

from league import asgi
from league.intake import PIECE, Body, Gone, readable, tidy


def scope(path="/api/v1/problems/", **headers):
    """A GET, as a server tells it."""
    names = [(name.replace("__", "-").encode(), str(value).encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "http_version": "1.1",
        "headers": [(b"host", b"localhost"), *names],
    }


def asked(site, given, *messages):
    """(status, headers, the answer's bytes) of a request; without `messages` it has no body."""
    coming = list(messages) or [{"type": "http.request"}]
    sent = []

    async def receive():
        return coming.pop(0) if coming else await asyncio.sleep(3600)

    async def send(message):
        sent.append(message)

    asyncio.run(site(given, receive, send))
    start, *body = sent
    return start["status"], dict(start["headers"]), b"".join(message.get("body", b"") for message in body)


def test_a_body_comes_in_pieces_and_goes_on_in_pieces():
    parts = [bytes([number]) * 50_000 for number in range(5)]

    async def story():
        coming = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
        coming.append({"type": "http.request"})
        body, got, more = Body(), [], True

        async def receive():
            return coming.pop(0)

        await body.read(receive)
        while more:
            message = await body.receive()
            got.append(message["body"])
            more = message["more_body"]
        body.close()
        assert b"".join(got) == b"".join(parts)
        assert max(map(len, got)) == PIECE

    asyncio.run(story())


def test_what_does_not_come_in_time_is_not_waited_for_and_who_left_is_gone(settings):
    settings.REQUEST_S = 0.01

    async def story():
        half, late = [{"type": "http.request", "body": b"half", "more_body": True}], Body()
        await late.read(lambda: asyncio.sleep(0, half.pop()) if half else asyncio.sleep(3600))
        assert await late.receive() == {"type": "http.request", "body": b"half", "more_body": False}
        late.close()
        left = Body()
        with pytest.raises(Gone):
            await left.read(lambda: asyncio.sleep(0, {"type": "http.disconnect"}))
        left.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("headers", "read"),
    [
        ({}, True),
        ({"content__length": 1000}, True),
        ({"content__length": 10**10}, False),
        ({"content__length": "-1"}, False),
        ({"transfer__encoding": "chunked"}, False),
        ({"transfer__encoding": "chunked", "content__length": 5}, False),
    ],
)
def test_only_a_body_that_may_be_is_read(headers, read):
    assert readable(scope(**headers)) is read


def test_a_header_can_not_pass_for_another():
    assert tidy(scope(x_forwarded_for="1.2.3.4", accept="x"))["headers"] == [
        (b"host", b"localhost"),
        (b"accept", b"x"),
    ]


def test_when_too_many_wait_for_a_thread_the_next_is_told_to_come_back(monkeypatch):
    site = asgi.Site()
    status, headers, body = asked(site, scope())
    assert (status, headers[b"content-type"]) == (200, b"application/json")
    assert b"unavailable" in body
    monkeypatch.setattr(asgi, "WAITING", -asgi.THREADS)
    status, headers, body = asked(site, scope())
    assert (status, json.loads(body)["code"]) == (503, "unavailable")
    assert int(headers[b"retry-after"]) > 0
