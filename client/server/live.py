"""The state of something, again and again: by the server's live events, by asking where they can't be had."""

import json
from collections.abc import Callable, Iterator
from time import monotonic

from client.api import Api, ApiError, Json
from client.events import END

#: A server that says nothing for so long, not even that it is there, is asked anew.
_SILENCE_S = 40.0


def states(
    api: Api,
    address: str,
    read: Callable[[], Json],
    pause: Callable[[], None],
    timeout_s: float | None = None,
) -> Iterator[Json]:
    """Its state now, and whenever it may have changed; the same again and again, so that a caller with little
    time can look at the clock. Ends when the server says that nothing can change any more.

    Args:
        address: whose events: `tournaments/5`.
        read: asks for the state; gives what the events tell.
        pause: lets some time pass before the server is asked again.
        timeout_s: how much time the caller has.

    Raises ApiError, as `read` does.
    """
    began, last, live = monotonic(), "", True
    while True:
        state = None
        left_s = _SILENCE_S if timeout_s is None else timeout_s - (monotonic() - began)
        try:
            for event in api.events(address, last, min(max(left_s, 1.0), _SILENCE_S)) if live else ():
                if event is not None and event.kind == END:
                    return
                if event is not None:
                    last, state = event.id, json.loads(event.data)
                if state is not None:
                    yield state
        except ApiError as error:
            live = error.status == 0  # what refuses to stream may be asked still
        yield read()
        pause()
