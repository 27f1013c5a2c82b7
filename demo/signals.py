"""Ctrl-C and its kin, once: the first one interrupts whatever we do, and nothing disturbs the tidying up."""

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """We were asked to end. No Exception: nobody takes it for an error of a request."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.exit_code = 128 + signum


_asked: Interrupted | None = None


def interruptible() -> None:
    """From now on the first signal raises Interrupted, and later ones are ignored."""
    global _asked  # noqa: PLW0603 - a process has one set of signals
    _asked = None
    for signum in SIGNALS:
        signal.signal(signum, _interrupt)


def undisturbed() -> None:
    """From now on those signals are ignored."""
    for signum in SIGNALS:
        signal.signal(signum, signal.SIG_IGN)


def heed() -> None:
    """Raises Interrupted if we were asked to end. What is raised by a signal gets lost where Python drops all
    that is raised: in a finaliser, or a hook of fork. Whoever goes on for long looks here."""
    if _asked is not None:
        raise _asked


def _interrupt(signum: int, frame: FrameType | None) -> None:
    global _asked  # noqa: PLW0603
    undisturbed()
    _asked = Interrupted(signum)
    raise _asked
