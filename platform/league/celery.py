"""The Celery application. Start workers from the repo root, with `PYTHONPATH=.:platform`:

    celery -A league worker -Q default      everything but play
    celery -A league worker -Q play         checks and tables: the only worker that starts sandboxes
    celery -A league beat                   sends `reconcile` each minute

All options are in league.settings.base, as CELERY_*.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings.dev")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["league.pipeline"])
app.autodiscover_tasks(["league.pipeline"], related_name="worker")
