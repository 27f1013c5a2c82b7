"""Removes containers whose worker is gone: a killed worker leaves spinning bots behind.

Each container says in labels whose it is and until when it may be there.
"""

import os
import socket
import time
from collections.abc import Mapping

import docker

from sandbox.containers.engine import engine_calls

SEAT_LABEL = "polignac.seat"
_WORKER_LABEL = "polignac.worker"
_DEADLINE_LABEL = "polignac.deadline"
#: Longer than any table: whatever is older was forgotten.
LIFETIME_S = 2 * 60 * 60


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
    """Remove every container of ours that is past its deadline or whose worker on this host has ended.

    Returns:
        The seats of those removed.

    Raises:
        PlatformFailure: the engine does not answer.
    """
    removed = []
    with engine_calls("janitor"):
        for container in client.containers(all=True, filters={"label": SEAT_LABEL}):
            if is_stale(container["Labels"]):
                with engine_calls("janitor"):
                    client.remove_container(container["Id"], force=True, v=True)
                removed.append(container["Labels"][SEAT_LABEL])
    return removed


def is_stale(found: Mapping[str, str]) -> bool:
    """Whether nobody can be using a container with these labels any more."""
    deadline = found.get(_DEADLINE_LABEL, "")
    if not deadline.isdigit() or int(deadline) < time.time():
        return True
    worker = found.get(_WORKER_LABEL, "")
    host, _, rest = worker.partition("/")
    pid = rest.partition("/")[0]
    return host == _host() and pid.isdigit() and _worker(int(pid)) != worker


def _worker(pid: int) -> str:
    """A process, told from a later one with the same number by when it began."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            began = file.read().rpartition(")")[2].split()[19]
    except OSError:
        began = "ended"
    return f"{_host()}/{pid}/{began}"


def _host() -> str:
    # Two containers may share a name, but not this boot's namespace of process numbers.
    return f"{socket.gethostname()}:{os.stat('/proc/self/ns/pid').st_ino}"
