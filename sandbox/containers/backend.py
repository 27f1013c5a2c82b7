"""The Docker backend: one container a bot, spoken with over pipes that its launcher is handed."""

import atexit
import functools
import threading
from dataclasses import replace
from pathlib import Path

import docker

from arena.errors import PlatformFailure
from sandbox.containers.cgroups import parent
from sandbox.containers.engine import connect, engine_calls
from sandbox.containers.janitor import prune
from sandbox.containers.presence import Presence
from sandbox.containers.session import DockerSession
from sandbox.containers.spares import Spares
from sandbox.containers.waiting import Recipe, Waiting
from sandbox.languages import BASE_ENVIRONMENT, languages
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.staging import sweep


class DockerBackend:
    """Runs bots in containers of the local engine.

    Args:
        staging_dir: where seats' files are laid; the engine must see it under the same path.
        spares: how many containers are kept ready, like those that were used last.
    """

    name = "docker"

    def __init__(self, staging_dir: Path | None = None, *, spares: int = 0) -> None:
        self._staging_dir = staging_dir
        self._spares = Spares(spares, connect, self._start)
        if spares:
            atexit.register(self.close)
        # One client a thread: its connections are not to be shared.
        self._local = threading.local()
        self._presence: Presence | None = None

    def available(self) -> str | None:
        """Run a trivial program in a container; what stands in the way otherwise, and what to do."""
        program = Package({"main.py": b""}, "python", "main.py")
        try:
            waiting = self._start(self._client(), self._recipe(program, Limits()), "self-test")
            session = waiting.become(self._client(), program, BotLog())
        except PlatformFailure as failure:
            return failure.message
        session.channel.hang_up()
        session.channel.drain(10.0)
        evidence = session.finish(2.0)
        return None if evidence.exit_code == 0 else f"a trivial program failed: {evidence}"

    def launch(self, package: Package, limits: Limits, log: BotLog, label: str = "") -> DockerSession:
        """See :class:`sandbox.session.Backend`."""
        recipe = self._recipe(package, limits)
        waiting = self._spares.take(recipe) or self._start(self._client(), recipe, label)
        self._spares.used(recipe)
        return waiting.become(self._client(), package, log)

    def build(
        self, package: Package, script: str, limits: Limits, log: BotLog, label: str = ""
    ) -> DockerSession:
        """See :class:`sandbox.session.Backend`. The image of a compiled language has its compiler."""
        language = languages()[package.language]
        assert language.build is not None
        variables = {**BASE_ENVIRONMENT, **language.environment, **language.build.environment}
        command = ("bash", "--norc", "-c", script)
        recipe = Recipe(language.image, command, tuple(variables.items()), limits, self._cgroup_parent)
        return self._start(self._client(), recipe, label).become(self._client(), package, log)

    def tidy(self) -> list[str]:
        """See :class:`sandbox.session.Backend`."""
        return [*prune(self._client()), *sweep(self._staging_dir)]

    def close(self) -> None:
        """Remove what was kept ready. Harmless when repeated."""
        self._spares.clear()

    def _recipe(self, package: Package, limits: Limits) -> Recipe:
        """The container that a package's program runs in."""
        assert package.runnable, "it is built first"
        language = languages()[package.language]
        command = tuple(language.argv(language.command, package.entry))
        variables = {**BASE_ENVIRONMENT, **language.environment}
        limits = replace(limits, pids=max(limits.pids, language.pids))
        return Recipe(language.image, command, tuple(variables.items()), limits, self._cgroup_parent)

    @functools.cached_property
    def _cgroup_parent(self) -> str:
        with engine_calls("sandbox_start"):
            return parent(self._client())

    def _start(self, client: docker.APIClient, recipe: Recipe, label: str = "spare") -> Waiting:
        return Waiting(client, recipe, label, self._present(), self._staging_dir)

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
