"""The Docker backend: one container a bot, spoken with over pipes that its launcher is handed."""

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import docker

from arena.errors import PlatformFailure
from sandbox.containers.engine import connect, engine_calls
from sandbox.containers.handover import SOCKET_NAME, Handover
from sandbox.containers.hardening import host_config
from sandbox.containers.images import LAUNCHER
from sandbox.containers.janitor import labels, prune
from sandbox.containers.presence import Presence
from sandbox.containers.session import DockerSession
from sandbox.languages import BASE_ENVIRONMENT, BOT_DIR, languages
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.slots import Slot
from sandbox.staging import Staged, sweep

_SOCKET_DIR = "/run/polignac"


class DockerBackend:
    """Runs bots in containers of the local engine.

    Args:
        staging_dir: where seats' files are laid; the engine must see it under the same path.
    """

    name = "docker"

    def __init__(self, staging_dir: Path | None = None) -> None:
        self._staging_dir = staging_dir
        # One client a thread: its connections are not to be shared.
        self._local = threading.local()
        self._presence: Presence | None = None

    def available(self) -> str | None:
        """Run a trivial program in a container; what stands in the way otherwise, and what to do."""
        program = Package({"main.py": b""}, "python", "main.py")
        try:
            session = self.launch(program, Limits(), BotLog(), "self-test")
        except PlatformFailure as failure:
            return failure.message
        session.channel.hang_up()
        session.channel.drain(10.0)
        evidence = session.finish(2.0)
        return None if evidence.exit_code == 0 else f"a trivial program failed: {evidence}"

    def launch(self, package: Package, limits: Limits, log: BotLog, label: str = "") -> DockerSession:
        """See :class:`sandbox.session.Backend`."""
        assert package.runnable, "it is built first"
        language = languages()[package.language]
        command = language.argv(language.command, package.entry)
        limits = replace(limits, pids=max(limits.pids, language.pids))
        return self._start(package, command, language.environment, limits=limits, log=log, label=label)

    def build(
        self, package: Package, script: str, limits: Limits, log: BotLog, label: str = ""
    ) -> DockerSession:
        """See :class:`sandbox.session.Backend`. The image of a compiled language has its compiler."""
        language = languages()[package.language]
        assert language.build is not None
        variables = {**language.environment, **language.build.environment}
        command = ["bash", "--norc", "-c", script]
        return self._start(package, command, variables, limits=limits, log=log, label=label)

    def _start(
        self,
        package: Package,
        command: list[str],
        environment: Mapping[str, str],
        *,
        limits: Limits,
        log: BotLog,
        label: str,
    ) -> DockerSession:
        client, presence = self._client(), self._present()
        with ExitStack() as undo, engine_calls("sandbox_start"):
            staged = Staged(package, self._staging_dir)
            undo.callback(staged.remove)
            slot = Slot()
            undo.callback(slot.release)
            handover = Handover(staged.path / "run")
            undo.callback(handover.close)
            config = _config(languages()[package.language].image, command, environment, slot.uid, label)
            config["HostConfig"] = host_config(
                limits, {str(staged.bot): BOT_DIR, str(staged.path / "run"): _SOCKET_DIR}
            )
            container = client.create_container_from_config(config)["Id"]  # type: ignore[no-untyped-call]
            undo.callback(_discard, client, container)
            client.start(container)
            channel = handover.give(log)
            session = DockerSession(client, container, channel, staged=staged, slot=slot, presence=presence)
            undo.pop_all()
        return session

    def tidy(self) -> list[str]:
        """See :class:`sandbox.session.Backend`."""
        return [*prune(self._client()), *sweep(self._staging_dir)]

    def _present(self) -> Presence:
        """That of the engine that answers now."""
        if self._presence is None or self._presence.ended:
            self._presence = Presence()
        return self._presence

    def _client(self) -> docker.APIClient:
        if not hasattr(self._local, "client"):
            self._local.client = connect()
        client: docker.APIClient = self._local.client
        return client


def _config(
    image: str, command: list[str], variables: Mapping[str, str], uid: int, label: str
) -> dict[str, Any]:
    """What is run, as whom, and where; how it is confined is in the hardening table."""
    environment = {**BASE_ENVIRONMENT, **variables}
    return {
        "Image": image,
        "Entrypoint": [LAUNCHER, f"{_SOCKET_DIR}/{SOCKET_NAME}", command[0]],
        "Cmd": command[1:],
        "User": f"{uid}:{uid}",
        "Env": [f"{name}={value}" for name, value in environment.items()],
        "WorkingDir": BOT_DIR,
        "Hostname": "bot",
        "NetworkDisabled": True,
        "Labels": labels(label),
    }


def _discard(client: docker.APIClient, container: str) -> None:
    with engine_calls("sandbox_start"):
        client.remove_container(container, force=True, v=True)
