"""A site that answers over HTTP, and forgets what each request wrote."""

import socket

import pytest
from django.core.cache import cache
from django.test.testcases import LiveServerThread, _StaticFilesHandler

from tests.api.world import make_world


@pytest.fixture
def world(transactional_db, settings, tmp_path):
    """Rows of each kind."""
    settings.DATA_DIR = tmp_path
    cache.clear()
    return make_world()


@pytest.fixture
def site(world, settings, monkeypatch):
    """The address of the site that they are on; it knows no other host, and asks nobody for one."""
    resolve = socket.getaddrinfo
    monkeypatch.setattr(
        "socket.getaddrinfo", lambda host, *more, **names: resolve(known(host), *more, **names)
    )
    settings.MIDDLEWARE = ["tests.api.forgetful.forgetful", *settings.MIDDLEWARE]
    server = LiveServerThread("127.0.0.1", _StaticFilesHandler)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    if server.error:
        raise server.error
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()


def known(host):
    """This machine, by number."""
    if host != "127.0.0.1":
        raise socket.gaierror(socket.EAI_NONAME, "no names here")
    return host
