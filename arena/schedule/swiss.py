"""Tables by score, round after round."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import ClassVar, Final

from arena.schedule.plan import (
    Counts,
    Entrant,
    Format,
    History,
    Options,
    Place,
    PlayedGroup,
    Round,
    Setup,
    Skill,
    Status,
    whole,
)
from arena.schedule.seating import rotated
from arena.schedule.sides import most_tables, require_table, sides_of, sitting_out
from arena.schedule.tables import lay

#: What a bye is worth in a swiss: what an average entrant scores. The same for a round that was broken off
#: before the entrant had a complete block, through no fault of its own.
BYE_SCORE: Final = 0.5


@dataclass(frozen=True)
class Swiss(Options):
    """Every round those with like scores meet, and who has met before meets again as seldom as can be.

    The first round is drawn. Who can't be seated has a bye, worth `BYE_SCORE`: the lowest among those who had
    the fewest, so nobody has two before everyone had one (unless an owner has more entrants than there are
    tables: then its entrants take turns). The order is by the sum of scores, then points a deal.

    Attributes:
        rounds: how many. It ends earlier when withdrawals leave too few for a table.
    """

    format: ClassVar[Format] = Format.SWISS

    rounds: int

    def __post_init__(self) -> None:
        whole(self.format, "rounds", self.rounds, 1, 100)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        require_table(sides_of(setup, field), setup.players, setup.owners_apart)

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        sides = sides_of(setup, field)
        tables = most_tables(sides.values(), setup.players)
        groups = tables * self.rounds
        # Byes go round: nobody has more than its share of them all, or of those of its own side's surplus.
        byes = (len(sides) - tables * setup.players) * self.rounds
        largest = max(Counter(sides.values()).values())
        surplus = max(0, largest - tables) * self.rounds
        fewest = self.rounds - max(ceil(byes / len(sides)), ceil(surplus / largest))
        most = self.rounds - (0 if surplus else byes // len(sides))
        return Counts(self.rounds, groups, groups * setup.players, (fewest, most))

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        number = history[-1].number + 1 if history else 1
        sides = sides_of(setup, field)
        tables = most_tables(sides.values(), setup.players)
        if number > self.rounds or not tables:
            return None
        chance = setup.chance(number)
        order = list(sides)
        chance.shuffle(order)
        lines = _lines(field, history)
        order.sort(key=lambda each: lines[each].key())
        byes = Counter(each for played in history for each in played.byes)
        lowest = order[::-1]
        lowest.sort(key=lambda each: byes[each])
        out = sitting_out(sides, setup.players, tables, lowest)
        seated = [each for each in order if each not in set(out)]
        wished = [seated[start : start + setup.players] for start in range(0, len(seated), setup.players)]
        laid = lay(wished, sides, _met(history), chance)
        groups = tuple(rotated(members, chance) for members in laid)
        return Round(number, groups, byes=tuple(out), last=number == self.rounds)

    def ranking(self, setup: Setup, field: Sequence[Entrant], history: History) -> list[Place] | None:
        lines = _lines(field, history)
        out = {each.id for each in field if each.status is Status.DISQUALIFIED}
        order = sorted(lines, key=lambda each: (each in out, lines[each].key()))
        places: list[Place] = []
        for index, each in enumerate(order):
            line, rank = lines[each], index + 1
            if index:
                before = order[index - 1]
                same = (before in out) == (each in out)
                if same and (each in out or lines[before].key() == line.key()):
                    rank = places[-1].rank
            places.append(Place(each, rank, line.rounds, line.score, line.points()))
        return places


@dataclass
class _Line:
    """An entrant's sums. `blank` rounds had no complete block."""

    score: float = 0.0
    rounds: int = 0
    point_sum: float = 0.0
    pointed: int = 0

    def points(self) -> float | None:
        return round(self.point_sum / self.pointed, 9) if self.pointed else None

    def key(self) -> tuple[float, float]:
        """Best first; who has no points yet comes after those with the same score who have."""
        points = self.points()
        return -round(self.score, 9), float("inf") if points is None else points


def _lines(field: Sequence[Entrant], history: History) -> dict[int, _Line]:
    lines = {each.id: _Line() for each in field}
    active = {each.id: each.active for each in field}
    for played in history:
        for bye in played.byes:
            if bye in lines:
                lines[bye].score += BYE_SCORE
                lines[bye].rounds += 1
        for group in played.groups:
            for member in group.members:
                if member in lines:
                    _add(lines[member], group, member, active[member])
    return lines


def _add(line: _Line, group: PlayedGroup, member: int, active: bool) -> None:
    # Who left before a block was complete gets nothing for the round; the others are made good.
    line.score += group.score.get(member, BYE_SCORE if active else 0.0)
    line.rounds += 1
    if member in group.points:
        line.point_sum += group.points[member]
        line.pointed += 1


def _met(history: History) -> Mapping[int, Mapping[int, int]]:
    met: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for played in history:
        for group in played.groups:
            for one, two in combinations(group.members, 2):
                met[one][two] += 1
                met[two][one] += 1
    return met
