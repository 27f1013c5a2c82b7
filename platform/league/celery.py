"""The Celery application. Start workers from the repo root, with `PYTHONPATH=.:platform`:

    celery -A league worker -Q default      everything but play
    celery -A league worker -Q play         checks and tables: the only worker that starts sandboxes
    celery -A league beat                   sends `reconcile` each minute

All options are in league.settings.base, as CELERY_*; what is logged, and how, is LOGGING there.
"""

import os
from typing import Any

from celery import Celery, Task
from celery.signals import before_task_publish, setup_logging, task_prerun

from league.common import request_id

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league.pipeline"])
app.autodiscover_tasks(["league.pipeline"], related_name="worker")


@before_task_publish.connect
def _tell_request(headers: dict[str, Any], **_: Any) -> None:
    """A message says which request sent it."""
    if made_for := request_id.current():
        headers[request_id.MESSAGE_HEADER] = made_for


@task_prerun.connect
def _take_request(task: Task[Any, Any], **_: Any) -> None:
    """What a task logs, and sends, is for the request that sent it."""
    made_for = task.request.get(request_id.MESSAGE_HEADER)
    request_id.begin(str(made_for)) if made_for else request_id.end()


@setup_logging.connect
def _keep_logging(**_: Any) -> None:
    """Celery makes no loggers of its own where somebody listens here."""
