"""Speaking with a process over pipes: one plain poll loop, shared by every backend.

Nothing here ever blocks longer than the stopwatch allows: a bot that does not read cannot hold the
referee up, and one that prints without end is cut off at the protocol's limits.
"""

import contextlib
import errno
import math
import os
import select
from enum import StrEnum

from arena.protocol import MAX_LINE_BYTES, MAX_UNANSWERED_BYTES
from sandbox.log import BotLog
from sandbox.stopwatch import Stopwatch, WallWatch

_CHUNK_BYTES = 64 * 1024
#: After garbage, how long a bot may be quiet before it is not called a flood.
_QUIET_MS = 20.0


class Halt(StrEnum):
    """Why no line came."""

    TIME = "time"
    CLOSED = "closed"
    LONG_LINE = "long_line"
    FLOOD = "flood"


class Channel:
    """Three pipes: into the bot, out of it, and its log.

    Takes the descriptors over and closes them.

    Args:
        into: written to; what the bot reads.
        out: read from; what the bot prints.
        err: read into ``log``; ``None`` where there is none.
    """

    def __init__(self, into: int, out: int, err: int | None, log: BotLog) -> None:
        self._into: int | None = into
        self._out: int | None = out
        self._err = err
        self._log = log
        self._unsent = bytearray()
        self._buffer = bytearray()
        self._scanned = 0
        self._unanswered = 0
        self._ended = False
        self._poll = select.poll()
        for descriptor in (into, out, err):
            if descriptor is not None:
                os.set_blocking(descriptor, False)
        self._poll.register(out, select.POLLIN)
        if err is not None:
            self._poll.register(err, select.POLLIN)

    def send(self, data: bytes) -> None:
        """Write without waiting, in one call where the pipe has room; the rest goes out in :meth:`line`."""
        self._unsent += data
        self._flush()

    def line(self, watch: Stopwatch) -> bytes | Halt:
        """The bot's next line, without its end, or why there is none."""
        looked_again = False
        while True:
            line = self._take_line()
            if line is not None:
                return line
            if self._ended or self._out is None:
                return Halt.CLOSED
            left_ms = watch.left_ms()
            if left_ms > 0:
                self._pump(left_ms)
            elif looked_again or not self._pump(0):
                return Halt.TIME
            # On a busy machine a line may have come while we waited to say that time is up.
            looked_again = left_ms <= 0

    def answered(self) -> None:
        """The last line was a valid reply: the count of output begins anew."""
        self._unanswered = 0

    def settle(self, watch: Stopwatch) -> Halt | None:
        """After garbage: drop what the bot goes on printing; ``FLOOD`` when it does not stop.

        Telling a flood by its first line would make the verdict a matter of what that line says.
        """
        while not self._ended:
            self._consume(self._buffer.rfind(b"\n") + 1)
            if self._unanswered > MAX_UNANSWERED_BYTES or len(self._buffer) > MAX_LINE_BYTES:
                return Halt.FLOOD
            if watch.left_ms() <= 0 or not self._pump(_QUIET_MS):
                break
        self._consume(self._buffer.rfind(b"\n") + 1)
        return None

    def hang_up_when_sent(self, seconds: float) -> None:
        """Write what is left to write, for so many seconds at the most, then close the bot's input."""
        watch = WallWatch(seconds * 1000.0)
        while self._unsent and not self._ended and (left_ms := watch.left_ms()) > 0:
            self._pump(left_ms)
            self._buffer.clear()
        self.hang_up()

    def drain(self, seconds: float) -> None:
        """Throw away what the bot prints until it closes its output, for so many seconds at the most."""
        watch = WallWatch(seconds * 1000.0)
        while self._out is not None and not self._ended and (left_ms := watch.left_ms()) > 0:
            self._pump(left_ms)
            self._buffer.clear()
        self._scanned = 0
        self.collect_log()

    def collect_log(self) -> None:
        """Take what is in the log's pipe now, without waiting; a flood is left where it is."""
        for _ in range(16):
            if self._err is None or not self._read_log():
                return

    def hang_up(self) -> None:
        """Close the bot's input: it reads an end of file."""
        if self._into is not None:
            if self._unsent:
                self._poll.unregister(self._into)
                self._unsent.clear()
            os.close(self._into)
            self._into = None

    def close(self) -> None:
        """Close all of it, the log's last words taken first. Harmless when repeated."""
        self.hang_up()
        self.collect_log()
        for descriptor in (self._out, self._err):
            if descriptor is not None:
                os.close(descriptor)
        self._out = self._err = None

    def _pump(self, timeout_ms: float) -> bool:
        """Wait for the pipes and serve them once; whether the bot printed anything."""
        printed = False
        for descriptor, _ in self._poll.poll(math.ceil(timeout_ms)):
            if descriptor == self._into:
                self._flush()
            elif descriptor == self._err:
                self._read_log()
            else:
                printed = True
                self._read_out(descriptor)
        return printed

    def _flush(self) -> None:
        if self._into is None or not self._unsent:
            self._unsent.clear()
            return
        waiting = False
        try:
            sent = os.write(self._into, self._unsent)
            del self._unsent[:sent]
            waiting = bool(self._unsent)
        except BlockingIOError:
            waiting = True
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise
            self._unsent.clear()  # it does not read any more; what it printed is still worth reading
        if waiting:
            self._poll.register(self._into, select.POLLOUT)
        else:
            with contextlib.suppress(KeyError):
                self._poll.unregister(self._into)

    def _read_out(self, descriptor: int) -> None:
        chunk = os.read(descriptor, _CHUNK_BYTES)
        if not chunk:
            self._ended = True
            self._poll.unregister(descriptor)
        self._buffer += chunk

    def _read_log(self) -> bool:
        assert self._err is not None
        try:
            chunk = os.read(self._err, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        if not chunk:
            self._poll.unregister(self._err)
            os.close(self._err)
            self._err = None
        self._log.write(chunk)
        return bool(chunk)

    def _take_line(self) -> bytes | Halt | None:
        end = self._buffer.find(b"\n", self._scanned)
        if (len(self._buffer) if end < 0 else end) > MAX_LINE_BYTES:
            return Halt.LONG_LINE
        if end < 0:
            self._scanned = len(self._buffer)
            return None
        line = bytes(self._buffer[:end])
        self._consume(end + 1)
        return line if self._unanswered <= MAX_UNANSWERED_BYTES else Halt.FLOOD

    def _consume(self, size: int) -> None:
        # Counted as it is taken, not as it is read, so that a verdict never depends on how much
        # of the output one read happens to bring.
        del self._buffer[:size]
        self._scanned = 0
        self._unanswered += size
