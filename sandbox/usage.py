"""What a sandbox's processes have used of processors and waited for them, from the kernel's statistics."""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TICK_NS: Final = 1_000_000_000 // os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Reading:
    """Sums that only differences make sense of; all in nanoseconds.

    Attributes:
        at_ns: when it was taken, on the monotonic clock.
        used_ns: processor time of all processes below the first, those that ended included where a
            process waited for them. Children that nobody waits for take theirs with them.
        waited_ns: how long their threads were ready to run and not let.
        reader_waited_ns: the same of the thread that took the reading.
    """

    at_ns: int
    used_ns: int
    waited_ns: int
    reader_waited_ns: int


class Meter:
    """Reads the statistics of one sandbox; some 100 µs a reading.

    Args:
        first: the process that all others of the sandbox descend from, as numbered here.
    """

    def __init__(self, first: int) -> None:
        self._first = first
        self._waits: dict[int, int] = {}
        self._waited_ns = 0

    def read(self) -> Reading:
        """Look now. A thread that ended since the last reading is counted up to that one."""
        used_ns = 0
        waits: dict[int, int] = {}
        for pid, tasks in _processes(self._first):
            used_ns += _used_ns(pid)
            for task in tasks:
                waits[task] = _waited_ns(f"/proc/{pid}/task/{task}/schedstat")
        before = self._waits
        # What a new thread has waited, it has waited since the last reading.
        self._waited_ns += sum(max(0, waited - before.get(task, 0)) for task, waited in waits.items())
        self._waits = waits
        reader_waited_ns = _waited_ns("/proc/thread-self/schedstat")
        return Reading(time.monotonic_ns(), used_ns, self._waited_ns, reader_waited_ns)

    def wants_to_run(self) -> bool:
        """Whether a thread is running or ready to: a wait that is not over is in no statistics yet."""
        for pid, tasks in _processes(self._first):
            for task in tasks:
                if _stat(f"/proc/{pid}/task/{task}/stat")[:1] == [b"R"]:
                    return True
        return False


def _processes(first: int) -> Iterator[tuple[int, list[int]]]:
    """Each process of a sandbox with its threads; those that end meanwhile are left out."""
    waiting = [first]
    while waiting:
        pid = waiting.pop()
        try:
            tasks = [int(task) for task in os.listdir(f"/proc/{pid}/task")]
        except OSError:
            continue
        yield pid, tasks
        for task in tasks:
            waiting.extend(map(int, _read(f"/proc/{pid}/task/{task}/children").split()))


def _used_ns(pid: int) -> int:
    """Of a process with all its threads, dead ones too, and of the children that it has waited for."""
    try:
        # The clock of another process: the kernel's CPUCLOCK_SCHED of that number.
        own = time.clock_gettime_ns((~pid << 3) | 2)
    except OSError:
        own = 0
    fields = _stat(f"/proc/{pid}/stat")
    children_ticks = int(fields[13]) + int(fields[14]) if len(fields) > 14 else 0
    return own + children_ticks * _TICK_NS


def _waited_ns(path: str) -> int:
    fields = _read(path).split()
    return int(fields[1]) if len(fields) > 1 else 0


def _stat(path: str) -> list[bytes]:
    """The fields behind the process's name, which may hold anything: its state is the first."""
    return _read(path).rpartition(b")")[2].split()


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
