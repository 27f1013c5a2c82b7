"""One bot in a container: how it ends, and what is read before it is removed."""

import contextlib
import time
from pathlib import Path
from typing import Any

import docker
import docker.errors
import requests

from sandbox.channel import Channel
from sandbox.containers.engine import ENGINE_ERRORS, engine_calls, short
from sandbox.containers.presence import Presence
from sandbox.session import Evidence
from sandbox.slots import Slot
from sandbox.staging import Staged

_KILLED = 137
#: How long after an end the engine may take to hear that it was for memory: on a busy machine it hears of the
#: end first, and what was out of memory would look like a bot that killed itself.
_MEMORY_NEWS_S = 0.5


class DockerSession:
    """A running container.

    Args:
        container: its id.
        staged: the bot's files; removed at the end.
        slot: the bot's user; released at the end.
        presence: of the engine that started it.
    """

    def __init__(
        self,
        client: docker.APIClient,
        container: str,
        channel: Channel,
        *,
        staged: Staged,
        slot: Slot,
        presence: Presence,
    ) -> None:
        self.channel = channel
        self.first_process = _first_process(client, container)
        self._client = client
        self._container = container
        self._staged = staged
        self._slot = slot
        self._presence = presence
        self._evidence: Evidence | None = None

    def finish(self, grace_s: float = 0.0) -> Evidence:
        """See :class:`sandbox.session.Session`."""
        if self._evidence is None:
            try:
                killed = not self._ends_within(grace_s)
                self._evidence = self._look_back(killed)
                if not self._evidence.killed and not self._presence.holds():
                    self._evidence = Evidence(vanished=True, note="the engine ended, or was restarted")
                with engine_calls("sandbox_stuck"):
                    self._client.remove_container(self._container, force=True, v=True)
            except docker.errors.NotFound:
                self._evidence = Evidence(vanished=True, note="the container is gone")
            except ENGINE_ERRORS as error:
                self._evidence = Evidence(vanished=True, note=short(error))
            finally:
                self.channel.close()
                self._staged.remove()
                self._slot.release()
        return self._evidence

    def _ends_within(self, seconds: float) -> bool:
        """Whether it ends by itself; killed otherwise."""
        if seconds > 0:
            with contextlib.suppress(requests.Timeout, requests.ConnectionError):
                self._client.wait(self._container, timeout=seconds)  # type: ignore[arg-type]
                return True
        if self._state()["Running"]:
            with contextlib.suppress(docker.errors.APIError):
                self._client.kill(self._container)
            self._client.wait(self._container)
            return False
        return True

    def _look_back(self, killed: bool) -> Evidence:
        state = self._state()
        code = int(state["ExitCode"])
        until = time.monotonic() + _MEMORY_NEWS_S
        while code == _KILLED and not killed and not state["OOMKilled"] and time.monotonic() < until:
            time.sleep(0.02)
            state = self._state()
        if state["OOMKilled"] and code == _KILLED:
            return Evidence(out_of_memory=True)
        if killed and code == _KILLED:
            return Evidence(killed=True)
        # The container's init gives a signal as a shell does.
        return Evidence(signal=code - 128) if code > 128 else Evidence(exit_code=code)

    def _state(self) -> dict[str, Any]:
        state: dict[str, Any] = self._client.inspect_container(self._container)["State"]
        return state


def _first_process(client: docker.APIClient, container: str) -> int | None:
    """The container's init, unless the engine's numbers are not ours: a worker that runs in a container
    itself sees the machine's processes only with ``pid: host``."""
    pid = int(client.inspect_container(container)["State"]["Pid"])
    try:
        return pid if container in Path(f"/proc/{pid}/cgroup").read_text() else None
    except OSError:
        return None
