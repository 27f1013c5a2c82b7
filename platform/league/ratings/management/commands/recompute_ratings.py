"""`manage.py recompute_ratings`: every pool anew, or with --check only a comparison."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.ratings.models import Pool
from league.ratings.selectors import differences
from league.ratings.services import recompute


class Command(BaseCommand):
    """Rebuild the ratings from the counted results."""

    help = "Rebuild the ratings of every pool from its counted results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail where a stored rating differs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        for pool in Pool.objects.order_by("id"):
            if options["check"]:
                found = differences(pool)
                wrong += len(found)
                for line in found:
                    self.stderr.write(f"{pool}: {line}")
            else:
                done = recompute(pool)
                self.stdout.write(f"{done}: {done.matches} matches, results {done.results_hash[:12]}")
        if wrong:
            raise CommandError(f"{wrong} stored ratings differ from what the results give")
