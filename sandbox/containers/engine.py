"""The engine's client, and what its errors mean for us."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import docker
import docker.errors
import docker.utils
import requests

from arena.errors import PlatformFailure

ENGINE_ERRORS: Final = (docker.errors.DockerException, requests.RequestException, OSError)
_CALL_S = 30


def connect() -> docker.APIClient:
    """A client of the engine that ``DOCKER_HOST`` names, the local one otherwise.

    Raises:
        PlatformFailure: none answers.
    """
    try:
        # Asking for the version speaks with the engine.
        client = docker.APIClient(**docker.utils.kwargs_from_env(), version="auto", timeout=_CALL_S)
    except ENGINE_ERRORS as error:
        todo = "install docker.io, start it, and let this user use it"
        raise PlatformFailure("no_engine", f"no Docker engine answers ({short(error)}); {todo}") from error
    return client


@contextmanager
def engine_calls(code: str) -> Iterator[None]:
    """Makes any error of the engine a failure of the platform.

    Raises:
        PlatformFailure: with ``code``.
    """
    try:
        yield
    except docker.errors.ImageNotFound as error:
        message = f"{short(error)}; build it with `python -m sandbox.containers.images build --language NAME`"
        raise PlatformFailure("no_image", message) from error
    except ENGINE_ERRORS as error:
        raise PlatformFailure(code, short(error)) from error


def short(error: Exception) -> str:
    """One line of an error."""
    return " ".join(str(error).split())[:300]
