"""The clock of one match: what each seat may still use, and what it was charged (protocol.md, The clock).

It only does sums. What a decision is charged is measured by whoever runs the bot.
"""

from arena.protocol import ClockLimits


class MatchClock:
    """The banks of all seats of one match.

    Args:
        limits: what a decision and a match may take.
        players: number of seats.

    Attributes:
        charged_ms: what each decision was charged, in order; None where nobody was asked.
        off_turn_ms: (decision, milliseconds): what the seat of a decision, counted from 0, was charged before
            it for the time in which it was not asked.
    """

    def __init__(self, limits: ClockLimits, players: int) -> None:
        self.limits = limits
        self.charged_ms: list[float | None] = []
        self.off_turn_ms: list[tuple[int, float]] = []
        self._move_ms = float(limits.move_ms)
        self._bank_ms = [float(limits.bank_ms)] * players

    def bank_ms(self, seat: int) -> float:
        """What is left of a seat's bank, in milliseconds."""
        return self._bank_ms[seat]

    def budget_ms(self, seat: int) -> float:
        """The most that the seat's next decision may take, in milliseconds."""
        return self._move_ms + self._bank_ms[seat]

    def charge_off_turn(self, seat: int, used_ms: float) -> None:
        """Take from the bank processor time that was used while the seat was not asked: before it is."""
        self.off_turn_ms.append((len(self.charged_ms), used_ms))
        self._draw(seat, used_ms)

    def charge(self, seat: int, used_ms: float) -> None:
        """Take from the bank what a decision took over its own time."""
        self.charged_ms.append(used_ms)
        if used_ms > self._move_ms:
            self._draw(seat, used_ms - self._move_ms)

    def nobody_asked(self) -> None:
        """A decision that the referee took for a seat that it plays."""
        self.charged_ms.append(None)

    def _draw(self, seat: int, used_ms: float) -> None:
        self._bank_ms[seat] = max(0.0, self._bank_ms[seat] - used_ms)
