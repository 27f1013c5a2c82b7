"""`manage.py recount_blocks`: which boards are complete blocks, counted anew from the matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q

from league.ratings.services import changed
from league.tournaments.models import Board, Tournament
from league.tournaments.selectors import misjudged_boards


class Command(BaseCommand):
    """Compare what is stored with what the matches say, and put it right."""

    help = "Put right which boards count as complete; with --check only compare, and exit 1 if any differs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            wrong = list(misjudged_boards().values_list("pk", flat=True))
            for board in wrong:
                self.stderr.write(f"board {board} does not say what its matches do")
            if options["check"] and wrong:
                raise CommandError(f"{len(wrong)} boards differ")
            for tournament in Tournament.objects.filter(groups__boards__in=wrong).distinct():
                changed(tournament)
            Board.objects.filter(pk__in=wrong).update(complete=~Q(complete=True))
        self.stdout.write(f"{len(wrong)} boards put right" if wrong else "every board says what it should")
