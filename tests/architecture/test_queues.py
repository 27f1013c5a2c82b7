"""Each queue has somebody who works on it, however the league is started: nothing waits in vain."""

import re
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("started", ["demo/services.py", "docker-compose.yml", "docs/operating.md"])
def test_whoever_starts_the_league_starts_a_worker_for_each_queue(started):
    named = re.findall(r"--queues=([\w,]+)", (ROOT / started).read_text())
    queues = {str(queue) for queue in settings.CELERY_TASK_ROUTES.values()}
    assert len(queues) == 2
    assert {queue for names in named for queue in names.split(",")} == {
        *queues,
        settings.CELERY_TASK_DEFAULT_QUEUE,
    }
