"""How a version did lately: by seat, its best and worst boards, the matches that it lost most clearly."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

from django.db.models import Count, Sum

from arena.ratings.student import reach
from league.bots.models import Version
from league.common.remembered import remembered
from league.matches.models import Match, MatchSeat
from league.tournaments.models import Tournament

#: So many matches are looked at: a version may have played a hundred thousand.
LATEST = 500
MINUTE_S = 60
#: So many of the best and of the worst are told.
SHOWN = 5


@dataclass(frozen=True)
class Outing:
    """A match from its version's side. `others`: the mean total of the others at the table."""

    match: int
    tournament: int
    board_id: int
    group: int
    board: int
    variant: str
    players: int
    deals: int
    seat: int
    total: int
    others: float
    rank: int
    faults: int
    vacated: bool


@dataclass(frozen=True)
class Mean:
    """What some outings have in common, and how they went; None where that is not what they have in common.

    Attributes:
        points: a deal.
        others: points a deal of the others at the table.
        error: half the 95 % interval of the difference between the two; None from a single match.
        rank: the mean one.
        wins: ranked first, alone or shared.
        faults: the sum.
    """

    variant: str
    players: int
    seat: int | None
    board_id: int | None
    group: int | None
    board: int | None
    tournament: int | None
    matches: int
    points: float
    others: float
    error: float | None
    rank: float
    wins: int
    faults: int

    @property
    def difference(self) -> float:
        """Points a deal more than the others: below 0 is good."""
        return round(self.points - self.others, 4)

    @property
    def difference_low(self) -> float | None:
        """The lower end of its 95 % interval."""
        return None if self.error is None else round(self.difference - self.error, 4)

    @property
    def difference_high(self) -> float | None:
        """The upper end."""
        return None if self.error is None else round(self.difference + self.error, 4)


@dataclass(frozen=True)
class Recent:
    """How a version did in its latest matches. `lost`: those furthest behind the others; `faulty`: the latest
    with faults."""

    version: Version
    matches: int
    seats: list[Mean]
    best: list[Mean]
    worst: list[Mean]
    lost: list[Outing]
    faulty: list[Outing]


#: The fields of `Recent` after its version.
Found: TypeAlias = tuple[int, list[Mean], list[Mean], list[Mean], list[Outing], list[Outing]]


def recent(version: Version) -> Recent:
    """The version's latest matches, those of tournaments under way, too."""
    own = MatchSeat.objects.filter(version=version).order_by("-match_id")
    newest = list(own.values_list("match_id", "match__sha256")[:1])
    # A match that began later may be stored before this one: so not for long.
    found = remembered(("recent", version.pk, newest, LATEST), lambda: _found(version), MINUTE_S)
    return Recent(version, *found)


def _found(version: Version) -> Found:
    """What is told beside the version itself, which nobody need keep."""
    outings = _outings(version)
    by_seat: dict[tuple[str, int, int], list[Outing]] = defaultdict(list)
    by_board: dict[int, list[Outing]] = defaultdict(list)
    for each in outings:
        by_seat[each.variant, each.players, each.seat].append(each)
        by_board[each.board_id].append(each)
    boards = sorted(
        (_mean(those, board=True) for those in by_board.values()), key=lambda mean: mean.difference
    )
    behind = sorted(outings, key=lambda each: (each.others - each.total) / each.deals)
    return (
        len(outings),
        [_mean(by_seat[key], seat=True) for key in sorted(by_seat)],
        [mean for mean in boards[:SHOWN] if mean.difference < 0],
        [mean for mean in boards[: -SHOWN - 1 : -1] if mean.difference > 0],
        [each for each in behind[:SHOWN] if each.rank > 1 and (each.total > each.others or each.vacated)],
        [each for each in outings if each.faults][:SHOWN],
    )


def _outings(version: Version) -> list[Outing]:
    """The latest first."""
    own = ("match_id", "seat", "total", "rank", "faults", "vacated")
    # The seats first, then their matches: asked for both at once, PostgreSQL reads through all matches.
    seats = list(MatchSeat.objects.filter(version=version).order_by("-match_id").values_list(*own)[:LATEST])
    tables = {
        match: (points, many)
        for match, points, many in MatchSeat.objects.filter(match__in=[row[0] for row in seats])
        .order_by()
        .values("match_id")
        .annotate(points=Sum("total"), many=Count("pk"))
        .values_list("match_id", "points", "many")
    }
    of_match = ("pk", "tournament_id", "board_id", "board__group__number", "board__number", "deals")
    matches = {row[0]: row for row in Match.objects.filter(pk__in=tables).order_by().values_list(*of_match)}
    # Of each tournament once, not of each match: to read a part of JSON takes its time.
    cups = Tournament.objects.filter(pk__in={row[1] for row in matches.values()}).order_by()
    games = {pk: game for pk, *game in cups.values_list("pk", "rules__variant", "players")}
    outings = []
    for match, seat, total, rank, faults, vacated in seats:
        _, tournament, board_id, group, board, deals = matches[match]
        variant, players = games[tournament]
        points, many = tables[match]
        others = round((points - total) / (many - 1), 4)
        outings.append(
            Outing(
                match, tournament, board_id, group, board, variant, players, deals,
                seat, total, others, rank, faults, vacated,
            )
        )  # fmt: skip
    return outings


def _mean(outings: Iterable[Outing], *, seat: bool = False, board: bool = False) -> Mean:
    those = list(outings)
    first, deals, count = those[0], sum(each.deals for each in those), len(those)
    lead = sum(each.total - each.others for each in those) / deals
    squares = sum((each.total - each.others - lead * each.deals) ** 2 for each in those)
    # Of a ratio: a match's own points against what its deals let expect.
    error = float(reach(count)) * sqrt(squares * count / (count - 1)) / deals if count > 1 else None
    return Mean(
        first.variant,
        first.players,
        first.seat if seat else None,
        first.board_id if board else None,
        first.group if board else None,
        first.board if board else None,
        first.tournament if board else None,
        count,
        round(sum(each.total for each in those) / deals, 4),
        round(sum(each.others for each in those) / deals, 4),
        error,
        round(sum(each.rank for each in those) / count, 4),
        sum(each.rank == 1 for each in those),
        sum(each.faults for each in those),
    )
