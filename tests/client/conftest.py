"""A site to type commands against, and the typing."""

import io
import threading

import pytest

from client.cli import main

PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def home(tmp_path_factory, monkeypatch):
    """A home of its own: nobody is logged in anywhere."""
    place = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place))
    for name in ("POLIGNAC_SERVER", "POLIGNAC_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return place


@pytest.fixture
def site(live_server, settings, tmp_path):
    """A running site's address."""
    from django.core.cache import cache

    settings.DATA_DIR = tmp_path / "data"
    cache.clear()  # throttles count in it
    return live_server.url


@pytest.fixture
def polignac(capsys, monkeypatch):
    """Type a command; gives its exit code, output and error output. `typed` is the standard input."""

    def run(*arguments, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run


@pytest.fixture
def as_user(site, polignac):
    """Become somebody: signed up the first time, logged in the others."""
    known = set()

    def become(name):
        new = [] if name in known else ["--new"]
        known.add(name)
        code, _, err = polignac("login", site, "--name", name, *new, typed=f"{PASSWORD}\n")
        assert code == 0, err

    return become


@pytest.fixture
def checker(monkeypatch):
    """A worker that takes each upload: `checker(stage, …)` says what its stages will be."""
    from django.db import connections, transaction

    from league.bots import services
    from tests.league import kit

    stages, threads = [[kit.stage()]], []

    def check(version):
        try:
            claim = services.claim_version(version)
            for position, stage in enumerate(stages[0]):
                services.record_stage(claim, position, stage)
            services.finish_check(claim)
        finally:
            connections.close_all()

    def nudge(name, arguments):
        threads.append(threading.Thread(target=check, args=arguments))
        transaction.on_commit(threads[-1].start)

    monkeypatch.setattr("league.pipeline.submit.nudge", nudge)
    yield lambda *results: stages.__setitem__(0, list(results))
    for thread in threads:
        thread.join()
