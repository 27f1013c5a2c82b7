"""Bots in containers: an engine that dies, workers that die or are told to stop, and what is left then."""

import pytest

from league.common.lifecycle import StatusNote
from league.matches.models import Match
from league.pipeline.reconcile import reconcile
from league.pipeline.start import start_tournament
from league.tournaments.models import Table
from sandbox.containers.engine import connect
from sandbox.containers.janitor import SEAT_LABEL, labels
from sandbox.languages import languages
from tests.faults.machinery import LEASE_S, alive
from tests.faults.test_workers import all_is_well, done, finished, playing, prepared

pytestmark = [
    pytest.mark.slow,
    pytest.mark.redis,
    pytest.mark.docker,
    pytest.mark.django_db(transaction=True),
]
WORKER_LABEL = "polignac.worker"


@pytest.fixture
def client():
    made = connect()
    yield made
    made.close()


def containers(client, pids):
    """The containers that those processes have started: their ids."""
    found = client.containers(all=True, filters={"label": SEAT_LABEL})
    return {each["Id"] for each in found if int(each["Labels"][WORKER_LABEL].split("/")[1]) in pids}


def seated(client, pids):
    """The same, once a table is being played."""
    mine = containers(client, pids)
    return playing() and len(mine) >= 3 and mine


def playing_in(engine):
    """How many bots run in an engine's containers, of which some are only kept ready, or have just ended."""
    found = engine.docker("ps", "--quiet").split()
    listed = [engine.docker("top", each, "-eo", "pid,args", check=False) for each in found]
    lines = "".join(listed).splitlines()
    return sum(line.partition(" ")[2].strip().startswith("python3") for line in lines)


@pytest.mark.root
def test_an_engine_that_is_killed_and_restarted_voids_tables_and_blames_nobody(engine, start_worker, wait):
    # Longer than a restart takes: until then its containers go on.
    cup, ann = prepared(boards=1, pause_s=0.5)
    worker = start_worker(SANDBOX="docker", DOCKER_HOST=engine.url)
    start_tournament(cup, ann)
    wait(lambda: playing() == 2 and playing_in(engine) == 6, "the bots of two tables are seated")
    engine.kill()
    engine.start()
    wait(lambda: reconcile() or finished(cup), "the tournament is finished")
    all_is_well(cup)
    voided = StatusNote.objects.filter(kind="table", old="playing").exclude(new="done")
    causes = {note.text.partition(":")[0] for note in voided}
    assert "sandbox_lost" in causes
    assert causes <= {"sandbox_lost", "sandbox_start", "no_engine"}
    assert set(voided.values_list("new", flat=True)) == {"queued"}
    assert worker.stop() == 0
    wait(lambda: engine.docker("ps", "--all", "--quiet") == "", "no container is left")


def test_what_a_killed_worker_leaves_is_removed_and_its_tables_are_played_soon(client, start_worker, wait):
    cup, ann = prepared(boards=2, pause_s=0.1, entrants=4)
    doomed = start_worker(SANDBOX="docker")
    start_tournament(cup, ann)
    orphans = wait(lambda: seated(client, doomed.pool()), "bots are seated")
    processes = doomed.below()
    doomed.kill()
    wait(lambda: not alive(processes), "none of its processes is left")
    lost = list(Table.objects.filter(status="playing"))
    # And one more, of a worker that is long gone, which has the name of a seat that is to be taken.
    was = {**labels(f"table-{lost[0].pk}-{lost[0].token + 1}-0"), WORKER_LABEL: _ended_worker()}
    config = {"Image": languages()["python"].image, "Cmd": ["sleep", "600"], "Labels": was}
    client.start(stale := client.create_container_from_config(config)["Id"])

    successor = start_worker(SANDBOX="docker")
    wait(lambda: reconcile() or done(lost), "what was lost is played again", LEASE_S + 60)
    left = {each["Id"] for each in client.containers(all=True)}
    assert not left & {*orphans, stale}

    # The successor is told to stop while it plays.
    wait(lambda: seated(client, successor.pool()), "bots are seated")
    processes, pids = successor.below(), successor.pool()
    assert successor.stop() == 0
    wait(lambda: not alive(processes), "none of its processes is left")
    assert not containers(client, pids)
    assert set(Table.objects.values_list("status", flat=True)) <= {"done", "queued"}
    assert not Match.objects.exclude(table__status="done").exists()
    assert not Match.objects.filter(seats__faults__gt=0).exists()


def _ended_worker():
    """The label of a worker of this machine that has ended."""
    host = labels("")[WORKER_LABEL].partition("/")[0]
    return f"{host}/{2**22 - 1}/1"
