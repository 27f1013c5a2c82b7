"""What only containers do: a hardening table that the engine really took, and a janitor."""

import dataclasses
import gc
import os
import time

import pytest

from arena.errors import PlatformFailure
from arena.protocol import ClockLimits, Hello
from arena.seat import Reply
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.seat import ProcessSeat
from sandbox.slots import FIRST_UID
from tests.sandbox.bots import python

pytestmark = pytest.mark.docker
HELLO = Hello(id="h", rules={}, players=4, clock=ClockLimits())
READY = (
    "import json, sys\n"
    "print(json.dumps({'id': json.loads(sys.stdin.readline())['id'], 'ready': True}))\nsys.stdin.read()"
)


@pytest.fixture
def client():
    from sandbox.containers.engine import connect

    connection = connect()
    yield connection
    connection.close()


@pytest.fixture
def running(docker_backend):
    seat = ProcessSeat(docker_backend, python(READY), Limits(core=0), label="table 7, seat 2")
    assert isinstance(seat.ask(HELLO, 10_000), Reply)
    yield seat
    seat.stop()


def test_the_engine_took_every_option_of_the_table(running, client):
    from sandbox.containers.hardening import hardening

    taken = client.inspect_container(running._session._container)["HostConfig"]
    for option in hardening(Limits()):
        if option.name not in ("Ulimits", "LogConfig", "RestartPolicy"):
            assert taken[option.name] == option.value, option
        assert len(option.reason) > 4
    assert taken["CpusetCpus"] == "0"
    assert taken["LogConfig"]["Type"] == "none"
    assert taken["RestartPolicy"]["Name"] == "no"
    assert {(u["Name"], u["Hard"]) for u in taken["Ulimits"]} >= {
        ("core", 0),
        ("nofile", 64),
        ("msgqueue", 0),
    }
    assert not taken["Binds"]
    assert all(mount["ReadOnly"] for mount in taken["Mounts"])
    assert not taken["Devices"]
    assert not taken["CapAdd"]
    assert not taken.get("Tmpfs")


def test_a_container_runs_as_a_user_of_its_own_and_says_whose_it_is(running, docker_backend, client):
    second = ProcessSeat(docker_backend, python(READY))
    assert isinstance(second.ask(HELLO, 10_000), Reply)
    users = set()
    for seat in (running, second):
        config = client.inspect_container(seat._session._container)["Config"]
        users.add(int(config["User"].partition(":")[0]))
        assert config["NetworkDisabled"]
    second.stop()
    assert len(users) == 2
    assert min(users) >= FIRST_UID
    labels = client.inspect_container(running._session._container)["Config"]["Labels"]
    assert labels["polignac.seat"] == "table 7, seat 2"
    assert int(labels["polignac.deadline"]) > time.time()


def test_a_stopped_container_is_gone(running, client):
    container = running._session._container
    running.stop()
    assert container not in {item["Id"] for item in client.containers(all=True)}


def test_a_container_that_somebody_removes_is_the_platforms_fault(running, client):
    client.remove_container(running._session._container, force=True)
    question = Hello(id="again", rules={}, players=4, clock=ClockLimits())
    running._session.channel.send(b"x\n")
    with pytest.raises(PlatformFailure) as failure:
        running._await(question.id, running._clock.start(5_000), 5_000, starting=False)
    assert failure.value.code == "sandbox_lost"


def test_a_missing_image_is_the_platforms_fault_and_says_what_to_do(docker_backend, monkeypatch):
    from sandbox.containers import backend
    from sandbox.languages import languages

    elsewhere = dataclasses.replace(languages()["python"], name="nowhere")
    monkeypatch.setattr(backend, "languages", lambda: {"python": elsewhere})
    with pytest.raises(PlatformFailure, match=r"sandbox\.containers\.images build") as failure:
        docker_backend.launch(python(""), Limits(), BotLog())
    assert failure.value.code == "no_image"


def test_a_program_that_the_image_lacks_is_the_platforms_fault(docker_backend, monkeypatch, client):
    from sandbox.containers import backend
    from sandbox.languages import languages

    nothing = dataclasses.replace(languages()["python"], command="no-such-program")
    monkeypatch.setattr(backend, "languages", lambda: {"python": nothing})
    with pytest.raises(PlatformFailure, match="No such file"):
        docker_backend.launch(python(""), Limits(), BotLog(), "lacking")
    left = [item["Labels"].get("polignac.seat") for item in client.containers(all=True)]
    assert "lacking" not in left


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_without_an_engine_the_reason_says_what_to_install(monkeypatch):
    from sandbox.containers.backend import DockerBackend

    monkeypatch.setenv("DOCKER_HOST", "unix:///no/such/socket")
    assert "install docker.io" in DockerBackend().available()
    gc.collect()  # the client library forgets to close a socket that did not connect


def test_the_janitor_removes_what_has_no_worker_or_no_time_left_and_nothing_else(
    running, docker_backend, client
):
    from sandbox.containers.janitor import labels
    from sandbox.languages import languages

    def container(seat, **changes):
        found = {**labels(seat), **{f"polignac.{key}": value for key, value in changes.items()}}
        config = {"Image": languages()["python"].image, "Cmd": ["sleep", "60"], "Labels": found}
        client.start(made := client.create_container_from_config(config)["Id"])
        return made

    host = labels("x")["polignac.worker"].partition("/")[0]
    past = str(int(time.time()) - 1)
    stale = [
        container("late", deadline=past, worker="otherhost:1/1/1"),
        container("nonsense", deadline="soon", worker="otherhost:1/1/1"),
        container("orphan", worker=f"{host}/{2**22 - 1}/1"),
        container("reused", worker=f"{host}/{os.getpid()}/1"),
    ]
    kept = [container("elsewhere", worker="otherhost:1/1/1"), container("ours, and slow", deadline=past)]
    removed = docker_backend.tidy()
    left = {item["Id"] for item in client.containers(all=True)}
    assert {"late", "nonsense", "orphan", "reused"} <= set(removed)
    assert not left & set(stale)
    assert {*kept, running._session._container} <= left
    for other in kept:
        client.remove_container(other, force=True)


@pytest.mark.slow
def test_a_memory_bomb_is_always_told_from_a_crash(docker_backend):
    source = READY.replace("sys.stdin.read()", "x = [b'x' * (1 << 20) for _ in range(1000)]")
    for _ in range(5):
        seat = ProcessSeat(docker_backend, python(source))
        seat.ask(HELLO, 10_000)
        assert seat._session.finish(5.0).out_of_memory
        seat.stop()
