"""`manage.py sandbox_check`: whether the sandbox of this machine shows every behaviour it must."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from sandbox.backends import SandboxUnavailable, choose
from sandbox.contract import examine


class Command(BaseCommand):
    """Run the contract that every backend must pass."""

    help = "Try every behaviour that a sandbox must show; exit 1 when one is missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--sandbox", default=settings.SANDBOX, choices=("auto", "docker", "bubblewrap"))

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            backend = choose(options["sandbox"])
        except SandboxUnavailable as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{backend.name}:")
        broken = 0
        for result in examine(backend):
            broken += bool(result.problem)
            self.stdout.write(f"  {result.name}: {result.problem or 'ok'}")
        if broken:
            raise CommandError(
                f"{backend.name} does not show {broken} behaviours: run no strangers' bots with it"
            )
