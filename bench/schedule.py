"""How much luck is in a block: the constants of arena/schedule/preview.py. `python -m bench.schedule`

Reference bots play boards in all rotations, as a tournament does. For each bot: the variance over blocks of
its points a deal, times the deals of a block; and of its score (the share of opponents left behind), times
the matches of a block. The mean over the bots of a table. Beside them how many deals a match takes.
"""

import sys
from collections.abc import Sequence
from itertools import count
from random import Random
from statistics import mean, variance
from typing import Any

from arena.players import REFERENCE
from arena.referee import Board, Table
from arena.rules import Rules
from arena.schedule.seating import rotations
from arena.seat import InProcessSeat

#: Good and bad ones at each table; no two alike.
BOTS = ("dodger", "counter", "lowest", "random", "highest", "dodger")


def play_block(rules: Rules, bots: Sequence[str], seed: bytes) -> tuple[int, list[float], list[float]]:
    """One board in all rotations: deals in all, each bot's points a deal and its mean score."""
    numbers = map(str, count())
    deals = 0
    points = [0.0] * len(bots)
    score = [0.0] * len(bots)
    for seating in rotations(range(len(bots))):
        seats = [InProcessSeat(REFERENCE[bots[bot]]) for bot in seating]
        record = Table(rules, seats, new_id=numbers.__next__).play(
            Board(seed), match="bench", bots=[bots[bot] for bot in seating]
        )
        deals += sum(not deal.playoff for deal in record.deals)
        for seat, bot in enumerate(seating):
            points[bot] += record.totals[seat]
            behind = sum(
                (rank > record.ranks[seat]) + (rank == record.ranks[seat]) / 2 for rank in record.ranks
            )
            score[bot] += (behind - 0.5) / (len(bots) - 1) / len(bots)
    return deals, [total / deals for total in points], score


def measure(rules: Rules, blocks: int, chance: Random) -> tuple[float, float, float]:
    """Deals a match, variance of points for a deal, variance of the score for a match."""
    bots = BOTS[: rules.players]
    played = [play_block(rules, bots, chance.randbytes(32)) for _ in range(blocks)]
    deals = mean(block[0] for block in played)
    points = mean(variance(block[1][bot] for block in played) for bot in range(len(bots)))
    score = mean(variance(block[2][bot] for block in played) for bot in range(len(bots)))
    return deals / len(bots), points * deals, score * len(bots)


def main() -> int:
    """Print a table."""
    blocks = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    sys.stdout.write("rules                                  deals  points²/deal  score²/match\n")
    cases: list[dict[str, Any]] = [{"players": players} for players in (3, 4, 5, 6)]
    cases += [{"threshold": threshold} for threshold in (5, 20, 40)]
    cases += [{"deals": 1}, {"deals": 8}]
    cases += [{"variant": name} for name in ("quatre_valets", "slobberhannes", "knaves", "eichelobern")]
    for options in cases:
        deals, points, score = measure(Rules.make(**options), blocks, Random(1))
        line = f"{options!s:38} {deals:5.2f}  {points:12.3f}  {score:12.4f}\n"
        sys.stdout.write(line)
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
