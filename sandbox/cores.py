"""One table, one core: a wake-up across cores costs more than all that the referee does in between.

A table's referee and its bots are kept on a core together, and no other table of this machine is on it.

While the referee waits for a slow answer it runs ahead of its bots and of whatever else is there: for some
microseconds at a time, and while it had to wait to read an answer nobody could say when that came. It doesn't
for a quick one, whose time can change no verdict: to be interrupted as it writes costs a bot two more changes
of process, which is a seventh of all that a quick decision takes.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from sandbox.locks import lock_one


@contextlib.contextmanager
def own_core(folder: Path | None = None) -> Iterator[int | None]:
    """Keep this thread on a core that no other table has.

    Gives the core, or ``None`` where all that this process may use are taken: then nothing is changed.
    A core is free again when its process ends, however that ends.

    Args:
        folder: where the locks are, instead of the machine's place (:mod:`sandbox.locks`).

    Raises:
        PlatformFailure: the locks can't be written.
    """
    usable = os.sched_getaffinity(0)
    with contextlib.ExitStack() as stack:
        lock = lock_one("cores", sorted(usable), folder)
        if lock is not None:
            stack.callback(lock.release)
            os.sched_setaffinity(0, {lock.number})
            stack.callback(os.sched_setaffinity, 0, usable)
        yield lock.number if lock is not None else None


@contextlib.contextmanager
def running_first() -> Iterator[bool]:
    """Let this thread run as soon as it wants to; whether that was permitted (it takes CAP_SYS_NICE or a
    limit ``rtprio``). What it starts meanwhile runs as usual."""
    before, parameters = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except PermissionError:
        yield False
        return
    try:
        yield True
    finally:
        try:
            os.sched_setscheduler(0, before, parameters)
        except PermissionError:  # without CAP_SYS_NICE the flag is for good; it changes nothing more
            os.sched_setscheduler(0, before | os.SCHED_RESET_ON_FORK, parameters)
