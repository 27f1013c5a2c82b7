"""How a bot's container is confined: one table, each option with its reason.

The names are the engine's own (``HostConfig`` of its API). What is never taken from data: privileged,
pid and user namespaces, devices, added capabilities, mounts, sysctls, runtimes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sandbox.languages import SCRATCH_DIR
from sandbox.limits import Limits
from sandbox.seccomp import docker_profile

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Option:
    """One setting.

    Attributes:
        name: as in ``HostConfig``.
        reason: what is open without it.
    """

    name: str
    value: Any
    reason: str


#: What tells of the machine and of its other guests. The first eight are the engine's own defaults,
#: which a list of ours replaces.
MASKED_PATHS: Final = (
    *("/proc/asound", "/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/latency_stats"),
    *("/proc/timer_list", "/proc/timer_stats", "/proc/sched_debug", "/proc/scsi", "/sys/firmware"),
    *("/proc/stat", "/proc/loadavg", "/proc/interrupts", "/proc/softirqs", "/proc/schedstat", "/proc/vmstat"),
    *("/proc/zoneinfo", "/proc/buddyinfo", "/proc/diskstats", "/proc/pressure", "/proc/cmdline"),
    "/proc/locks",
    *("/proc/modules", "/proc/kallsyms", "/proc/slabinfo", "/proc/pagetypeinfo", "/proc/key-users"),
    *("/proc/sys/fs", "/proc/sys/kernel/random", "/proc/sys/kernel/ns_last_pid", "/sys/fs/cgroup"),
    *("/sys/kernel", "/sys/module", "/sys/block", "/sys/class", "/sys/devices/virtual"),
)
READONLY_PATHS: Final = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")


def host_config(limits: Limits, cgroup_parent: str, mounts: Mapping[str, str]) -> dict[str, Any]:
    """The table as the engine takes it.

    Args:
        cgroup_parent: where its control group is, so that the janitor knows it for one of ours.
        mounts: the seat's own folders, ``{path here: path in the container}``; all are read-only.
    """
    config = {option.name: option.value for option in hardening(limits)}
    config["Mounts"] = [
        {"Type": "bind", "Source": here, "Target": there, "ReadOnly": True} for here, there in mounts.items()
    ]
    config["CgroupParent"] = cgroup_parent
    if limits.scratch_mib:
        # Only ever a build's. Without nr_inodes empty files would take the kernel's memory.
        options = f"size={limits.scratch_mib}m,nr_inodes=4096,mode=1777,noexec,nosuid,nodev"
        config["Tmpfs"] = {SCRATCH_DIR: options}
    if limits.core is not None:
        config["CpusetCpus"] = str(limits.core)
    return config


def hardening(limits: Limits) -> tuple[Option, ...]:
    """The table."""
    memory_bytes = limits.memory_mib * _MIB
    return (
        Option("NetworkMode", "none", "no network of any kind, not even a bridge to other containers"),
        Option("Dns", ["127.0.0.1"], "the host's resolvers would stand in resolv.conf"),
        Option("ReadonlyRootfs", True, "a bot has no writable place"),
        Option("CapDrop", ["ALL"], "root's powers, one by one, are what break-outs use"),
        Option(
            "SecurityOpt",
            ["no-new-privileges:true", f"seccomp={docker_profile()}"],
            "a setuid file gave euid 0 with all capabilities dropped; the engine's own list of calls leaves "
            "vsock, netlink, io_uring and ptrace open",
        ),
        Option("MaskedPaths", list(MASKED_PATHS), "the machine's load and its other guests could be watched"),
        Option("ReadonlyPaths", list(READONLY_PATHS), "the kernel's own switches"),
        Option("IpcMode", "none", "with a read-only root /dev/shm would still be writable"),
        Option(
            "Init",
            False,
            "the launcher is one; what the engine's writes to, its bot could, at 400 MB a second",
        ),
        Option("PidsLimit", limits.pids, "fork and thread bombs"),
        Option("Memory", memory_bytes, "memory bombs"),
        Option("MemorySwap", memory_bytes, "left out it doubles the memory"),
        Option(
            "Ulimits",
            [
                _ulimit("core", 0),
                _ulimit("cpu", limits.cpu_s),
                _ulimit("fsize", limits.file_mib * _MIB),
                _ulimit("memlock", 0),
                _ulimit("msgqueue", 0),
                _ulimit("rtprio", 0),
                _ulimit("nice", 0),
                _ulimit("nofile", limits.open_files),
            ],
            "core dumps on the host's disk, locked memory, message queues as a hidden store, a place before "
            "others in the queue for a processor; no limit on processes here: it counts by user over all "
            "containers",
        ),
        Option("OomScoreAdj", 1000, "when the host runs out of memory a bot goes first"),
        Option("LogConfig", {"Type": "none"}, "one bot wrote 58 MB a second to the host's disk"),
        Option("RestartPolicy", {"Name": "no"}, "a bot that ends stays ended"),
        Option("AutoRemove", False, "the exit code and the out-of-memory mark are read first"),
        Option("Privileged", False, "never"),
    )


def _ulimit(name: str, value: int) -> dict[str, Any]:
    return {"Name": name, "Soft": value, "Hard": value}
