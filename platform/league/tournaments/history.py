"""What was played, as the schedule takes it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TypeAlias

from arena.schedule.formats import ranking
from arena.schedule.plan import Format, Place, PlayedGroup, PlayedRound, Skill
from league.matches.models import MatchSeat
from league.ratings.kept import kept
from league.ratings.selectors import skills
from league.tournaments.models import Bye, TableSeat, Tournament
from league.tournaments.planning import field_of, setup_of


@dataclass
class _Sum:
    """One version in one group, over its complete blocks; half pairs are whole numbers."""

    half_pairs: int = 0
    pairs: int = 0
    points: int = 0
    deals: int = 0


@dataclass
class _Group:
    members: list[int] = field(default_factory=list)
    sums: dict[int, _Sum] = field(default_factory=lambda: defaultdict(_Sum))

    def told(self) -> PlayedGroup:
        return PlayedGroup(
            tuple(self.members),
            {version: one.half_pairs / (2 * one.pairs) for version, one in self.sums.items()},
            {version: one.points / one.deals for version, one in self.sums.items()},
        )


def history_of(tournament: Tournament, first: int = 1) -> list[PlayedRound]:
    """The rounds so far from the `first` on, with the scores of their complete blocks."""
    rounds: dict[int, dict[int, _Group]] = {
        number: defaultdict(_Group) for number in range(first, tournament.round + 1)
    }
    seats = TableSeat.objects.filter(
        table__tournament=tournament, table__group__round__gte=first, table__number=0, table__batch=1
    ).order_by("table__group__number", "seat")
    for number, group, version in seats.values_list(
        "table__group__round", "table__group__number", "entrant__version_id"
    ):
        rounds[number][group].members.append(version)
    for number, group, seated, deals in _matches(tournament, first):
        for version, rank, total in seated:
            one = rounds[number][group].sums[version]
            one.half_pairs += sum(2 * (rank < other) + (rank == other) for _, other, _ in seated) - 1
            one.pairs += len(seated) - 1
            one.points += total
            one.deals += deals
    byes = defaultdict(list)
    for number, version in (
        Bye.objects.filter(entrant__tournament=tournament, round__gte=first)
        .order_by("round", "entrant__seeded", "entrant_id")
        .values_list("round", "entrant__version_id")
    ):
        byes[number].append(version)
    return [
        PlayedRound(number, tuple(played.told() for _, played in sorted(groups.items())), tuple(byes[number]))
        for number, groups in rounds.items()
    ]


#: A match: its round, its group, (version, rank, total) by seat, its deals.
Played: TypeAlias = tuple[int, int, list[tuple[int, int, int]], int]


def _matches(tournament: Tournament, first: int) -> Iterator[Played]:
    """The matches of complete blocks."""
    rows = MatchSeat.objects.filter(
        match__table__tournament=tournament,
        match__table__group__round__gte=first,
        match__board__complete=True,
    ).order_by("match_id", "seat")
    values = rows.values_list(
        "match_id",
        "match__table__group__round",
        "match__table__group__number",
        "match__deals",
        "version_id",
        "rank",
        "total",
    )
    of_match = itemgetter(0, 1, 2, 3)
    for (_, number, group, deals), seated in groupby(values.iterator(chunk_size=5000), of_match):
        yield number, group, [(version, rank, total) for *_, version, rank, total in seated], deals


def skills_of(tournament: Tournament) -> dict[int, Skill]:
    """What the pool knows of its versions; empty where it is not rated."""
    return skills(tournament.pool) if tournament.pool else {}


def ranking_of(tournament: Tournament) -> list[Place] | None:
    """The order of a swiss or a knockout as it is now, best first; None where the standings decide."""
    if tournament.format not in (Format.SWISS, Format.KNOCKOUT):
        return None
    rounds = kept(tournament, f"rounds 1 to {tournament.round}", lambda: history_of(tournament))
    return ranking(setup_of(tournament), field_of(tournament), rounds)
