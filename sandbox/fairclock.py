"""The fair clock (protocol.md, The clock): a busy machine makes no bot lose.

A bot is charged real time less the time that its threads waited for a processor, and that the referee
did when it was to read the answer; but never less than the processor time it used: threads that wait for
each other wait for nobody else. What it uses while it is not asked is told apart, for its bank.

Nothing is read for an answer that comes within :data:`QUICK_MS`, and of the pauses between questions only
once they add up to :data:`IDLE_MS`: they are bounded by what they add up to, whenever one looks.
"""

import time
from typing import Final

from sandbox.cores import running_first
from sandbox.limits import usable_cores
from sandbox.session import Session
from sandbox.stopwatch import SeatClock, WallClock
from sandbox.usage import Meter, Reading

#: What is not worth a reading, in milliseconds: at 0.1 ms a reading costs two hundredths of it.
QUICK_MS: Final = 5.0
#: Pauses between questions that add up to less are left for later.
IDLE_MS: Final = 100.0
#: A thread that ends takes with it what it waited since the last look; so one looks now and then.
LOOK_MS: Final = 50.0
#: What a process uses at a stretch to finish its answer, and to go back to waiting, is no thinking.
TAIL_MS: Final = 1.0
#: How soon one looks again when time is up but a thread may be waiting this moment.
RECHECK_MS: Final = 2.0
#: In real time a question ends after so many times what is left on the clock.
BACKSTOP: Final = 10.0
_NS: Final = 1_000_000.0


def clock_of(session: Session, core: int | None) -> SeatClock:
    """The fair clock of a process, or real time where its statistics can't be seen.

    Args:
        core: the only one that it may run on, if so.
    """
    if session.first_process is None:
        return WallClock()
    return FairClock(Meter(session.first_process), usable_cores(core))


class FairClock:
    """The time of one process and its children. Use it in one thread.

    Args:
        cores: how many processors it may use at once.
    """

    def __init__(self, meter: Meter, cores: int = 1) -> None:
        self.meter = meter
        self.last = meter.read()
        self._cores = cores
        self._asked_ms = 0.0  # since the last reading
        self._owed_ms = 0.0
        self._slow = False
        self._plan_reading()

    def start(self, budget_ms: float) -> "FairWatch":
        """See :class:`sandbox.stopwatch.SeatClock`."""
        began = time.monotonic()
        if self._slow and began * 1e9 - self.last.at_ns >= _NS:
            # We were held up since the reading, and the bot may have waited: that is no part of the question.
            self.read(began)
        return FairWatch(self, budget_ms, began)

    def off_turn_ms(self) -> float:
        """See :class:`sandbox.stopwatch.SeatClock`."""
        if time.monotonic() >= self._read_at:
            self.read()
        owed, self._owed_ms = self._owed_ms, 0.0
        return owed

    def read(self, asked_since: float | None = None) -> Reading:
        """Take a reading, and settle what was used off turn since the one before it: all that it could
        not have used while it was asked.

        Args:
            asked_since: since when the question in hand has been waiting, if there is one.
        """
        before = self.last
        with running_first():  # it takes all its figures at one moment
            self.last = self.meter.read()
        at_ns, used_ns = self.last.at_ns, self.last.used_ns
        now_asked_ms = 0.0 if asked_since is None else at_ns / _NS - asked_since * 1000.0
        asked_ms = self._asked_ms + now_asked_ms
        idle_ms = max(0.0, (at_ns - before.at_ns) / _NS - asked_ms)
        off_ms = (used_ns - before.used_ns) / _NS - asked_ms * self._cores
        if off_ms >= TAIL_MS:
            self._owed_ms += min(off_ms, idle_ms * self._cores)
        self._asked_ms = -now_asked_ms
        self._plan_reading()
        return self.last

    def _plan_reading(self) -> None:
        """Put the next one where the pauses up to it will have added up to what is worth it."""
        self._read_at = self.last.at_ns / 1e9 + (self._asked_ms + IDLE_MS) / 1000.0

    def ended(self, asked_ms: float) -> None:
        """A question is over; so long it was."""
        self._asked_ms += asked_ms
        self._read_at += asked_ms / 1000.0
        self._slow = asked_ms >= QUICK_MS
        if self._slow:
            # The next may be slow as well, and its time is taken from a fresh reading.
            self._read_at = 0.0


class FairWatch:
    """One question. See the module's text.

    Args:
        began: when the question was written, on the monotonic clock in seconds.
    """

    # As they are until the first look, which few questions need.
    _look_at_ms = 0.0
    _waited_ms = 0.0
    _used_ms = 0.0
    _unknown_ms = 0.0

    def __init__(self, clock: FairClock, budget_ms: float, began: float) -> None:
        self._clock = clock
        self._budget_ms = budget_ms
        self._began = began
        self._before = clock.last

    def left_ms(self) -> float:
        """See :class:`sandbox.stopwatch.Stopwatch`."""
        before, wall_ms = self._before, self._wall_ms()
        if not self._look_at_ms:
            self._look_at_ms = min(LOOK_MS if self._is_fresh(before) else QUICK_MS, self._budget_ms)
        if wall_ms < self._look_at_ms:
            return self._look_at_ms - wall_ms
        # A wait that is not over is in no statistics yet, so this is asked before they are read.
        maybe_waiting = self._clock.meter.wants_to_run()
        left_ms = self._budget_ms - self._look()
        self._unknown_ms = self._unaccounted_ms(before) if maybe_waiting else 0.0
        if left_ms + self._unknown_ms <= 0:
            return left_ms
        soon_ms = min(left_ms, LOOK_MS) if left_ms > 0 else RECHECK_MS
        wall_ms = self._wall_ms()
        self._look_at_ms = min(wall_ms + soon_ms, self._budget_ms * BACKSTOP)
        return self._look_at_ms - wall_ms

    def wants_to_run(self) -> bool:
        """See :class:`sandbox.stopwatch.Stopwatch`."""
        return self._clock.meter.wants_to_run()

    def charged_ms(self) -> float:
        """See :class:`sandbox.stopwatch.Stopwatch`."""
        wall_ms = self._wall_ms()
        charged_ms = self._look(final=True) if wall_ms >= QUICK_MS else wall_ms
        self._clock.ended(wall_ms)
        return charged_ms

    def _is_fresh(self, reading: Reading) -> bool:
        """Whether it tells of nothing but this question what has changed since."""
        return self._began * 1e9 - reading.at_ns < _NS

    def _wall_ms(self) -> float:
        return (time.monotonic() - self._began) * 1000.0

    def _look(self, *, final: bool = False) -> float:
        """What is charged up to now, by a new reading.

        Args:
            final: it is over. What the referee waited since the last look, it waited to read the line;
                what it waited before concerned nobody.
        """
        wall_ms = self._wall_ms()
        before, now = self._before, self._clock.read(self._began)
        waited_ms = (now.waited_ns - before.waited_ns) / _NS
        if final:
            waited_ms += (now.reader_waited_ns - before.reader_waited_ns) / _NS
        if self._is_fresh(before):
            self._used_ms += max(0, now.used_ns - before.used_ns) / _NS
        else:
            # The reading before is older than the question: of what was waited since, no more can
            # concern the question than it has lasted.
            waited_ms = min(waited_ms, wall_ms)
        self._waited_ms += waited_ms
        self._before = now
        return max(wall_ms - self._waited_ms, min(self._used_ms, wall_ms))

    def _unaccounted_ms(self, before: Reading) -> float:
        """How long a thread that wants to run may have been waiting: all that is known to have gone to
        nothing else, since one was last seen to want nothing."""
        now = self._before
        known_ns = max(0, now.used_ns - before.used_ns) + now.waited_ns - before.waited_ns
        passed_ns = now.at_ns - max(before.at_ns, self._began * 1e9)
        return max(0.0, self._unknown_ms + (passed_ns - known_ns) / _NS)
