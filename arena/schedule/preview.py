"""What an organiser sees before the start: how much play it is, how long it takes, how sure it will be.

The constants were measured with `python -m bench.schedule 300`: tables of reference bots, good and bad ones,
300 boards each in all rotations with `luck` as in protocol.md. They are expectations: other bots play longer
or shorter matches and have more or less luck. Standings and ratings give the intervals that were reached.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Final

from arena.rules import Rules
from arena.schedule import ScheduleError
from arena.schedule.formats import count
from arena.schedule.plan import SURE, Entrant, Setup

#: Elo for a score, about the middle: the slope of 400 log10(s / (1 − s)) at s = 1/2.
ELO_PER_SCORE: Final = 400 / (log(10) / 4)
#: Deals until a threshold: threshold / points of a deal × (a + b × players).
#: Measured at thresholds 5, 10, 20, 40: 2.1, 4.6, 9.5, 19.5; for 3 to 6 players: 4.0, 4.6, 5.1, 5.7.
DEALS_A: Final = 1.15
DEALS_B: Final = 0.285
#: Variance of a bot's points a deal over rotated boards, for one deal, where the squares of a deal's points
#: add up to 7 (polignac); for others in proportion. Measured against that: quatre_valets + 3 %,
#: slobberhannes 0 %, knaves − 23 %, eichelobern − 15 %.
POINTS_VARIANCE: Final = {3: 1.56, 4: 1.51, 5: 1.38, 6: 1.22}
#: Variance of a bot's score (share of opponents left behind) over rotated boards, for one match:
#: 1 / (a + b × deals).
#: Measured for matches of 2.1, 4.6, 9.5, 19.5 deals: 0.075, 0.058, 0.039, 0.026.
SCORE_A: Final = 9.8
SCORE_B: Final = 1.64


@dataclass(frozen=True)
class Width:
    """How wide the 95 % interval of one entrant will be, from end to end; None where it plays no block.

    Attributes:
        elo: in Elo, for a bot about as good as its opponents; more for one far above or below.
        points: in penalty points a deal.
    """

    elo: float | None
    points: float | None


@dataclass(frozen=True)
class Preview:
    """What an organiser sees before the start. A ladder is shown by one of its rounds.

    Attributes:
        rounds: None for a ladder.
        boards: match seeds, of all groups together.
        matches: tables × boards.
        deals: expected; how long a match is depends on the rules and a little on the bots.
        seconds: expected, (tables × start of one + deals / deals a second) / workers; None where the speed is
            unknown.
        widest: the interval of the entrant with the fewest blocks, all rounds played.
        narrowest: that of the one with the most.
    """

    rounds: int | None
    groups: int
    tables: int
    boards: int
    matches: int
    deals: int
    seconds: float | None
    widest: Width
    narrowest: Width


def preview(
    setup: Setup,
    field: Sequence[Entrant],
    rules: Rules,
    boards: int,
    *,
    workers: int = 1,
    deals_per_second: float | None = None,
    table_seconds: float = 0.0,
) -> Preview:
    """How big the tournament is, how long it takes and how sure it will be, without planning it.

    Args:
        boards: that each group plays.
        deals_per_second: of one worker while it plays, as measured.
        table_seconds: what a table takes beside its deals, as measured: its bots are started.

    Raises:
        ScheduleError: as `formats.check` does; `option` for less than one board.
    """
    if boards < 1:
        raise ScheduleError("option", f"a group plays at least 1 board, not {boards}")
    counts = count(setup, field)
    matches = counts.tables * boards
    deals = round(matches * deals_a_match(rules))
    seconds = None
    if deals_per_second:
        seconds = (counts.tables * table_seconds + deals / deals_per_second) / max(1, workers)
    in_a_block = counts.tables // max(1, counts.groups)
    fewest, most = (expected_width(rules, each * boards, in_a_block) for each in counts.groups_each)
    return Preview(
        rounds=counts.rounds,
        groups=counts.groups,
        tables=counts.tables,
        boards=counts.groups * boards,
        matches=matches,
        deals=deals,
        seconds=seconds,
        widest=fewest,
        narrowest=most,
    )


def points_a_deal(rules: Rules) -> int:
    """The penalty points that a deal without a bid shares out, bonuses apart."""
    return sum(points for _, points in rules.card_points) + rules.first_trick + rules.last_trick


def deals_a_match(rules: Rules) -> float:
    """How many deals a match takes, without play-offs: as the rules say, or as measured."""
    if rules.threshold is None:
        return float(rules.deals or rules.max_deals)
    expected = rules.threshold / max(1, points_a_deal(rules)) * (DEALS_A + DEALS_B * rules.players)
    return min(max(1.0, expected), rules.max_deals)


def expected_width(rules: Rules, blocks: int, matches: int) -> Width:
    """The 95 % interval after so many complete blocks, each of so many matches: 2 × 1.96 standard errors.

    A standard error is the root of (variance for one deal or match / number of them). The variance is
    measured over whole blocks, so what deals of one board have in common is in it.
    """
    if not blocks or not matches:
        return Width(None, None)
    deals = deals_a_match(rules)
    values = [*(points for _, points in rules.card_points), rules.first_trick, rules.last_trick]
    variance = POINTS_VARIANCE[rules.players] * sum(value**2 for value in values) / 7
    points = sqrt(variance / (blocks * matches * deals))
    score = sqrt(1 / (SCORE_A + SCORE_B * deals) / (blocks * matches))
    return Width(elo=2 * SURE * ELO_PER_SCORE * score, points=2 * SURE * points)
