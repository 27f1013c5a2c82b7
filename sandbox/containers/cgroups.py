"""Control groups of containers that the engine no longer knows: whatever runs in one is a ghost.

A bot that hid from the engine (a first process that is traced can do it) goes on in its group when the
engine takes its container for ended. The containers that we have of one engine have their groups in one
place, so none of another engine's or of another program's is ever touched.
"""

import contextlib
import hashlib
import os
import re
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import docker

_ROOT: Final = Path("/sys/fs/cgroup")
#: A group is named after its container; by systemd with some words around it.
_NAMED: Final = re.compile(r"(?:docker-)?([0-9a-f]{64})(?:\.scope)?")
_KILL_S: Final = 2.0


def parent(client: docker.APIClient) -> str:
    """Where our containers of this engine have their groups, as it wants that named."""
    engine = client.info()
    # Engines of one machine may have one ID, which is that of a key in /etc/docker; never one folder.
    itself = f"{engine['ID']} {engine['DockerRootDir']}"
    name = f"polignac_{hashlib.sha256(itself.encode()).hexdigest()[:12]}"
    # For systemd a dash would be one slice in another.
    return f"{name}.slice" if engine["CgroupDriver"] == "systemd" else f"/{name}"


def groups(within: str) -> dict[str, list[Path]]:
    """The groups that are there, by container; none where this process does not see the machine's.

    Args:
        within: see :func:`parent`.
    """
    found = defaultdict(list)
    name = within.strip("/")
    # One hierarchy (v2), or one for each controller (v1).
    for place in (_ROOT / name, *_ROOT.glob(f"*/{name}")):
        for path in _folders(place):
            if named := _NAMED.fullmatch(path.name):
                found[named[1]].append(path)
    return dict(found)


def remove(paths: list[Path]) -> bool:
    """Kill all that runs in a container's groups, and remove them; whether that could be done.

    A group whose processes are only just ending is left for the next time.
    """
    until = time.monotonic() + _KILL_S
    while time.monotonic() < until:
        for path in paths:
            for pid in _members(path):
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            for group in (*_below(path), path):
                with contextlib.suppress(OSError):
                    group.rmdir()
        if not any(path.exists() for path in paths):
            return True
        time.sleep(0.01)
    return False


def _members(path: Path) -> Iterator[int]:
    for group in (path, *_below(path)):
        try:
            yield from map(int, (group / "cgroup.procs").read_text().split())
        except OSError:
            continue


def _below(path: Path) -> list[Path]:
    """The groups in a group, the innermost first."""
    return [Path(folder) for folder, _, _ in os.walk(path, topdown=False) if folder != str(path)]


def _folders(place: Path) -> list[Path]:
    try:
        return [path for path in place.iterdir() if path.is_dir()]
    except OSError:
        return []
