"""One table, one core: a wake-up across cores costs more than all that the referee does in between.

A table's referee and its bots are kept on a core together, and no other table of this machine is on it.
The referee runs ahead of its bots and of whatever else is there: it works for some microseconds at a
time, and while it waits to read an answer nobody could say when that came.
"""

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def own_core(folder: Path | None = None) -> Iterator[int | None]:
    """Keep this thread on a core that no other table has, and run it first there.

    Gives the core, or ``None`` where all that this process may use are taken: then nothing is changed.
    A core is free again when its process ends, however that ends.

    Args:
        folder: where the locks are; tables that share a machine must share it.
    """
    folder = folder or Path(tempfile.gettempdir()) / f"polignac-cores-{os.getuid()}"
    usable = os.sched_getaffinity(0)
    with contextlib.ExitStack() as stack:
        core = _lock_one(sorted(usable), folder, stack)
        if core is not None:
            os.sched_setaffinity(0, {core})
            stack.callback(os.sched_setaffinity, 0, usable)
            stack.enter_context(running_first())
        yield core


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


def _lock_one(cores: list[int], folder: Path, stack: contextlib.ExitStack) -> int | None:
    folder.mkdir(mode=0o700, exist_ok=True)
    for core in cores:
        lock = os.open(folder / str(core), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            continue
        stack.callback(os.close, lock)
        return core
    return None
