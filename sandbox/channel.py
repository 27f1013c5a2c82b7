"""Speaking with a process over pipes: one plain poll loop, shared by every backend.

Nothing here ever blocks longer than the stopwatch allows: a bot that does not read cannot hold the
referee up, and one that prints without end is cut off at the protocol's limits.
"""

import errno
import math
import os
import select
from enum import StrEnum

from arena.protocol import MAX_LINE_BYTES, MAX_UNANSWERED_BYTES
from sandbox.log import BotLog
from sandbox.stopwatch import Stopwatch, WallWatch

_CHUNK_BYTES = 64 * 1024  # no line in one of these is too long
#: How long a quick answer is waited for.
_SOON_MS = 5
#: After garbage, how long a bot may be quiet before it is not called a flood.
_QUIET_MS = 20.0
#: How many times as long, where it may only be waiting for a processor: so a flood is one on a busy machine.
_QUIET_LOOKS = 25


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
        self._poll_out = select.poll()
        self._poll_out.register(out, select.POLLIN)
        self._usual = [(out, select.POLLIN)]
        if err is not None:
            self._poll.register(err, select.POLLIN)

    def send(self, data: bytes) -> None:
        """Write without waiting, in one call where the pipe has room; the rest goes out in :meth:`line`."""
        if not self._unsent:
            if (sent := self._write(data)) == len(data):
                return
            assert self._into is not None
            self._poll.register(self._into, select.POLLOUT)
            data = data[sent:]
        self._unsent += data

    def quick_line(self) -> bytes | None:
        """What comes nearly always, without its end: one line in one piece, soon. Whatever else it is,
        :meth:`line` has it. The log waits in its pipe; a bot that has filled that waits for :meth:`line`."""
        if self._buffer or self._unanswered or self._ended or self._poll_out.poll(_SOON_MS) != self._usual:
            return None
        chunk = os.read(self._usual[0][0], _CHUNK_BYTES)
        if not 0 <= chunk.find(b"\n") == len(chunk) - 1:
            self._take_in(chunk)
            return None
        self._unanswered = len(chunk)
        return chunk[:-1]

    def line(self, watch: Stopwatch) -> bytes | Halt:
        """The bot's next line, without its end, or why there is none."""
        looked_again = False
        while True:
            if self._buffer and (line := self._take_line()) is not None:
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
        looks = _QUIET_LOOKS
        while looks and not self._ended:
            self._consume(self._buffer.rfind(b"\n") + 1)
            if self._unanswered > MAX_UNANSWERED_BYTES or len(self._buffer) > MAX_LINE_BYTES:
                return Halt.FLOOD
            if watch.left_ms() <= 0:
                break
            if not self._pump(_QUIET_MS):
                looks = looks - 1 if watch.wants_to_run() else 0
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
        """Send what is left to send, as far as there is room."""
        del self._unsent[: self._write(self._unsent)]
        if not self._unsent and self._into is not None:
            self._poll.unregister(self._into)

    def _write(self, data: bytes | bytearray) -> int:
        """How many bytes are taken care of: all, where nobody reads any more; what it printed is still
        worth reading."""
        if self._into is None:
            return len(data)
        try:
            return os.write(self._into, data)
        except BlockingIOError:
            return 0
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise
            return len(data)

    def _read_out(self, descriptor: int) -> None:
        self._take_in(os.read(descriptor, _CHUNK_BYTES))

    def _take_in(self, chunk: bytes) -> None:
        if not chunk:
            self._ended = True
            assert self._out is not None
            self._poll.unregister(self._out)
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
