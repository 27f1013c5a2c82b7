"""Playing boards with bots, at one seating or at all rotations, and counting what came of it."""

import hashlib
import secrets
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arena.clock_use import ClockUse, Timed, timed
from arena.protocol import ClockLimits
from arena.record import FaultRecord, Record
from arena.referee import Board, Table
from arena.rules import Rules
from arena.schedule.seating import rotations
from arena.seat import Seat
from client.seats import Bot
from client.signals import undisturbed
from sandbox.seat import ProcessSeat


@dataclass(frozen=True)
class Contest:
    """What is to be played: each of `boards` boards at every seating.

    Attributes:
        seed: every board's cards follow from it.
        rotate: play all rotations of the seats, each with fresh processes.
    """

    bots: Sequence[Bot]
    rules: Rules
    clock: ClockLimits
    seed: bytes
    boards: int
    rotate: bool

    @property
    def seatings(self) -> list[tuple[int, ...]]:
        """For each seating the bots' indices in seat order."""
        everybody = range(len(self.bots))
        return rotations(everybody) if self.rotate else [tuple(everybody)]

    @property
    def matches(self) -> int:
        """How many matches that is."""
        return self.boards * len(self.seatings)

    def board(self, index: int) -> Board:
        """Board `index`, from 0; the first dealer moves on with it."""
        seed = hashlib.sha256(self.seed + index.to_bytes(8, "big")).digest()
        return Board(seed, first_dealer=index % self.rules.players)


@dataclass(frozen=True)
class Played:
    """One match that was played.

    Attributes:
        seating: the bots' indices in seat order.
        logs: by seat, what each bot wrote to its standard error in this match.
        clock: what each decision was charged.
    """

    seating: tuple[int, ...]
    record: Record
    logs: tuple[str, ...]
    clock: ClockUse


def play(contest: Contest) -> Generator[Played, None, None]:
    """Play it all, match by match. Whatever ends the iteration early also ends the bots.

    Raises:
        PlatformFailure: a sandbox failed; the match at hand is void.
    """
    for shift, seating in enumerate(contest.seatings):
        yield from sit_down(contest, seating, range(contest.boards), shift + 1)


def sit_down(
    contest: Contest, seating: tuple[int, ...], boards: range, number: int
) -> Generator[Played, None, None]:
    """Play some of the boards at one seating, with fresh processes; as `play`.

    Args:
        number: of the seating, for the matches' names.
    """
    seats = [contest.bots[bot].new_seat() for bot in seating]
    table = Table(contest.rules, seats, new_id=lambda: secrets.token_hex(6), clock=contest.clock)
    labels = [contest.bots[bot].label for bot in seating]
    try:
        for index in boards:
            name = f"{index + 1}.{number}"
            record = table.play(contest.board(index), match=name, bots=labels)
            yield Played(seating, record, tuple(_take_log(seat) for seat in seats), table.clock_use())
        table.close()
    finally:
        with undisturbed():
            for seat in seats:
                seat.stop()


def _take_log(seat: Seat) -> str:
    return seat.take_log() if isinstance(seat, ProcessSeat) else ""


def write_logs(folder: Path, bots: Sequence[Bot], played: Played) -> None:
    """Append what the bots wrote in a match to a file each, under a line that names the match."""
    for seat, bot in enumerate(played.seating):
        if played.logs[seat]:
            with (folder / f"{bots[bot].label}.log").open("a", encoding="utf-8") as file:
                file.write(f"--- match {played.record.match}, seat {seat}\n{played.logs[seat].rstrip()}\n")


@dataclass
class Tally:
    """One bot's results so far.

    Attributes:
        points: penalty points in `deals` deals; play-offs only break ties and are not counted.
        ranks: the sum over its `matches`.
        wins: matches ranked first, alone or shared.
        decisions: how many it was asked for; `charged_ms` for all of them.
        longest: the match of the decision that took longest, and the decision.
    """

    label: str
    points: int = 0
    deals: int = 0
    matches: int = 0
    ranks: int = 0
    wins: int = 0
    decisions: int = 0
    charged_ms: float = 0.0
    longest: tuple[str, Timed] | None = None
    faults: list["Fault"] = field(default_factory=list)

    @property
    def points_a_deal(self) -> float:
        """Mean penalty points; lower is better."""
        return self.points / self.deals if self.deals else 0.0

    @property
    def mean_rank(self) -> float:
        """Mean rank; lower is better."""
        return self.ranks / self.matches if self.matches else 0.0

    @property
    def mean_ms(self) -> float | None:
        """What a decision took; None where it was asked for none."""
        return self.charged_ms / self.decisions if self.decisions else None

    @property
    def longest_ms(self) -> float | None:
        """What the longest decision took; None where it was asked for none."""
        return self.longest[1].charged_ms if self.longest else None


@dataclass(frozen=True)
class Fault:
    """A fault, the match it fell in, and what the bot had written to its standard error in it."""

    match: str
    fault: FaultRecord
    log: str


def count(tallies: Sequence[Tally], played: Played) -> None:
    """Add a match to the tallies, which are in the order of the contest's bots."""
    record = played.record
    for seat, bot in enumerate(played.seating):
        tally = tallies[bot]
        tally.matches += 1
        tally.ranks += record.ranks[seat]
        tally.wins += record.ranks[seat] == 1
        for deal in record.deals:
            if not deal.playoff:
                tally.deals += 1
                tally.points += deal.points[deal.seats.index(seat)]
        tally.faults += [
            Fault(record.match, fault, played.logs[seat]) for fault in record.faults if fault.seat == seat
        ]
    for row in timed(record, played.clock):
        if row.charged_ms is not None:
            tally = tallies[played.seating[row.seat]]
            tally.decisions += 1
            tally.charged_ms += row.charged_ms
            if tally.longest_ms is None or row.charged_ms > tally.longest_ms:
                tally.longest = (record.match, row)
