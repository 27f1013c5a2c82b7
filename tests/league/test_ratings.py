"""Ratings and standings: pure functions of what counts, and only complete blocks count."""

import random

import pytest
from django.core.management import CommandError, call_command

from arena.ratings.results import Results
from arena.ratings.table import rate
from arena.rules import Rules
from league.matches.columns import results
from league.matches.models import MatchSeat
from league.ratings.models import Pool, Rating, Sheet, Snapshot
from league.ratings.selectors import behind, current_of, differences, lines, skills
from league.ratings.services import pool_for, recompute
from league.tournaments.models import Tournament
from league.tournaments.services import cancel
from league.tournaments.standings import standing_order
from tests.league import kit

#: Of a line, what is stored as it was computed.
COLUMNS = (
    "elo",
    "elo_error",
    "elo_low",
    "elo_high",
    "provisional",
    "elo_live",
    "score",
    "points_per_deal",
    "points_low",
    "points_high",
    "matches",
    "blocks",
    "wins",
)


def test_the_same_rules_are_one_pool(db):
    pool = pool_for(Rules.make(players=4))
    assert pool_for(Rules.make(variant="polignac", players=4, threshold=10)) == pool
    assert pool_for(Rules.make(players=3)) != pool
    assert Pool.objects.count() == 2


def test_a_board_counts_when_all_its_seatings_are_played(ann):
    tournament, tables = kit.running(ann, boards=2)
    for table in tables[:2]:
        kit.play(table)
    assert results(tournament).matches == 0
    assert recompute(tournament.pool) is None
    kit.play(tables[2])
    counted = results(tournament.pool)
    assert list(zip(counted.group, counted.board, counted.table, strict=True)) == [
        (1, board, seating) for board in (1, 2) for seating in range(3)
    ]
    snapshot = recompute(tournament.pool)
    assert (snapshot.matches, snapshot.blocks, snapshot.versions, snapshot.components) == (6, 2, 3, 1)


def test_what_is_read_is_what_the_matches_say(ann):
    tournament, tables = kit.running(ann, entrants=4, boards=2)
    for table in tables[:7]:
        kit.play(table)
    where = ("match__table__group__number", "match__board__number", "match__table__number")
    what = ("match__deals", "version_id", "total", "rank", "faults", "vacated")
    stored = MatchSeat.objects.filter(match__board__complete=True).values_list(*where, *what)
    found = results(tournament)
    read = [
        (found.group[m], found.board[m], found.table[m], found.deals[m], found.competitors[found.seats[m, s]],
         found.points[m, s], found.rank[m, s], found.faults[m, s], found.vacated[m, s])
        for m in range(found.matches)
        for s in range(found.players)
    ]  # fmt: skip
    assert len(read) == 2 * 2 * 3 * 3
    assert sorted(read) == sorted(stored)


def test_ratings_are_what_the_formulas_make_of_the_counted_results(ann):
    tournament, tables = kit.running(ann, entrants=4, boards=2)
    for table in tables[:10]:
        kit.play(table)
    snapshot = recompute(tournament.pool)
    expected = rate(results(tournament.pool))
    assert snapshot.results_hash == expected.digest
    assert snapshot.matches == 3 * 3 * 2
    stored = list(lines(snapshot))
    assert [(row.version_id, row.place) for row in stored] == [
        (row.competitor, row.place) for row in expected.ratings
    ]
    for row, rating in zip(stored, expected.ratings, strict=True):
        for name in COLUMNS:
            assert getattr(row, name) == getattr(rating, name), name
    assert {key: skill.elo for key, skill in skills(tournament.pool).items()} == {
        row.version_id: row.elo for row in stored
    }


def test_the_numbers_have_the_same_bytes_whatever_the_order_in_which_tables_complete(ann):
    def sheets_of(order):
        kit.unplay()
        for number, table in enumerate(order):
            kit.store_table(*stored[table])
            if number % 3 == 0:
                recompute(tournament.pool)
        found = [recompute(tournament.pool), recompute(tournament)]
        rows = Rating.objects.filter(snapshot__in=found).order_by("snapshot__sheet", "position")
        values = [
            {key: bytes(value) if key in ("versus", "live") else value for key, value in row.items()}
            for row in rows.defer("id", "snapshot").values()
        ]
        for row in values:
            del row["id"], row["snapshot_id"]
        return repr([[snapshot.results_hash for snapshot in found], values]).encode()

    tournament, tables = kit.running(ann, entrants=4)
    stored = {table: kit.played(table) for table in tables}
    shuffled = random.Random(1).sample(tables, len(tables))
    assert sheets_of(tables) == sheets_of(tables[::-1]) == sheets_of(shuffled)


def test_complete_blocks_of_a_cancelled_tournament_still_count(ann):
    tournament, tables = kit.running(ann, entrants=4)
    for table in tables[:4]:
        kit.play(table)
    cancel(tournament, ann)
    assert recompute(tournament.pool).matches == 3


def test_what_counts_only_in_a_tournament_moves_no_rating(ann):
    tournament, tables = kit.running(ann)
    Tournament.objects.update(rated=False, pool=None)
    for table in tables:
        kit.play(table)
    tournament.refresh_from_db()
    assert recompute(tournament).matches == 3
    assert [sheet.scope for sheet in Sheet.objects.all()] == [tournament]


def test_the_sheets_of_a_pool_and_a_tournament_are_behind_until_new_blocks_are_added_up(ann):
    tournament, tables = kit.running(ann)
    for table in tables[:2]:
        kit.play(table)
    assert not behind().exists()
    kit.play(tables[2])
    assert {sheet.scope for sheet in behind()} == {tournament, tournament.pool}
    recompute(tournament.pool)
    assert [sheet.scope for sheet in behind()] == [tournament]
    recompute(tournament)
    assert not behind().exists()


def test_results_that_come_while_a_sheet_is_computed_leave_it_behind(ann, monkeypatch):
    def late(scope):
        found = results(scope)
        kit.play(tables[5])
        return found

    tournament, tables = kit.running(ann, entrants=4)
    for table in tables[:5]:
        kit.play(table)
    monkeypatch.setattr("league.ratings.services.results", late)
    assert recompute(tournament.pool).matches == 3
    assert tournament.pool in [sheet.scope for sheet in behind()]
    monkeypatch.undo()
    assert recompute(tournament.pool).matches == 6


def test_one_that_computed_from_less_does_not_replace_one_that_knew_more(ann, monkeypatch):
    def slow(scope):
        found = results(scope)
        monkeypatch.undo()
        kit.play(tables[5])
        recompute(scope)
        return found

    tournament, tables = kit.running(ann, entrants=4)
    for table in tables[:5]:
        kit.play(table)
    monkeypatch.setattr("league.ratings.services.results", slow)
    assert recompute(tournament.pool).matches == 6
    assert current_of(tournament.pool).matches == 6


def test_the_command_rebuilds_and_with_check_only_compares(ann, capsys):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    with pytest.raises(CommandError, match="differ"):
        call_command("recompute_ratings", "--check")  # nothing was computed yet
    recompute(tournament.pool)
    recompute(tournament)
    call_command("recompute_ratings", "--check")
    Rating.objects.filter(position=1).update(wins=77)
    assert [(one.column, one.stored) for one in differences(tournament.pool)] == [("wins", 77)]
    with pytest.raises(CommandError, match="differ"):
        call_command("recompute_ratings", "--check")
    call_command("recompute_ratings")
    call_command("recompute_ratings", "--check")
    assert "wins: stored 77" in capsys.readouterr().err
    assert Snapshot.objects.filter(sheet__pool=tournament.pool).count() == 2


# -- standings -----------------------------------------------------------------------------------------------


def rated(*matches):
    """Ratings of matches of three, each ((competitor, rank, points), …)."""
    rows = [
        (1, 1, 1 + number // 3, number % 3, 2, competitor, points, rank, 0, 0)
        for number, seats in enumerate(matches)
        for competitor, rank, points in seats
    ]
    return rate(Results.from_rows(rows)).ratings


def test_standings_go_by_opponents_left_behind_then_by_points():
    order = standing_order(
        rated(
            ((7, 1, 0), (8, 2, 5), (9, 2, 5)),
            ((7, 2, 2), (8, 1, 1), (9, 3, 7)),
            ((7, 2, 2), (8, 2, 1), (9, 1, 0)),
        )
    )
    # Of six pairs each: 7 won three and tied one; 8 won two and tied two; 9 won two and tied one.
    assert [(place, row.competitor, row.score) for place, row in order] == [
        (1, 7, 0.5833),
        (2, 8, 0.5),
        (3, 9, 0.4167),
    ]
    equal = standing_order(rated(((7, 1, 2), (8, 1, 1), (9, 3, 3))))
    assert [(place, row.competitor) for place, row in equal] == [(1, 8), (2, 7), (3, 9)]


def test_equal_standings_share_the_better_place():
    order = standing_order(rated(((7, 1, 1), (8, 1, 1), (9, 3, 3))))
    assert [(place, row.competitor) for place, row in order] == [(1, 7), (1, 8), (3, 9)]
