"""Containers that were started ahead of time: as good as any other, for one seat each, and none is left."""

import dataclasses
import os
import subprocess
import sys
import threading
import time

import pytest

from arena.protocol import ClockLimits, Hello
from arena.seat import Reply
from sandbox.limits import Limits
from sandbox.seat import ProcessSeat
from sandbox.staging import sweep
from tests.sandbox.bots import python

pytestmark = pytest.mark.docker
HELLO = Hello(id="h", rules={}, players=4, clock=ClockLimits())
READY = (
    "import json, sys\n"
    "print(json.dumps({'id': json.loads(sys.stdin.readline())['id'], 'ready': True}))\nsys.stdin.read()"
)
MOST = 2


@pytest.fixture
def warm(docker_backend, monkeypatch, tmp_path):
    """A backend that keeps two containers ready."""
    from sandbox.containers import spares
    from sandbox.containers.backend import DockerBackend

    monkeypatch.setattr(spares, "_QUIET_S", 0.02)
    made = DockerBackend(tmp_path, spares=MOST)
    yield made
    made.close()
    made._client().close()
    assert not list(tmp_path.iterdir())


@pytest.fixture
def seat():
    """`seat(backend, limits)`: a bot that is ready; stopped at the end."""
    seats = []

    def start(backend, limits=None):
        seats.append(started := ProcessSeat(backend, python(READY), limits))
        assert isinstance(started.ask(HELLO, 20_000), Reply)
        return started

    yield start
    for each in seats:
        each.stop()


def ready(backend, count=MOST):
    """The ids of its spares, once there are so many."""
    until = time.monotonic() + 60
    while backend._spares.count != count:
        assert time.monotonic() < until, f"{backend._spares.count} spares, not {count}"
        time.sleep(0.01)
    return {spare.container for spare in backend._spares._spares}


def container(seat):
    return seat._session._container


def test_the_next_table_gets_containers_that_were_prepared_while_the_last_one_played(warm, seat):
    first = {container(seat(warm)) for _ in range(MOST)}
    prepared = ready(warm)
    assert not prepared & first
    assert {container(seat(warm)) for _ in range(MOST)} == prepared
    assert not ready(warm) & prepared


def test_a_spare_is_confined_as_any_other_container(warm, seat):
    fresh = seat(warm)
    ready(warm, 1)
    spare = seat(warm)
    inspect = warm._client().inspect_container
    found = [inspect(container(each)) for each in (fresh, spare)]
    for each in found:
        for mount in each["HostConfig"]["Mounts"]:
            assert mount.pop("Source")
        for own in ("Hostname", "User", "Labels"):
            each[own] = each["Config"].pop(own)
    assert found[0]["HostConfig"] == found[1]["HostConfig"]
    assert found[0]["Config"] == found[1]["Config"]
    assert found[0]["User"] != found[1]["User"]
    assert found[1]["Labels"]["polignac.seat"] == "spare"
    assert int(found[1]["Labels"]["polignac.deadline"]) > time.time()


def test_no_spare_serves_two_seats_however_many_ask_at_once(warm, seat):
    recipe = warm._recipe(python(READY), Limits())
    for _ in range(MOST):
        seat(warm)
    ready(warm)
    taken = []
    threads = [threading.Thread(target=lambda: taken.append(warm._spares.take(recipe))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spares = [each for each in taken if each is not None]
    assert len({spare.container for spare in spares}) == len(spares) == MOST
    for spare in spares:
        spare.discard(warm._client())


def test_a_spare_is_for_the_same_language_command_and_limits_alone(warm, seat):
    from sandbox.containers.waiting import Recipe

    seat(warm)
    ready(warm, 1)
    recipe = warm._recipe(python(READY), Limits())
    others = [
        dataclasses.replace(recipe, image="polignac-bot-c"),
        dataclasses.replace(recipe, command=(*recipe.command, "x")),
        dataclasses.replace(recipe, environment=()),
        *(
            warm._recipe(python(READY), limits)
            for limits in (Limits(memory_mib=64), Limits(core=0), Limits(pids=40))
        ),
    ]
    assert all(isinstance(other, Recipe) and warm._spares.take(other) is None for other in others)
    assert warm._spares.count == 1


def test_a_spare_that_somebody_ended_is_passed_over_and_removed(warm, seat):
    seat(warm)
    (dead,) = ready(warm, 1)
    warm._client().kill(dead)
    warm._client().wait(dead)
    assert container(seat(warm)) != dead
    assert dead not in ready(warm)


def test_who_uses_nothing_for_long_keeps_nothing_ready(warm, seat, monkeypatch):
    from sandbox.containers import spares

    seat(warm)
    ready(warm, 1)
    monkeypatch.setattr(spares, "_IDLE_S", 0.1)
    warm._spares.used(warm._recipe(python(READY), Limits()))
    ready(warm, 0)


def test_without_being_asked_to_a_backend_keeps_nothing_ready(docker_backend, seat):
    seat(docker_backend)
    assert docker_backend._spares._timer is None
    assert docker_backend._spares.count == 0


WORKER = """
import os, signal, sys, time
from pathlib import Path
from sandbox.containers.backend import DockerBackend
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
backend = DockerBackend(Path(sys.argv[1]), spares=2)
sessions = [backend.launch(Package({"main.py": b"while True: pass"}, "python", "main.py"), Limits(), BotLog())
            for _ in range(2)]
while backend._spares.count < 2:
    time.sleep(0.01)
print(*(s._container for s in sessions), *(s.container for s in backend._spares._spares), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_worker_leaves_spares_and_spinning_bots_is_removed_by_the_janitor(
    docker_backend, tmp_path
):
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-c", WORKER, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    left = set(done.stdout.split())
    assert len(left) == 4, done.stderr
    client = docker_backend._client()
    assert left <= {item["Id"] for item in client.containers(all=True)}
    docker_backend.tidy()
    assert not left & {item["Id"] for item in client.containers(all=True)}
    assert len(sweep(tmp_path, young_s=0)) == 4
    assert not list(tmp_path.iterdir())
