"""What a sandbox leaves on a machine, and what an attack costs the referee's process."""

import contextlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Trace:
    """What tells a sandbox's processes and control groups from all others of the machine."""

    namespace: int
    cgroups: frozenset[str]
    keeper: int  # the process here that started it

    @classmethod
    def of(cls, first_process: int) -> "Trace":
        """Of the sandbox with this first process, while it lives."""
        own, its = (
            {line.rpartition("/")[2] for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()}
            for pid in ("self", first_process)
        )
        return cls(
            os.stat(f"/proc/{first_process}/ns/pid").st_ino, frozenset(its - own), _parent(first_process)
        )

    def left(self, ended_s: float) -> list[object]:
        """What is there of it after it ended, at this moment of `now_s`."""
        return [*self.processes(ended_s), *self.groups()]

    def processes(self, ended_s: float = float("inf")) -> list[int]:
        """Those of it that live; what has ended, and only waits for its exit code to be read, does not. One
        that began after the end is of a later sandbox with the same number."""
        return [
            pid
            for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
            if _namespace_of(pid) == self.namespace and _began_s(pid) < ended_s
        ]

    def tasks(self) -> list[int]:
        """Its threads."""
        return [int(task) for pid in self.processes() for task in os.listdir(f"/proc/{pid}/task")]

    def groups(self) -> list[str]:
        """Its control groups that are there."""
        return [folder for folder, _, _ in os.walk("/sys/fs/cgroup") if Path(folder).name in self.cgroups]


@dataclass
class Traced:
    """A backend that keeps the trace of each sandbox that it starts."""

    inner: object
    traces: list[Trace] = field(default_factory=list)

    def launch(self, package, limits, log, label=""):
        session = self.inner.launch(package, limits, log, label)
        assert session.first_process is not None, "its processes can't be seen from here"
        self.traces.append(Trace.of(session.first_process))
        return session


def now_s():
    """On the clock of which a process's beginning is told."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def descriptors():
    """How many files and pipes this process has open; the connections to an engine come and go."""
    found = 0
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found += not os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
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


def _began_s(pid):
    """When a living process began; never for one that has ended."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("inf")
    return float("inf") if state == "Z" else int(fields[18]) / _TICKS
