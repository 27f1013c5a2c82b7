"""Timing several contenders against each other on a machine that is never quite quiet."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

#: Plays so many deals.
Workload = Callable[[int], None]


@dataclass(frozen=True)
class Speed:
    """How long one deal takes, in seconds: one figure for each round."""

    seconds_a_deal: tuple[float, ...]

    @property
    def deals_a_second(self) -> float:
        """At the median of the rounds."""
        return 1.0 / statistics.median(self.seconds_a_deal)

    @property
    def best(self) -> float:
        """Deals a second in the best round: what the machine gives when nobody else wants it."""
        return 1.0 / min(self.seconds_a_deal)

    def ns_each(self, things: float) -> float:
        """Nanoseconds for each of so many things in a deal, such as cards."""
        return 1e9 / self.deals_a_second / things

    def faster_than(self, other: "Speed") -> float:
        """How many deals are played while `other` plays one: the median over rounds, each against its own.

        Two turns that follow each other meet the same machine, so this is steadier than either figure.
        """
        pairs = zip(other.seconds_a_deal, self.seconds_a_deal, strict=True)
        return statistics.median(theirs / ours for theirs, ours in pairs)


def race(
    contenders: Mapping[str, Workload],
    rounds: int,
    round_s: float,
    clock: Callable[[], float] = time.process_time,
) -> dict[str, Speed]:
    """Time the contenders in turns, so that whatever else the machine does hits them alike.

    Args:
        rounds: turns of each.
        round_s: about how long one turn is.
        clock: processor time of this process by default; give `time.perf_counter` where others work for us.
    """
    sizes = {name: _deals_in(work, round_s, clock) for name, work in contenders.items()}
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            start = clock()
            work(sizes[name])
            taken[name].append((clock() - start) / sizes[name])
    return {name: Speed(tuple(seconds)) for name, seconds in taken.items()}


def _deals_in(work: Workload, round_s: float, clock: Callable[[], float]) -> int:
    """How many deals take about `round_s` seconds; warms the contender up, too."""
    deals = 1
    while True:
        start = clock()
        work(deals)
        used = clock() - start
        if used > round_s / 10:
            return max(1, round(deals * round_s / used))
        deals *= 4
