"""`manage.py reconcile`: what beat has done each minute, now."""

from typing import Any

from django.core.management.base import BaseCommand

from league.pipeline.reconcile import reconcile


class Command(BaseCommand):
    """Put right what messages, workers or the broker have lost."""

    help = "Give expired leases back, send lost messages again, advance what is due, rate what is stale."

    def handle(self, *args: Any, **options: Any) -> None:
        reconcile()
