"""A play worker without one of its walls takes nothing (with all of them: every other test with workers); and
no container of its outlives it for long."""

import subprocess
import sys
from collections import defaultdict
from contextlib import closing

import pytest
from celery import current_app

from league.bots import services as bots
from league.bots.models import Version
from league.pipeline import queue
from league.pipeline.submit import submit_bot
from league.tournaments import workers
from league.tournaments.models import PlayWorker, Table
from tests.faults.machinery import ROOT, environment
from tests.league import kit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True),
]

#: Taken out of the tables of walls, before a worker begins.
NO_WALL = {
    "bubblewrap": """
from sandbox import bubblewrap, bwrap_hardening
whole = bwrap_hardening.hardening
bubblewrap.hardening = lambda *given: [wall for wall in whole(*given) if wall.name != "--unshare-net"]
""",
    "docker": """
from sandbox.containers import hardening
whole = hardening.hardening
hardening.hardening = lambda limits: [option for option in whole(limits) if option.name != "ReadonlyRootfs"]
""",
}
MISSED = {"bubblewrap": "there_is_no_network", "docker": "nothing_can_be_written"}
CELERY = "\nfrom celery.__main__ import main\nmain()"


@pytest.mark.parametrize(
    "sandbox",
    [
        pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
        pytest.param("docker", marks=pytest.mark.docker),
    ],
)
def test_a_worker_without_one_of_its_walls_takes_nothing(sandbox, broker, settings):
    ann = kit.user("ann")
    kit.running(ann)
    current_app.send_task(queue.PLAY)
    submit_bot(bots.create_bot(ann, "Late"), b"raise SystemExit(1)\n", "bot.py")
    waiting = broker.queued()
    options = ["-A", "league", "worker", "-Q", "play", "-l", "INFO"]
    done = subprocess.run(
        [sys.executable, "-c", NO_WALL[sandbox] + CELERY, *options],
        cwd=ROOT,
        env=environment(settings.DATA_DIR, REDIS_URL=broker.url, SANDBOX=sandbox),
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    for said in ("takes no tables and no checks", MISSED[sandbox], "sandbox_check"):
        assert said in done.stderr
    assert broker.queued() == waiting >= 2
    assert set(Table.objects.values_list("status", "attempt")) == {("queued", 0)}
    late = Version.objects.get(bot__name="Late")
    assert (late.status, late.attempt) == ("received", 0)
    assert (workers.refusing(), workers.last_seen()) == (1, None)
    assert MISSED[sandbox] in PlayWorker.objects.get().refused


def containers(client):
    """The containers of each process that made some: those of bots, and those that were kept ready."""
    found = defaultdict(list)
    for container in client.containers(all=True, filters={"label": "polignac.seat"}):
        pid = int(container["Labels"]["polignac.worker"].split("/")[1])
        found[pid].append(container["Labels"]["polignac.seat"])
    return found


def play_one(worker, client, wait):
    """Have a table played by one of the worker's processes, and wait for what it keeps ready after it."""
    done = Table.objects.filter(status="done")
    before = done.count()
    current_app.send_task(queue.PLAY)
    wait(lambda: done.count() > before, "a table is played")

    def ready():
        found = containers(client)
        return [pid for pid in worker.pool() if found[pid] and set(found[pid]) == {"spare"}]

    (pid,) = wait(ready, "it keeps containers ready")
    return pid


@pytest.mark.docker
def test_what_a_worker_kept_ready_does_not_outlive_it(start_worker, wait):
    from sandbox.containers.engine import connect

    kit.running(kit.user("ann"))
    with closing(connect()) as client:
        killed = start_worker(SANDBOX="docker")
        pid = play_one(killed, client, wait)
        killed.kill()
        assert containers(client)[pid], "nobody could remove them yet"
        worker = start_worker(SANDBOX="docker")
        assert not containers(client)[pid]
        kit.running(kit.user("bob"), name="Another cup")
        pid = play_one(worker, client, wait)
        assert worker.stop() == 0
        assert not containers(client)[pid]
