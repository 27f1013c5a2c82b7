"""How long a table can last at the very most: a bound, so that no table outlives its task."""

from arena.protocol import ClockLimits
from arena.rules import Rules, pack_for


def longest_match_s(rules: Rules, clock: ClockLimits) -> float:
    """Seconds of a match in which every bot takes all the time it may, on every decision."""
    decisions = len(pack_for(rules.players, rules.deal)) + (rules.players if rules.bids else 0)
    deals = most_deals(rules) + rules.max_playoffs
    moves_ms = deals * decisions * clock.move_ms
    return (moves_ms + rules.players * (clock.bank_ms + clock.start_ms)) / 1000


def most_deals(rules: Rules) -> int:
    """The most deals a match can have before any play-off."""
    if rules.deals is not None:
        return min(rules.deals, rules.max_deals)
    values = [value for _, value in rules.card_points]
    if rules.threshold is None or any(value < 0 for value in values):
        return rules.max_deals
    # All seats but one short of the threshold: every deal adds at least this much to the sum of the totals.
    least = min(sum(values) + rules.first_trick + rules.last_trick, 5)
    if least < 1:
        return rules.max_deals
    return min(rules.max_deals, rules.players * (rules.threshold - 1) // least + 1)


def most_boards(rules: Rules, clock: ClockLimits, limit_s: float) -> int:
    """How many boards a table can play for sure within so many seconds."""
    return int(limit_s // longest_match_s(rules, clock))
