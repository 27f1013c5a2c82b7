"""What every backend must show, each behaviour as one plain function: for tests, and for
``manage.py sandbox_check``, with which an operator tries the sandbox of a machine.

    for result in examine(backend):
        print(result.name, result.problem or "ok")

A behaviour raises :class:`Broken` with what it saw. The bots here are the hostile ones of every day;
they are Python, and print what they managed to do as their reply.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from arena.errors import PlatformFailure
from sandbox.contract import conduct, neighbours, reach, walls
from sandbox.contract.means import BEHAVIOURS, Broken
from sandbox.session import Backend

__all__ = ["BEHAVIOURS", "DENIALS", "Broken", "Result", "conduct", "examine", "neighbours", "reach", "walls"]

#: What a play worker has its sandbox show each time that it starts: all that a bot is denied, as far as
#: it can be tried within seconds.
DENIALS: Final = (
    *(shows.__name__ for shows in BEHAVIOURS.values() if shows.__module__ == walls.__name__),
    "there_is_no_network",
    "nothing_can_be_written",
    "its_own_files_cannot_be_changed",
    "the_kernel_refuses_what_no_bot_needs",
    "it_has_no_privileges_and_can_gain_none",
    "the_environment_does_not_leak",
    "other_processes_are_invisible",
    "only_its_three_pipes_are_open",
    "secrets_of_the_machine_are_out_of_reach",
    "a_fork_bomb_is_contained",
    "a_thread_bomb_is_contained",
    "a_memory_bomb_is_stopped",
    "two_bots_of_one_table_cannot_talk",
)


@dataclass(frozen=True, slots=True)
class Result:
    """One behaviour's outcome; ``problem`` is empty when it holds."""

    name: str
    problem: str


def examine(backend: Backend, names: Iterable[str] = BEHAVIOURS, *, at_once: int = 1) -> Iterator[Result]:
    """Try behaviours, all of them unless some are named.

    Args:
        at_once: how many are tried side by side. Those that watch a clock want to be alone.

    Yields:
        Their results, in the order of the names.
    """
    with ThreadPoolExecutor(at_once) as threads:
        # Each in one thread from beginning to end: bubblewrap's processes end with the one that started them.
        yield from threads.map(partial(_try, backend), names)


def _try(backend: Backend, name: str) -> Result:
    try:
        BEHAVIOURS[name](backend)
    except (Broken, PlatformFailure) as error:
        return Result(name, str(error))
    return Result(name, "")
