"""A state as a server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

import hashlib
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.renderers import JSONRenderer

MEDIA_TYPE = "text/event-stream"
#: Sent while nothing happens, so that neither end, nor a proxy between, takes the other for gone.
HEARTBEAT = b":\n\n"
RETRY_MS = 3000


@dataclass(frozen=True)
class Event:
    """A state of a subject.

    Attributes:
        id: names the state: equal for equal ones.
        wire: the event as it is sent.
        over: nothing comes after it; `end` is sent then.
    """

    id: str
    wire: bytes
    over: bool

    @property
    def end(self) -> bytes:
        """What tells a listener not to come back; one that does, with this id, gets 204."""
        return _framed("end", self.id, b"{}")


def event(kind: str, data: Mapping[str, Any], *, over: bool, passing: Iterable[str] = ()) -> Event:
    """The event that tells this state.

    Args:
        kind: of the subject; the event's name.
        passing: the keys of estimates that move by themselves: they make no new state.
    """
    lasting = {key: value for key, value in data.items() if key not in passing}
    name = hashlib.sha256(_json({"over": over, **lasting})).hexdigest()[:32]
    return Event(name, _framed(kind, name, _json(data)), over)


def retry() -> bytes:
    """After how long a listener that was cut off comes back: not all at once."""
    return b"retry: %d\n\n" % round(RETRY_MS * random.uniform(0.5, 1.5))  # noqa: S311 - nobody's secret


def _json(data: Mapping[str, Any]) -> bytes:
    """As GET has it; in one line, as an event's data must be."""
    return bytes(JSONRenderer().render(data))


def _framed(kind: str, name: str, data: bytes) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (name.encode(), kind.encode(), data)
