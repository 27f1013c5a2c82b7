"""When a request is sent again: after 429 and 503, and when the connection was refused or cut."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from client.refusal import ApiError

_FIRST_S = 0.5
_UNREACHABLE_TRIES = 4


def _sleep(seconds: float, reason: str) -> None:
    time.sleep(seconds)


@dataclass(frozen=True)
class Patience:
    """How long to try.

    Attributes:
        wait_s: seconds after the first try in which another may begin; 0: none does.
        pause: lets so many seconds pass; is told the reason, too, for whoever watches.
    """

    wait_s: float = 0.0
    pause: Callable[[float, str], None] = _sleep

    def again(self, error: ApiError, tried: int, began: float) -> bool:
        """Wait, if another try is worth it, and tell whether it is. Where there is no answer, four tries are:
        mostly nobody is there.

        Args:
            tried: how often by now.
            began: when the first try did, by `time.monotonic`.
        """
        if not error.later or not self.wait_s or (error.status == 0 and tried >= _UNREACHABLE_TRIES):
            return False
        wait = error.retry_after_s
        if wait is None:  # twice as long each time; not all clients of a site at once
            wait = _FIRST_S * 2 ** (tried - 1) * random.uniform(0.75, 1.25)  # noqa: S311 - no secret
        if time.monotonic() - began + wait > self.wait_s:
            return False
        self.pause(wait, error.message)
        return True
