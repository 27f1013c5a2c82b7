"""`manage.py recompute_ratings`: every sheet anew, or with --check only a comparison."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.ratings.models import Sheet
from league.ratings.selectors import differences
from league.ratings.services import recompute


class Command(BaseCommand):
    """Rebuild what is added up from the counted results."""

    help = "Rebuild the ratings of every pool, and the standings of every tournament, from what counts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail where a stored number differs"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        for sheet in Sheet.objects.select_related("pool", "tournament").order_by("id"):
            if options["check"]:
                found = differences(sheet.scope)
                wrong += len(found)
                for difference in found:
                    self.stderr.write(f"{sheet}: {difference}")
            else:
                done = recompute(sheet.scope, anew=True)
                told = (
                    f"{done.matches} matches, results {done.results_hash[:12]}" if done else "nothing counts"
                )
                self.stdout.write(f"{sheet}: {told}")
        if wrong:
            raise CommandError(f"{wrong} stored numbers differ from what the results give")
