"""The id of the request in hand: in its answer, in every line that is logged for it, and in the messages that
it sends, so that what a worker logs can be traced back to it.

It is always one of ours: a visitor's would let strangers write what they like into our logs, or hide behind
the id of somebody else's request.
"""

import logging
import uuid
from contextvars import ContextVar

HEADER = "X-Request-ID"
#: Of a Celery message.
MESSAGE_HEADER = "request_id"

_current: ContextVar[str] = ContextVar("request_id", default="")


def begin(request_id: str = "") -> str:
    """From now on this thread, or this task of asyncio, works for that request; by default for a new one.

    Nothing ends it but the next one: what is streamed after the view has returned belongs to it, too.
    """
    request_id = request_id or uuid.uuid4().hex[:16]
    _current.set(request_id)
    return request_id


def end() -> None:
    """What follows is for no request."""
    _current.set("")


def current() -> str:
    """The id of the request in hand: 16 hexadecimal digits; empty outside of one."""
    return _current.get()


class Stamp(logging.Filter):
    """Gives each line `request_id`, for the format; `-` outside of a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = _current.get() or "-"
        return True
