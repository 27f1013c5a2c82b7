"""A container that was started and waits: its launcher has come, its bot's files are still to be laid.

Nearly all of a start is spent before a bot is needed, so it can be spent ahead of time
(:mod:`sandbox.containers.spares`). A container becomes one bot, once.
"""

import contextlib
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import docker
import docker.errors

from sandbox.containers.engine import engine_calls
from sandbox.containers.handover import SOCKET_NAME, Handover
from sandbox.containers.hardening import host_config
from sandbox.containers.images import LAUNCHER
from sandbox.containers.janitor import labels
from sandbox.containers.presence import Presence
from sandbox.containers.session import DockerSession
from sandbox.languages import BOT_DIR
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.slots import Slot
from sandbox.staging import Staged

_SOCKET_DIR: Final = "/run/polignac"


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that a container is made by, but for what is its own: its user, its folder, its labels.

    Attributes:
        command: what the launcher becomes.
        environment: names and values.
        cgroup_parent: see :func:`sandbox.containers.cgroups.parent`.
    """

    image: str
    command: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    limits: Limits
    cgroup_parent: str


class Waiting:
    """Start a container by a recipe, with an empty folder for its bot's files.

    Args:
        label: whose it is, for operators.
        presence: of the engine.
        parent: where the folder is made; the system's folder for temporary files when ``None``.

    Raises:
        PlatformFailure: it did not start; nothing is left of it.
    """

    def __init__(
        self,
        client: docker.APIClient,
        recipe: Recipe,
        label: str,
        presence: Presence,
        parent: Path | None = None,
    ) -> None:
        self.recipe = recipe
        self._presence = presence
        with ExitStack() as undo, engine_calls("sandbox_start"):
            self._staged = Staged(None, parent)
            undo.callback(self._staged.remove)
            self._slot = Slot()
            undo.callback(self._slot.release)
            self._handover = Handover(self._staged.path / "run")
            undo.callback(self._handover.close)
            config = _config(recipe, self._slot.uid, label)
            mounts = {str(self._staged.bot): BOT_DIR, str(self._staged.path / "run"): _SOCKET_DIR}
            config["HostConfig"] = host_config(recipe.limits, recipe.cgroup_parent, mounts)
            self.container: str = client.create_container_from_config(config)["Id"]  # type: ignore[no-untyped-call]
            undo.callback(_remove, client, self.container)
            client.start(self.container)
            self._handover.meet()
            undo.pop_all()

    @property
    def ready(self) -> bool:
        """Whether its launcher still waits: whoever ended the container ended that, too."""
        return self._handover.waits

    def become(self, client: docker.APIClient, package: Package, log: BotLog) -> DockerSession:
        """Lay a bot's files and start its program; once only.

        Args:
            client: the calling thread's own.

        Raises:
            PlatformFailure: it can't be had; nothing is left of it.
        """
        with ExitStack() as undo, engine_calls("sandbox_start"):
            undo.callback(self.discard, client)
            self._staged.lay(package)
            channel = self._handover.give(log)
            session = DockerSession(
                client,
                self.container,
                channel,
                staged=self._staged,
                slot=self._slot,
                presence=self._presence,
            )
            undo.pop_all()
        return session

    def discard(self, client: docker.APIClient) -> None:
        """Remove it, instead of using it.

        Raises:
            PlatformFailure: the engine does not answer; the container is the janitor's then.
        """
        try:
            with engine_calls("sandbox_start"):
                _remove(client, self.container)
        finally:
            self._handover.close()
            self._slot.release()
            self._staged.remove()


def _config(recipe: Recipe, uid: int, label: str) -> dict[str, Any]:
    """What is run, as whom, and where; how it is confined is in the hardening table."""
    return {
        "Image": recipe.image,
        "Entrypoint": [LAUNCHER, f"{_SOCKET_DIR}/{SOCKET_NAME}", recipe.command[0]],
        "Cmd": list(recipe.command[1:]),
        "User": f"{uid}:{uid}",
        "Env": [f"{name}={value}" for name, value in recipe.environment],
        "WorkingDir": BOT_DIR,
        "Hostname": "bot",
        "NetworkDisabled": True,
        "Labels": labels(label),
    }


def _remove(client: docker.APIClient, container: str) -> None:
    with contextlib.suppress(docker.errors.NotFound):
        client.remove_container(container, force=True, v=True)
