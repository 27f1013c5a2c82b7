"""Which sandbox confines bots here. Nothing ever runs unconfined unless it was asked for by name."""

from collections.abc import Callable, Mapping

from sandbox.bubblewrap import BubblewrapBackend
from sandbox.errors import SandboxUnavailable
from sandbox.session import Backend
from sandbox.unconfined import UnconfinedBackend

__all__ = ["BACKENDS", "SandboxUnavailable", "choose"]


def _docker() -> Backend:
    # The engine's client is heavy to import, and not everybody has an engine.
    from sandbox.containers.backend import DockerBackend

    return DockerBackend()


#: How to make each backend; ``auto`` tries the first two in this order.
BACKENDS: Mapping[str, Callable[[], Backend]] = {
    "bubblewrap": BubblewrapBackend,
    "docker": _docker,
    "none": UnconfinedBackend,
}
_AUTOMATIC = ("bubblewrap", "docker")


def choose(name: str = "auto") -> Backend:
    """A backend that was seen to work.

    Args:
        name: ``auto``, ``bubblewrap`` or ``docker``; ``none`` confines nothing, and is for an author's own
            bots at home.

    Raises:
        SandboxUnavailable: none of those asked for works; tells why, and what to do, for each.
        ValueError: no such name.
    """
    if name != "auto" and name not in BACKENDS:
        raise ValueError(f"no sandbox is called {name!r}; there are auto, {', '.join(BACKENDS)}")
    reasons: dict[str, str] = {}
    for candidate in _AUTOMATIC if name == "auto" else (name,):
        backend = BACKENDS[candidate]()
        reason = backend.available()
        if reason is None:
            return backend
        reasons[candidate] = reason
    raise SandboxUnavailable(reasons)
