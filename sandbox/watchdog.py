"""The memory cap where no cgroup can be had: looks every 100 ms at what each sandbox holds.

One thread a process, started when it is first needed. Memory counts as the kernel shares it out
(PSS), so that pages of the interpreter that several bots share are not charged to each; and each
socket or pipe counts with what it can hold: a bot that filled sockets took 770 MB of the kernel's own.
What is swapped out counts like the rest: a bot can ask for it (MADV_PAGEOUT), and would seem small.
"""

import os
import threading
from collections.abc import Callable, Iterator

from sandbox.cores import running_first

_INTERVAL_S = 0.1
_MIB = 1024 * 1024
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
#: What one end can hold: a socket twice ``net.core.wmem_max`` as it is by default, a pipe half of 64 KiB.
_END_BYTES = {"socket": 2 * 212_992, "pipe": 32 * 1024}
_HIDDEN_ENDS = 64


class Watch:
    """One sandbox under watch.

    Args:
        root: the process that all others of the sandbox descend from.
        memory_mib: what they may hold together.
        kill: ends all of them; called in the watchdog's thread.

    Attributes:
        over_memory: it was killed for its memory.
    """

    def __init__(self, root: int, memory_mib: int, kill: Callable[[], None]) -> None:
        self.over_memory = False
        self._root = root
        self._limit_bytes = memory_mib * _MIB
        self._kill = kill

    def look(self) -> None:
        """Compare with the limit now; kill when over it."""
        found = list(descendants(self._root))
        swapped = sum(map(_swapped_bytes, found)) if _machine_swaps() else 0
        buffers = sum(map(_buffer_bytes, found))
        # Resident pages are cheap to read and never less than the share: mostly the first look is enough.
        if sum(map(_resident_bytes, found)) + swapped + buffers > self._limit_bytes:
            self.over_memory = sum(map(_share_bytes, found)) + buffers > self._limit_bytes
        if self.over_memory:
            self._kill()


class _Watchdog:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watches: set[Watch] = set()
        self._changed = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, watch: Watch) -> None:
        with self._lock:
            self._watches.add(watch)
            self._changed.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="memory-watchdog", daemon=True)
                self._thread.start()

    def remove(self, watch: Watch) -> None:
        with self._lock:
            self._watches.discard(watch)
            if not self._watches:
                self._changed.clear()

    def forget_all(self) -> None:
        """In a forked child: the thread is not there, and the sandboxes are the parent's."""
        self.__init__()  # type: ignore[misc]

    def _run(self) -> None:
        pause = threading.Event()
        # Kept waiting in the middle of a look, it would keep the interpreter, and with it the referee.
        with running_first():
            while self._changed.wait():
                with self._lock:
                    watches = list(self._watches)
                for watch in watches:
                    watch.look()
                pause.wait(_INTERVAL_S)


WATCHDOG = _Watchdog()
os.register_at_fork(after_in_child=WATCHDOG.forget_all)


def descendants(root: int) -> Iterator[int]:
    """A process and all below it; those that end meanwhile are left out."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            tasks = os.listdir(f"/proc/{pid}/task")
        except OSError:
            continue
        yield pid
        for task in tasks:
            waiting.extend(map(int, _read(f"/proc/{pid}/task/{task}/children").split()))


def _resident_bytes(pid: int) -> int:
    fields = _read(f"/proc/{pid}/statm").split()
    return int(fields[1]) * _PAGE_BYTES if len(fields) > 1 else 0


def _machine_swaps() -> bool:
    return _read("/proc/swaps").count("\n") > 1  # the first line says what the others are


def _swapped_bytes(pid: int) -> int:
    return kib_of("VmSwap", _read(f"/proc/{pid}/status")) * 1024


def _share_bytes(pid: int) -> int:
    """PSS, in memory and swapped out; all of it for a process that hides that (by not being dumpable)."""
    told = _read(f"/proc/{pid}/smaps_rollup")
    if not told:
        return _resident_bytes(pid) + _swapped_bytes(pid)
    return (kib_of("Pss", told) + kib_of("SwapPss", told)) * 1024


def kib_of(name: str, told: str) -> int:
    """A number of KiB from lines as ``name:  12 kB``; 0 where there is no such line."""
    for line in told.splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1])
    return 0


def _buffer_bytes(pid: int) -> int:
    """What a process's sockets and pipes can hold; as much as can be for one that hides them."""
    total = 0
    try:
        for descriptor in os.listdir(f"/proc/{pid}/fd"):
            kind = os.readlink(f"/proc/{pid}/fd/{descriptor}").partition(":")[0]
            total += _END_BYTES.get(kind, 0)
    except PermissionError:
        return _HIDDEN_ENDS * _END_BYTES["socket"]
    except OSError:
        pass  # it has just ended, or closed one
    return total


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii") as file:
            return file.read()
    except OSError:
        return ""
