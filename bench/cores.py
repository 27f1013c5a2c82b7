"""Two tables on two cores against one: each in a process of its own, as the league's workers are."""

import statistics
import subprocess
import sys
from contextlib import ExitStack

from bench.engine import ROOT


class _Worker:
    """A process that plays a table."""

    def __init__(self, backend: str, stack: ExitStack) -> None:
        self._process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-m", "bench.one_table", backend],
                cwd=ROOT,
                text=True,
                bufsize=1,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        )
        stack.callback(self._process.communicate)
        self._line()

    def order(self, deals: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{deals}\n")

    def seconds(self) -> float:
        return float(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a table of the bench ended")
        return line


def two_against_one(backend: str, rounds: int, deals: int) -> tuple[float, float, float]:
    """How many times as many deals two tables play as one does, the first of them, in the same time, in
    rounds in which first one plays and then both; and the deals a second of one and of both. Medians."""
    ratios, ones, speeds = [], [], []
    with ExitStack() as stack:
        one, other = (_Worker(backend, stack) for _ in range(2))
        for _ in range(rounds):
            one.order(deals)
            alone = one.seconds()
            ones.append(deals / alone)
            one.order(deals)
            other.order(deals)
            together = one.seconds(), other.seconds()
            ratios.append(sum(alone / taken for taken in together))
            speeds.append(sum(deals / taken for taken in together))
    return statistics.median(ratios), statistics.median(ones), statistics.median(speeds)
