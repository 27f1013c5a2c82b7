"""What a sandbox leaves on a machine, and what an attack costs the referee's process."""

import contextlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path


class Trace:
    """What tells a sandbox's processes and control groups from all others of the machine.

    It holds the namespace of their numbers, so that no later one gets the same inode.

    Args:
        first_process: of the sandbox, while it lives.

    Attributes:
        keeper: the process here that started it.
    """

    def __init__(self, first_process: int) -> None:
        self._held = os.open(f"/proc/{first_process}/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self._namespace = os.fstat(self._held).st_ino
        own, its = (
            {line.rpartition("/")[2] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()}
            for pid in ("self", first_process)
        )
        self._cgroups = its - own
        self.keeper = _parent(first_process)

    def __del__(self) -> None:
        os.close(self._held)

    def left(self) -> list[object]:
        """What is there of it."""
        return [*self.processes(), *self.groups()]

    def processes(self) -> list[int]:
        """Those of it that live; what has ended, and only waits for its exit code to be read, does not."""
        return [
            pid
            for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
            if _namespace_of(pid) == self._namespace and _lives(pid)
        ]

    def tasks(self) -> list[int]:
        """Its threads."""
        return [int(task) for pid in self.processes() for task in os.listdir(f"/proc/{pid}/task")]

    def groups(self) -> list[str]:
        """Its control groups that are there; under bubblewrap it has none of its own."""
        if not self._cgroups:
            return []
        return [folder for folder, _, _ in os.walk("/sys/fs/cgroup") if Path(folder).name in self._cgroups]


@dataclass
class Traced:
    """A backend that keeps the trace of each sandbox that it starts."""

    inner: object
    traces: list[Trace] = field(default_factory=list)

    def launch(self, package, limits, log, label=""):
        session = self.inner.launch(package, limits, log, label)
        assert session.first_process is not None, "its processes can't be seen from here"
        self.traces.append(Trace(session.first_process))
        return session


def descriptors():
    """How many files and pipes this process has open; connections to an engine come and go, and so does what
    the watchdog reads."""
    found = 0
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found += not os.readlink(f"/proc/self/fd/{name}").startswith(("socket:", "/proc/"))
    return found


def reset_peak():
    """From now on `peak_kib` tells of what comes."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_kib():
    """The most memory that this process has held since."""
    return _status("VmHWM")


def resident_kib():
    """What it holds now."""
    return _status("VmRSS")


def processor_s(pid):
    """What a process has used of processors, all its threads together."""
    return time.clock_gettime((~pid << 3) | 2)


def size_of(folder):
    """Bytes of all files below."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def _status(name):
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise LookupError(name)


def _parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def _namespace_of(pid):
    try:
        return os.stat(f"/proc/{pid}/ns/pid").st_ino
    except OSError:
        return None


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
