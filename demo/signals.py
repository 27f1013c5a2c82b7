"""Ctrl-C and its kin, once: the first one interrupts whatever we do, and nothing disturbs the tidying up."""

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """We were asked to end. No Exception: nobody takes it for an error of a request."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.exit_code = 128 + signum


def interruptible() -> None:
    """From now on the first signal raises Interrupted, and later ones are ignored."""
    for signum in SIGNALS:
        signal.signal(signum, _interrupt)


def undisturbed() -> None:
    """From now on those signals are ignored."""
    for signum in SIGNALS:
        signal.signal(signum, signal.SIG_IGN)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    undisturbed()
    raise Interrupted(signum)
