"""Server-sent events as they come over the wire: https://html.spec.whatwg.org/multipage/server-sent-events.html"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

MEDIA_TYPE = "text/event-stream"


class Event(NamedTuple):
    """One event: its id, its name and its data."""

    id: str
    kind: str
    data: str


#: The name of the event after which nothing comes.
END = "end"


def parsed(lines: Iterable[str]) -> Iterator[Event | None]:
    """The events in the lines of a stream; None for a line that only says that somebody is there.

    What the standard calls unknown is passed over, an event that the stream breaks off in, too.
    """
    name, kind, data = "", "", list[str]()
    for line in lines:
        if line.startswith(":"):
            yield None
        elif line:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "data":
                data.append(value)
            elif field == "event":
                kind = value
            elif field == "id":
                name = value
        else:
            if data:
                yield Event(name, kind or "message", "\n".join(data))
            kind, data = "", []
