"""The best of each table go on."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.schedule import ScheduleError
from arena.schedule.plan import (
    Counts,
    Entrant,
    Format,
    History,
    Options,
    Place,
    PlayedGroup,
    PlayedRound,
    Round,
    Setup,
    Skill,
    Status,
    whole,
)
from arena.schedule.seating import rotated
from arena.schedule.sides import Sides, most_tables, require_table, sides_of, sitting_out
from arena.schedule.tables import lay

# A round broken off before a complete block tells nothing: all alike, and the seed decides.
NO_SCORE = 0.5


@dataclass(frozen=True)
class Knockout(Options):
    """Tables of n; the best of each go on, until one table is left: the final, which decides the order.

    - Seeds are the order of the field. They are spread over the tables so that the first meet late.
    - Who can't be seated has a bye, which is as good as a win: the best seeds among those who had the fewest.
    - Ties at a table are broken by score, then points a deal, then seed.
    - A final has n entrants. Where fewer are left, those who just missed are taken in: the best placed at
      their tables first, then by score, points, seed; those of later rounds before earlier ones.
    - Who withdraws leaves its place to the next of its table; a bye that withdraws is gone.
    - Where owners are kept apart and those left have fewer than n owners, the best of each owner play the
      final, filled up in the same way; the others of those owners are out.

    Attributes:
        advance: how many go on from each table; fewer than sit at it.
    """

    format: ClassVar[Format] = Format.KNOCKOUT

    advance: int = 2

    def __post_init__(self) -> None:
        whole(self.format, "advance", self.advance, 1, 5)

    def check(self, setup: Setup, field: Sequence[Entrant]) -> None:
        if self.advance >= setup.players:
            raise ScheduleError(
                "option",
                f"knockout: advance={self.advance} is not allowed at tables of {setup.players}: "
                f"at the most {setup.players - 1} go on",
            )
        require_table(sides_of(setup, field), setup.players, setup.owners_apart)

    def count(self, setup: Setup, field: Sequence[Entrant]) -> Counts:
        players = setup.players
        sides = sides_of(setup, field)
        left, groups, rounds = len(sides), 1, 1
        tables = most_tables(sides.values(), players)
        while left > players:
            groups += tables
            rounds += 1
            left = max(players, left - tables * (players - self.advance))
            tables = min(tables, left // players)
        return Counts(rounds, groups, groups * players, (0 if len(sides) % players else 1, rounds))

    def next_round(
        self, setup: Setup, field: Sequence[Entrant], history: History, skills: Mapping[int, Skill]
    ) -> Round | None:
        sides = sides_of(setup, field)
        if history and _was_final(history[-1]):
            return None
        number = history[-1].number + 1 if history else 1
        chance = setup.chance(number)
        best_first = _best_first(field, history)
        left = self._left(sides, history, best_first)
        if len({sides[each] for each in left}) < setup.players or len(left) == setup.players:
            final = _filled(left, [each for each in best_first if each in sides], sides, setup.players)
            if len(final) < setup.players:
                return None
            return Round(number, (rotated(final, chance),), last=True)
        seeded = [each for each in sides if each in left]
        tables = most_tables([sides[each] for each in seeded], setup.players)
        had = Counter(each for played in history for each in played.byes)
        byes = sitting_out(
            {each: sides[each] for each in seeded},
            setup.players,
            tables,
            sorted(seeded, key=lambda each: had[each]),
        )
        seated = [each for each in seeded if each not in set(byes)]
        laid = lay(_snake(seated, tables), sides, {}, chance)
        return Round(number, tuple(rotated(members, chance) for members in laid), byes=tuple(byes))

    def _left(self, sides: Sides, history: History, best_first: Sequence[int]) -> list[int]:
        """Who goes on after the last round, best first."""
        if not history:
            return list(sides)
        going = set(history[-1].byes)
        rank = {each: place for place, each in enumerate(best_first)}
        for group in history[-1].groups:
            here = sorted((each for each in group.members if each in sides), key=lambda each: rank[each])
            going.update(here[: self.advance])
        return [each for each in best_first if each in going and each in sides]

    def ranking(self, setup: Setup, field: Sequence[Entrant], history: History) -> list[Place] | None:
        out = {each.id for each in field if each.status is Status.DISQUALIFIED}
        order = _best_first(field, history)
        order = [each for each in order if each not in out] + [each for each in order if each in out]
        last = {each: played.number for played in history for each in _in_round(played)}
        places = []
        for index, each in enumerate(order):
            group = _last_group(each, history)
            places.append(
                Place(
                    entrant=each,
                    rank=min(index, len(order) - len(out)) + 1,
                    rounds=last.get(each, 0),
                    score=group.score.get(each, 0.0) if group else 0.0,
                    points=group.points.get(each) if group else None,
                )
            )
        return places


def _was_final(played: PlayedRound) -> bool:
    return len(played.groups) == 1 and not played.byes


def _in_round(played: PlayedRound) -> Iterable[int]:
    return (*played.byes, *(each for group in played.groups for each in group.members))


def _last_group(each: int, history: History) -> PlayedGroup | None:
    for played in reversed(history):
        for group in played.groups:
            if each in group.members:
                return group
    return None


def _best_first(field: Sequence[Entrant], history: History) -> list[int]:
    """Everyone, by how far they came: the last round, place at the table, score, points, seed."""
    seed = {each.id: place for place, each in enumerate(field)}
    active = {each.id for each in field if each.active}
    keys: dict[int, tuple[float, ...]] = {each: (0, 0, 0, 0, place) for each, place in seed.items()}
    for played in history:
        for bye in played.byes:
            keys[bye] = (-played.number, 0, 0, 0, seed[bye])
        for group in played.groups:
            results = {
                each: (
                    -group.score.get(each, NO_SCORE if each in active else 0.0),
                    group.points.get(each, 0.0),
                    seed[each],
                )
                for each in group.members
            }
            for place, each in enumerate(sorted(results, key=lambda each: results[each])):
                keys[each] = (-played.number, place, *results[each])
    return sorted(keys, key=lambda each: keys[each])


def _filled(left: Sequence[int], best_first: Sequence[int], sides: Sides, players: int) -> list[int]:
    """The finalists: those left, one of each side, and who just missed until the table is full."""
    finalists: list[int] = []
    for each in (*left, *best_first):
        if len(finalists) < players and sides[each] not in {sides[one] for one in finalists}:
            finalists.append(each)
    return finalists


def _snake(seeded: Sequence[int], tables: int) -> list[list[int]]:
    """Seeds to tables there and back again, so that the tables are equally strong."""
    laid: list[list[int]] = [[] for _ in range(tables)]
    for place, each in enumerate(seeded):
        turn, table = divmod(place, tables)
        laid[table if turn % 2 == 0 else tables - 1 - table].append(each)
    return laid
