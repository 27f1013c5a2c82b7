"""`manage.py partner_report --pool 1`: who does better beside whom than chance explains."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from league.ratings.models import Pool
from league.ratings.reports import partner_report
from league.tournaments.models import Tournament


class Command(BaseCommand):
    """The report of partner effects, for an operator."""

    help = "Print the conspicuous pairs of a pool or a tournament."

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("--pool", type=int)
        which.add_argument("--tournament", type=int)

    def handle(self, *args: Any, **options: Any) -> None:
        scope: Pool | Tournament
        if options["pool"] is not None:
            scope = Pool.objects.get(pk=options["pool"])
        else:
            scope = Tournament.objects.get(pk=options["tournament"])
        report = partner_report(scope, most=None)
        for effect in report.effects:
            one, other = report.versions[effect.one], report.versions[effect.other]
            self.stdout.write(
                f"{effect.effect}: {one} {effect.one_gain:+.3f} and {other} {effect.other_gain:+.3f} points "
                f"a deal where they met, in {effect.matches} matches of {effect.groups} groups "
                f"(p = {effect.p:.4f})"
            )
        self.stdout.write(f"{len(report.effects)} pairs in {report.matches} matches")
