"""The clock of one match: what each seat may still use (protocol.md, The clock).

It only does sums. What a decision is charged is measured by whoever runs the bot.
"""

from arena.protocol import ClockLimits


class MatchClock:
    """The banks of all seats of one match.

    Args:
        limits: what a decision and a match may take.
        players: number of seats.
    """

    def __init__(self, limits: ClockLimits, players: int) -> None:
        self._move_ms = float(limits.move_ms)
        self._bank_ms = [float(limits.bank_ms)] * players

    def bank_ms(self, seat: int) -> float:
        """What is left of a seat's bank, in milliseconds."""
        return self._bank_ms[seat]

    def budget_ms(self, seat: int) -> float:
        """The most that the seat's next decision may take, in milliseconds."""
        return self._move_ms + self._bank_ms[seat]

    def charge_off_turn(self, seat: int, used_ms: float) -> None:
        """Take from the bank processor time that was used while the seat was not asked."""
        self._bank_ms[seat] = max(0.0, self._bank_ms[seat] - used_ms)

    def charge(self, seat: int, used_ms: float) -> None:
        """Take from the bank what a decision took over its own time."""
        if used_ms > self._move_ms:
            self.charge_off_turn(seat, used_ms - self._move_ms)
