"""Which sandbox confines bots here. Nothing ever runs unconfined unless it was asked for by name."""

from collections.abc import Callable, Mapping

from sandbox.bubblewrap import BubblewrapBackend
from sandbox.errors import SandboxUnavailable
from sandbox.session import Backend
from sandbox.unconfined import UnconfinedBackend

__all__ = ["BACKENDS", "SandboxUnavailable", "choose"]


def _docker(spares: int) -> Backend:
    # The engine's client is heavy to import, and not everybody has an engine.
    from sandbox.containers.backend import DockerBackend

    return DockerBackend(spares=spares)


#: How to make each backend, with so many spares; ``auto`` tries the first two in this order.
BACKENDS: Mapping[str, Callable[[int], Backend]] = {
    "bubblewrap": lambda _: BubblewrapBackend(),
    "docker": _docker,
    "none": lambda _: UnconfinedBackend(),
}
_AUTOMATIC = ("bubblewrap", "docker")


def choose(name: str = "auto", *, spares: int = 0) -> Backend:
    """A backend that was seen to work.

    Args:
        name: ``auto``, ``bubblewrap`` or ``docker``; ``none`` confines nothing, and is for an author's own
            bots at home.
        spares: how many sandboxes are kept ready, where starting one takes long: for who plays on and on.

    Raises:
        SandboxUnavailable: none of those asked for works; tells why, and what to do, for each.
        ValueError: no such name.
    """
    if name != "auto" and name not in BACKENDS:
        raise ValueError(f"no sandbox is called {name!r}; there are auto, {', '.join(BACKENDS)}")
    reasons: dict[str, str] = {}
    for candidate in _AUTOMATIC if name == "auto" else (name,):
        backend = BACKENDS[candidate](spares)
        reason = backend.available()
        if reason is None:
            return backend
        reasons[candidate] = reason
    raise SandboxUnavailable(reasons)
