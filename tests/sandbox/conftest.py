"""The backends that this machine has, each made once; Docker's images are built when they are not here."""

import functools

import pytest

from sandbox.bubblewrap import BubblewrapBackend
from sandbox.languages import languages
from sandbox.session import Backend

pytest.register_assert_rewrite("tests.sandbox.aftermath")


def _bubblewrap() -> Backend:
    return BubblewrapBackend()


def images_here() -> set[str]:
    """The names of the engine's images."""
    from sandbox.containers.engine import connect

    client = connect()
    tags = {tag.partition(":")[0] for image in client.images() for tag in image["RepoTags"] or ()}
    client.close()
    return tags


@functools.cache
def _docker() -> Backend:

    from sandbox.containers.backend import DockerBackend
    from sandbox.containers.engine import connect
    from sandbox.containers.images import build

    here = images_here()
    missing = [
        name
        for name, language in languages().items()
        if language.image_by_default and language.image not in here
    ]
    if missing:
        client = connect()
        build(client, missing)
        client.close()
    return DockerBackend()


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(_bubblewrap, id="bubblewrap", marks=pytest.mark.bubblewrap),
        pytest.param(_docker, id="docker", marks=pytest.mark.docker),
    ],
)
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each backend in turn."""
    made: Backend = request.param()
    problem = made.available()
    assert problem is None, problem
    return made


@pytest.fixture(scope="session")
def docker_backend() -> Backend:
    """The Docker one, for what only containers do."""
    return _docker()
