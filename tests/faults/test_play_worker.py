"""A play worker without one of its walls takes nothing. (With all of them: every other test with workers.)"""

import subprocess
import sys

import pytest
from celery import current_app

from league.bots import services as bots
from league.bots.models import Version
from league.pipeline import queue
from league.pipeline.submit import submit_bot
from league.tournaments.models import Table
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
    _, tables = kit.running(ann)
    current_app.send_task(queue.PLAY, args=[tables[0]])
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
