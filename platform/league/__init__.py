"""The league: the Django project that remembers who plays, what was played and how it ended."""

from league.celery import app as celery_app

__all__ = ["celery_app"]
