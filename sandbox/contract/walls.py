"""The walls that no attack of the others would miss: each is looked at from the inside.

Where one wall has another behind it, an attack fails with either; here each one's own mark is read.
"""

import os
from typing import Final

from sandbox.contract.means import behaviour, must, report_of
from sandbox.limits import Limits
from sandbox.session import Backend

_NAMESPACES: Final = ("net", "ipc", "pid", "uts", "mnt")
#: What tells of the machine and of the load that others make; masked where it is there.
_TELLING: Final = (
    *("/proc/keys", "/proc/key-users", "/proc/kallsyms", "/proc/modules", "/proc/timer_list"),
    *("/proc/stat", "/proc/loadavg", "/proc/interrupts", "/proc/softirqs", "/proc/schedstat", "/proc/vmstat"),
    *("/proc/zoneinfo", "/proc/buddyinfo", "/proc/diskstats", "/proc/cmdline", "/proc/slabinfo"),
    *(
        "/proc/pagetypeinfo",
        "/proc/locks",
        "/proc/pressure/cpu",
        "/proc/pressure/io",
        "/proc/pressure/memory",
    ),
    *(
        "/proc/sys/fs/file-nr",
        "/proc/sys/fs/inode-nr",
        "/proc/sys/fs/inode-state",
        "/proc/sys/fs/dentry-state",
    ),
)
_PROBES: Final = r"""
def namespaces(names):
    return {name: os.readlink("/proc/self/ns/" + name) for name in names}

def told_by(paths):
    found = []
    for path in paths:
        try:
            if open(path, "rb").read(1):
                found.append(path)
        except OSError:
            pass
    return found

def limits():
    names = "CORE CPU FSIZE MEMLOCK NOFILE RTPRIO NICE".split()
    found = {name.lower(): resource.getrlimit(getattr(resource, "RLIMIT_" + name))[1] for name in names}
    found["msgqueue"] = resource.getrlimit(12)[1]  # RLIMIT_MSGQUEUE, for which Python has no name
    found["oom_score_adj"] = int(open("/proc/self/oom_score_adj").read())
    return found

def resolvers():
    try:
        lines = open("/etc/resolv.conf").read().splitlines()
    except OSError:
        return []
    return [line.split()[1] for line in lines if line.startswith("nameserver")]

"""


@behaviour
def its_namespaces_are_its_own(backend: Backend) -> None:
    found = report_of(backend, f"{_PROBES}ready(found=namespaces({_NAMESPACES!r}))")
    shared = [name for name in _NAMESPACES if found[name] == os.readlink(f"/proc/self/ns/{name}")]
    must(not shared, f"it shares the worker's {shared}")


@behaviour
def it_is_neither_the_first_process_nor_in_a_session_of_ours(backend: Backend) -> None:
    pid, session = report_of(backend, "ready(found=[os.getpid(), os.getsid(0)])")
    # As the first process it could hide from the engine; in our session it could type on our terminal.
    must(pid != 1, "it is the first process")
    must(session != 0, "its session began outside")


@behaviour
def the_machine_and_its_load_are_masked(backend: Backend) -> None:
    found = report_of(backend, f"{_PROBES}ready(found=told_by({_TELLING!r}))")
    must(not found, f"it reads {found}")


@behaviour
def it_does_not_learn_the_machines_names(backend: Backend) -> None:
    name, resolvers = report_of(backend, f"{_PROBES}ready(found=[os.uname().nodename, resolvers()])")
    must(name == "bot", f"its host is called {name!r}")
    must(resolvers in ([], ["127.0.0.1"]), f"it is told of the resolvers {resolvers}")


@behaviour
def the_limits_of_its_processes_are_set(backend: Backend) -> None:
    limits = Limits()
    found = report_of(backend, f"{_PROBES}ready(found=limits())", limits)
    wanted = {
        "core": 0,
        "cpu": limits.cpu_s,
        "fsize": limits.file_mib << 20,
        "memlock": 0,
        "nofile": limits.open_files,
        "msgqueue": 0,
        "rtprio": 0,
        "nice": 0,
        "oom_score_adj": 1000,
    }
    must(found == wanted, f"they are {found}, not {wanted}")
