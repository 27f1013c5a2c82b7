"""What every backend must show, each behaviour as one plain function: for tests, and for
``manage.py sandbox_check``, with which an operator tries the sandbox of a machine.

    for result in examine(backend):
        print(result.name, result.problem or "ok")

A behaviour raises :class:`Broken` with what it saw. The bots here are the hostile ones of every day;
they are Python, and print what they managed to do as their reply.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.errors import PlatformFailure
from sandbox.contract import conduct, reach
from sandbox.contract.means import BEHAVIOURS, Broken
from sandbox.session import Backend

__all__ = ["BEHAVIOURS", "Broken", "Result", "conduct", "examine", "reach"]


@dataclass(frozen=True, slots=True)
class Result:
    """One behaviour's outcome; ``problem`` is empty when it holds."""

    name: str
    problem: str


def examine(backend: Backend) -> Iterator[Result]:
    """Try every behaviour, one after another."""
    for name, shows in BEHAVIOURS.items():
        try:
            shows(backend)
        except (Broken, PlatformFailure) as error:
            yield Result(name, str(error))
        else:
            yield Result(name, "")
