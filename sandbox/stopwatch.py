"""How a bot's time is taken: the seam between whoever speaks with a process and the clock.

Here is the plain one, real time; ``sandbox.fairclock`` has the fair one of protocol.md.
"""

import time
from typing import Protocol


class Stopwatch(Protocol):
    """Measures one question, from the moment that it is made."""

    def left_ms(self) -> float:
        """Milliseconds until the question should be looked at again; 0 or less when time is up."""
        ...

    def wants_to_run(self) -> bool:
        """Whether the process has more to do, as far as one can see: it runs, or waits for a processor."""
        ...

    def charged_ms(self) -> float:
        """Stop: milliseconds that the bot is charged for the question. Asked once, at its end."""
        ...


class SeatClock(Protocol):
    """Keeps the time of one process."""

    def start(self, budget_ms: float) -> Stopwatch:
        """A question has been written."""
        ...

    def off_turn_ms(self) -> float:
        """Processor time that was used while nothing was asked, since this was last called;
        milliseconds. Call it before a question is written."""
        ...


class WallWatch:
    """Real time: all that passes is charged."""

    def __init__(self, budget_ms: float) -> None:
        self._began = time.monotonic()
        self._budget_ms = budget_ms

    def left_ms(self) -> float:
        return self._budget_ms - (time.monotonic() - self._began) * 1000.0

    def wants_to_run(self) -> bool:
        return False

    def charged_ms(self) -> float:
        return (time.monotonic() - self._began) * 1000.0


class WallClock:
    """Real time, for processes whose statistics can't be seen."""

    def start(self, budget_ms: float) -> WallWatch:
        return WallWatch(budget_ms)

    def off_turn_ms(self) -> float:
        return 0.0
