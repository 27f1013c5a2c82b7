"""Removes containers whose worker is gone: a killed worker leaves spinning bots behind; and ghosts, which
have no container any more.

Each container says in labels whose it is and until when it may be there.
"""

import os
import time
from collections.abc import Mapping

import docker

from sandbox.containers import cgroups
from sandbox.containers.engine import engine_calls

SEAT_LABEL = "polignac.seat"
_WORKER_LABEL = "polignac.worker"
_DEADLINE_LABEL = "polignac.deadline"
#: Longer than any table: what is older was forgotten by a worker of whom nothing is known here.
LIFETIME_S = 24 * 60 * 60


def labels(seat: str) -> dict[str, str]:
    """The labels of a container that is made now, by this process.

    Args:
        seat: the table and seat, for operators.
    """
    return {
        SEAT_LABEL: seat or "-",
        _WORKER_LABEL: _worker(os.getpid()),
        _DEADLINE_LABEL: str(int(time.time()) + LIFETIME_S),
    }


def prune(client: docker.APIClient) -> list[str]:
    """Remove every container of ours whose worker has ended (or, of a worker that can't be seen from here,
    that is past its deadline), and every control group of ours that the engine knows no container for.

    Returns:
        The seats of those removed, and the groups.

    Raises:
        PlatformFailure: the engine does not answer.
    """
    removed = []
    with engine_calls("janitor"):
        # Looked at first: a container that is made meanwhile is among those that the engine tells of.
        groups = cgroups.groups(cgroups.parent(client))
        known = {container["Id"] for container in client.containers(all=True)}
        for container in client.containers(all=True, filters={"label": SEAT_LABEL}):
            if is_stale(container["Labels"]):
                with engine_calls("janitor"):
                    client.remove_container(container["Id"], force=True, v=True)
                removed.append(container["Labels"][SEAT_LABEL])
    for container, paths in groups.items():
        if container not in known and cgroups.remove(paths):
            removed.append(f"control group {container[:12]}")
    return removed


def is_stale(found: Mapping[str, str]) -> bool:
    """Whether nobody can be using a container with these labels any more.

    A worker that is seen to live may take as long as it is allowed to; of others only the deadline is known.
    """
    worker = found.get(_WORKER_LABEL, "")
    host, _, rest = worker.partition("/")
    pid = rest.partition("/")[0]
    if host == _host() and pid.isdigit():
        return _worker(int(pid)) != worker
    deadline = found.get(_DEADLINE_LABEL, "")
    return not deadline.isdigit() or int(deadline) < time.time()


def _worker(pid: int) -> str:
    """A process, told from a later one with the same number by when it began."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        began = "ended" if fields[0] == "Z" else fields[19]
    except OSError:
        began = "ended"
    return f"{_host()}/{pid}/{began}"


def _host() -> str:
    """This boot's namespace of process numbers; a name says less: a worker's container that is made anew,
    and sees the machine's processes, has another."""
    with open("/proc/sys/kernel/random/boot_id") as file:
        return f"{file.read().strip()}:{os.stat('/proc/self/ns/pid').st_ino}"
