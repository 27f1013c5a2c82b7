"""Ctrl-C and SIGTERM, so that neither leaves a bot behind."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ending_on_sigterm() -> Iterator[None]:
    """SIGTERM ends us the way Ctrl-C does: with KeyboardInterrupt."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    with _handled(interrupt, signal.SIGTERM):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Neither has an effect here: a second Ctrl-C must not interrupt the cleaning up after the first."""
    with _handled(signal.SIG_IGN, signal.SIGINT, signal.SIGTERM):
        yield


@contextmanager
def _handled(handler: "signal._HANDLER", *signals: signal.Signals) -> Iterator[None]:
    before = {}
    try:
        for number in signals:
            before[number] = signal.signal(number, handler)
    except ValueError:  # not in the main thread, where no signal arrives
        yield
        return
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
