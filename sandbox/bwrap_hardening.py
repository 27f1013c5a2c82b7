"""How a bot under bubblewrap is confined: one table, each wall with its reason.

What a bot sees at all is in :mod:`sandbox.bubblewrap`; its user, its memory and its core are no options of
bwrap's (:mod:`sandbox.slots`, :mod:`sandbox.watchdog`, :mod:`sandbox.bwrap_session`).
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sandbox.limits import Limits

_KIB = 1024


class Kind(StrEnum):
    """What a wall is made of.

    ``OPTION``: an option of bwrap's, before all mounts. ``MASK``: a file of /proc that is hidden.
    ``SEAL``: a mount that becomes read-only after all mounts. ``LIMIT``: one of the shell's ``ulimit``.
    """

    OPTION = "option"
    MASK = "mask"
    SEAL = "seal"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Wall:
    """One setting.

    Attributes:
        name: an option, a path, or a letter of ``ulimit``.
        reason: what is open without it.
        value: of an option or a limit.
    """

    kind: Kind
    name: str
    reason: str
    value: str | int = ""


_OPTIONS: Final = (
    Wall(Kind.OPTION, "--unshare-net", "the machine's network, and its abstract sockets"),
    Wall(Kind.OPTION, "--unshare-pid", "other processes are seen, and signalled by those of one user"),
    Wall(Kind.OPTION, "--unshare-ipc", "shared memory and message queues with others"),
    Wall(Kind.OPTION, "--unshare-uts", "the machine's name"),
    Wall(Kind.OPTION, "--unshare-cgroup-try", "the path of its control group tells where it runs"),
    Wall(Kind.OPTION, "--unshare-user", "the other namespaces, without being root"),
    Wall(Kind.OPTION, "--disable-userns", "a namespace of its own would give it all capabilities in there"),
    Wall(Kind.OPTION, "--die-with-parent", "a killed worker would leave spinning bots behind"),
    Wall(Kind.OPTION, "--new-session", "it could type on the terminal of whoever plays"),
    Wall(Kind.OPTION, "--clearenv", "the worker's environment holds its secrets"),
    Wall(Kind.OPTION, "--cap-drop", "root's powers, one by one, are what break-outs use", "ALL"),
    Wall(Kind.OPTION, "--hostname", "a name that says nothing", "bot"),
    Wall(Kind.OPTION, "--uid", "it is not root in there either", "1000"),
    Wall(Kind.OPTION, "--gid", "nor of root's group", "1000"),
)
_TELLS_OF_THE_LOAD: Final = "it tells of the machine, and of others' bots by the load that they make"
_MASKED: Final = (
    *("/proc/keys", "/proc/key-users", "/proc/kallsyms", "/proc/modules", "/proc/timer_list"),
    *("/proc/sched_debug", "/proc/stat", "/proc/loadavg", "/proc/interrupts", "/proc/softirqs"),
    *("/proc/schedstat", "/proc/vmstat", "/proc/zoneinfo", "/proc/buddyinfo", "/proc/diskstats"),
    *("/proc/cmdline", "/proc/slabinfo", "/proc/pagetypeinfo", "/proc/locks"),
    *("/proc/pressure/cpu", "/proc/pressure/io", "/proc/pressure/memory"),
    *(
        "/proc/sys/fs/file-nr",
        "/proc/sys/fs/inode-nr",
        "/proc/sys/fs/inode-state",
        "/proc/sys/fs/dentry-state",
    ),
)
_NOT_WRITABLE: Final = (
    "a bot has no writable place: a file bomb in a tmpfs took 650 MB of the kernel's in 2 s"
)


def hardening(limits: Limits, address_space_mib: int | None = None, pids: int = 0) -> tuple[Wall, ...]:
    """The table.

    Args:
        address_space_mib: what a language's runtime reserves, where the usual limit is too low; 0 for none.
        pids: what it needs, where that is more.
    """
    space_mib = limits.address_space_mib if address_space_mib is None else address_space_mib
    # The sandbox's own first process counts too.
    processes = max(limits.pids, pids) + 1
    space = (Wall(Kind.LIMIT, "-v", "memory in one piece, faster than the watchdog", space_mib * _KIB),)
    return (
        *_OPTIONS,
        *(Wall(Kind.MASK, path, _TELLS_OF_THE_LOAD) for path in _MASKED),
        *(Wall(Kind.SEAL, path, _NOT_WRITABLE) for path in ("/tmp", "/dev", "/proc", "/")),  # noqa: S108
        Wall(Kind.LIMIT, "-c", "core dumps on the machine's disk", 0),
        Wall(Kind.LIMIT, "-t", "a bot that everybody forgot ends some time", limits.cpu_s),
        Wall(Kind.LIMIT, "-f", "backs up that nothing is writable", limits.file_mib * _KIB),
        Wall(Kind.LIMIT, "-l", "locked memory", 0),
        Wall(Kind.LIMIT, "-q", "message queues as a hidden store", 0),
        Wall(Kind.LIMIT, "-r", "a worker that may run its referee first would hand that on to the bot", 0),
        Wall(Kind.LIMIT, "-e", "and the right to a better place in the queue for the processor", 0),
        Wall(Kind.LIMIT, "-n", "the kernel's memory behind each open file", limits.open_files),
        Wall(Kind.LIMIT, "-u", "fork and thread bombs; counted in the sandbox alone", processes),
        *(space if space_mib else ()),
    )


def options(walls: Iterable[Wall]) -> list[str]:
    """bwrap's options before all mounts."""
    found: list[str] = []
    for wall in _of(walls, Kind.OPTION):
        found += [wall.name, str(wall.value)] if wall.value != "" else [wall.name]
    return found


def masks(walls: Iterable[Wall]) -> list[str]:
    """bwrap's options once /proc is there; only what this kernel has is hidden."""
    found: list[str] = []
    for wall in _of(walls, Kind.MASK):
        if os.path.exists(wall.name):
            found += ["--ro-bind", "/dev/null", wall.name]
    return found


def seals(walls: Iterable[Wall]) -> list[str]:
    """bwrap's options after all mounts."""
    return [part for wall in _of(walls, Kind.SEAL) for part in ("--remount-ro", wall.name)]


def ulimits(walls: Iterable[Wall]) -> str:
    """A shell command for the inside."""
    return "ulimit " + " ".join(f"{wall.name} {wall.value}" for wall in _of(walls, Kind.LIMIT))


def _of(walls: Iterable[Wall], kind: Kind) -> Iterator[Wall]:
    return (wall for wall in walls if wall.kind is kind)
