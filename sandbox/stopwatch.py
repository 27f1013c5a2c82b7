"""The clock of one question, a part of its own: the fair clock takes this one's place.

Wall time: what a bot is charged is all that passes between the question and its line.
"""

import time
from typing import Protocol


class Stopwatch(Protocol):
    """Measures one question."""

    def left_ms(self) -> float:
        """Milliseconds until the question should be looked at again; 0 or less when time is up."""
        ...

    def charged_ms(self) -> float:
        """Milliseconds that the bot is charged up to now."""
        ...


class WallWatch:
    """Wall time, from the moment it is made."""

    def __init__(self, budget_ms: float) -> None:
        self._began = time.monotonic()
        self._budget_ms = budget_ms

    def left_ms(self) -> float:
        return self._budget_ms - self.charged_ms()

    def charged_ms(self) -> float:
        return (time.monotonic() - self._began) * 1000.0
