"""Ghosts: what runs in a control group that the engine knows no container for is killed, and nothing else."""

import subprocess
from pathlib import Path

import pytest

from arena.protocol import ClockLimits, Hello
from arena.seat import Reply
from sandbox.seat import ProcessSeat
from tests.sandbox.bots import python

pytestmark = [pytest.mark.docker, pytest.mark.root]
HELLO = Hello(id="h", rules={}, players=4, clock=ClockLimits())
READY = (
    "import json, sys\n"
    "print(json.dumps({'id': json.loads(sys.stdin.readline())['id'], 'ready': True}))\nsys.stdin.read()"
)
NOBODYS = "0123456789abcdef" * 4


@pytest.fixture
def bot(docker_backend):
    """A bot in a container."""
    seat = ProcessSeat(docker_backend, python(READY))
    assert isinstance(seat.ask(HELLO, 20_000), Reply)
    yield seat
    seat.stop()


@pytest.fixture
def beside(docker_backend):
    """`beside(container)`: groups as those of that container, of one that the engine doesn't know."""
    from sandbox.containers import cgroups

    made = []

    def make(container, above=0):
        for path in cgroups.groups(docker_backend._cgroup_parent)[container]:
            place = path.parent.parent if above else path.parent
            made.append(group := place / path.name.replace(container, NOBODYS))
            group.mkdir()
        return made

    yield make
    for group in made:
        if group.exists():
            cgroups.remove([group])


def ghost(groups):
    """A process in those groups; how it ends is to be waited for."""
    process = subprocess.Popen(["sleep", "600"])
    for group in groups:
        try:
            (group / "cgroup.procs").write_text(str(process.pid))
        except OSError:
            continue  # a group for cores or memory that was given none takes no process
    return process


def test_a_ghost_is_killed_and_its_groups_are_removed_and_a_bot_plays_on(bot, docker_backend, beside):
    container = bot._session._container
    groups = beside(container)
    hidden = ghost(groups)
    assert NOBODYS in Path(f"/proc/{hidden.pid}/cgroup").read_text()
    assert f"control group {NOBODYS[:12]}" in docker_backend.tidy()
    assert hidden.wait(10) == -9
    assert not any(group.exists() for group in groups)
    assert docker_backend._client().inspect_container(container)["State"]["Running"]


def test_empty_groups_of_a_container_that_is_gone_are_removed(bot, docker_backend, beside):
    groups = beside(bot._session._container)
    docker_backend.tidy()
    assert not any(group.exists() for group in groups)


def test_groups_of_other_programs_are_let_alone(bot, docker_backend, beside):
    groups = beside(bot._session._container, above=1)
    other = ghost(groups)
    docker_backend.tidy()
    assert other.poll() is None
    assert all(group.exists() for group in groups)
    other.kill()
    other.wait()
