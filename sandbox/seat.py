"""A session as the referee's Seat."""

from collections.abc import Callable

from arena.protocol import Garbage, Hello, Message, Question, encode, parse_reply
from arena.seat import Answer, Failure, FaultKind, Reply
from sandbox.attribution import blame
from sandbox.channel import Halt
from sandbox.cores import running_first
from sandbox.fairclock import clock_of
from sandbox.languages import languages
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.session import Backend, Session
from sandbox.stopwatch import SeatClock, Stopwatch, WallClock

#: How long a process that closed its output may take to end by itself, so that its exit code is known.
_LAST_BREATH_S = 2.0
#: How long a process has after ``bye`` (protocol.md).
_BYE_S = 1.0
#: Where a language says that memory ran out: before its last words, which may be a long trace.
_LOG_TAIL_CHARS = 8_000
#: Where there is less time the referee runs first from the beginning, not only once an answer is slow: what
#: it waits for a processor then, which is some hundredths of a second at the worst, could change a verdict.
_CLOSE_MS = 1_000.0


class ProcessSeat:
    """A bot in a sandbox, as arena's Seat port wants it.

    Launch and use it in one thread: bubblewrap's processes end with the thread that started them.

    Args:
        backend: what confines it.
        package: the bot.
        limits: what it may use.
        label: which table and seat this is, for operators.
        new_clock: makes the clock of a process, from its session and the only core it may run on.
    """

    def __init__(
        self,
        backend: Backend,
        package: Package,
        limits: Limits | None = None,
        *,
        label: str = "",
        new_clock: Callable[[Session, int | None], SeatClock] = clock_of,
    ) -> None:
        self._backend = backend
        self._package = package
        self._limits = limits or Limits()
        self._label = label
        self._new_clock = new_clock
        self._clock: SeatClock = WallClock()
        self._log = BotLog()
        self._queued: list[Message] = []
        self._session: Session | None = None
        self._ready = False
        #: Whether its last answer was; then the next may be, and the referee runs first from the beginning:
        #: a bot that is woken by the question would think before its time is taken.
        self._slow = False

    @property
    def live(self) -> bool:
        """Whether a process has answered ``hello`` and has not ended or been stopped since."""
        return self._ready

    @property
    def log(self) -> str:
        """What the bot wrote to its standard error since the log was last taken; for its owner only."""
        if self._session is not None:
            self._session.channel.collect_log()
        return self._log.text()

    def take_log(self) -> str:
        """The log up to now; the next match begins with an empty one."""
        if self._session is not None:
            self._session.channel.collect_log()
        return self._log.take()

    def tell(self, message: Message) -> None:
        """Queue a message; it goes out with the next question, in the same write."""
        self._queued.append(message)

    def ask(self, question: Question, budget_ms: float) -> Answer:
        """Put a question and wait for its reply; a ``Hello`` starts the process first.

        Raises:
            PlatformFailure: the sandbox could not be made, or was lost.
        """
        if budget_ms < _CLOSE_MS or self._slow:
            with running_first():
                return self._ask(question, budget_ms)
        return self._ask(question, budget_ms)

    def _ask(self, question: Question, budget_ms: float) -> Answer:
        starting = type(question) is Hello
        if starting:
            self._launch()
        if self._session is None:
            raise RuntimeError("a question to a seat whose process is not running")
        channel = self._session.channel
        self._queued.append(question)
        channel.send(encode(self._queued))
        watch = self._clock.start(budget_ms)
        self._queued.clear()
        answer = None
        if (line := channel.quick_line()) is not None:
            answer = self._answer(line, question.id, watch, budget_ms, starting)
        self._slow = answer is None
        if answer is None:
            # Nobody could say when an answer came that we had to wait for a processor to read.
            with running_first():
                answer = self._await(question.id, watch, budget_ms, starting)
        if starting:
            self._ready = self._session is not None and isinstance(answer, Reply)
        return answer

    def off_turn_ms(self) -> float:
        """See :class:`arena.seat.Seat`."""
        return self._clock.off_turn_ms() if self._ready else 0.0

    def stop(self) -> None:
        """Kill the process at once and forget what is queued. Harmless when repeated."""
        self._queued.clear()
        self._ready = False
        if self._session is not None:
            session, self._session = self._session, None
            session.finish()

    def close(self) -> None:
        """Send what is queued, give the process a second to end, kill it. Harmless when repeated."""
        if self._session is not None:
            channel = self._session.channel
            channel.send(encode(self._queued))
            channel.hang_up_when_sent(_BYE_S)
            channel.drain(_BYE_S)
            session, self._session = self._session, None
            session.finish(_BYE_S)
        self.stop()

    def _launch(self) -> None:
        """Make a sandbox with a fresh process; the time that takes is the platform's, not the bot's, and
        the backend has a limit of its own for it."""
        self.stop()
        self._session = self._backend.launch(self._package, self._limits, self._log, self._label)
        self._clock = self._new_clock(self._session, self._limits.core)

    def _await(self, question_id: str, watch: Stopwatch, budget_ms: float, starting: bool) -> Answer:
        """Read lines up to an answer, or to the end of the time or of the bot."""
        assert self._session is not None
        ignored: set[bytes] = set()  # most floods repeat themselves; one look at a line is enough
        while True:
            line = self._session.channel.line(watch)
            if isinstance(line, Halt):
                return self._fault(line, watch.charged_ms(), starting)
            if line not in ignored:
                answer = self._answer(line, question_id, watch, budget_ms, starting)
                if answer is not None:
                    return answer
                ignored.add(line)

    def _answer(
        self, line: bytes, question_id: str, watch: Stopwatch, budget_ms: float, starting: bool
    ) -> Answer | None:
        """What a line is to the question: ``None`` where it answers another, or none."""
        assert self._session is not None
        try:
            value = parse_reply(line)
        except Garbage as garbage:
            charged_ms = watch.charged_ms()
            if self._session.channel.settle(watch) is not None:
                return self._fault(Halt.FLOOD, charged_ms, starting)
            return Failure(FaultKind.GARBAGE, str(garbage), charged_ms)
        if value.get("id") != question_id:
            return None
        self._session.channel.answered()
        charged_ms = watch.charged_ms()
        if charged_ms <= budget_ms:
            return Reply(value, charged_ms)
        # It came late, and we came later still.
        return self._fault(Halt.TIME, charged_ms, starting)

    def _fault(self, halt: Halt, charged_ms: float, starting: bool) -> Failure:
        """Say what a question without an answer means; everything but a late reply ends the process."""
        evidence = None
        if starting or halt is not Halt.TIME:
            assert self._session is not None
            session, self._session = self._session, None
            evidence = session.finish(_LAST_BREATH_S if halt is Halt.CLOSED else 0.0)
            self.stop()
        fault = blame(
            halt,
            evidence,
            starting=starting,
            memory_mib=self._limits.memory_mib,
            ran_out=self._ran_out(),
        )
        return Failure(fault.kind, fault.detail, charged_ms)

    def _ran_out(self) -> bool:
        """Whether the bot's last words are its language's for "no more memory"."""
        marks = languages()[self._package.language].memory_marks
        tail = self._log.text()[-_LOG_TAIL_CHARS:]
        return any(mark in tail for mark in marks)
