"""The standings of a tournament: a pure function of its counted results."""

from collections.abc import Iterable
from dataclasses import dataclass

from league.matches.selectors import Result


@dataclass(frozen=True)
class Standing:
    """How a version stands.

    Attributes:
        place: from 1; equal scores and points share the better place.
        score: the share of opponents left behind, ties half: 0 to 1, over all its counted matches.
        points_per_deal: penalty points; lower is better.
    """

    version: int
    place: int
    score: float
    points_per_deal: float
    matches: int
    wins: int
    faults: int
    vacated: int


def standings(results: Iterable[Result], versions: Iterable[int]) -> list[Standing]:
    """Everybody's standing, best first; those without a counted match come last, together."""
    tallies = {version: _Tally(version) for version in versions}
    for result in results:
        for seat in result.seats:
            others = [other.rank for other in result.seats if other is not seat]
            tally = tallies[seat.version]
            # Twice the pairs won, so that the sums stay whole numbers and no order of adding shows.
            tally.half_pairs += sum(2 * (seat.rank < rank) + (seat.rank == rank) for rank in others)
            tally.pairs += len(others)
            tally.points += seat.total
            tally.deals += result.deals
            tally.matches += 1
            tally.wins += seat.rank == 1
            tally.faults += seat.faults
            tally.vacated += seat.vacated
    ordered = sorted(tallies.values(), key=lambda tally: (*tally.merit, tally.version))
    placed: list[Standing] = []
    for index, tally in enumerate(ordered):
        tied = index > 0 and ordered[index - 1].merit == tally.merit
        placed.append(tally.standing(placed[-1].place if tied else index + 1))
    return placed


@dataclass
class _Tally:
    version: int
    half_pairs: int = 0
    pairs: int = 0
    points: int = 0
    deals: int = 0
    matches: int = 0
    wins: int = 0
    faults: int = 0
    vacated: int = 0

    @property
    def score(self) -> float:
        return self.half_pairs / (2 * self.pairs) if self.pairs else 0.0

    @property
    def points_per_deal(self) -> float:
        return self.points / self.deals if self.deals else 0.0

    @property
    def merit(self) -> tuple[bool, float, float]:
        return not self.matches, -self.score, self.points_per_deal

    def standing(self, place: int) -> Standing:
        return Standing(
            self.version,
            place,
            self.score,
            self.points_per_deal,
            self.matches,
            self.wins,
            self.faults,
            self.vacated,
        )
