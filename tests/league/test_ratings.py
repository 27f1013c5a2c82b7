"""Ratings and standings: pure functions of what counts, and only complete blocks count."""

import json
import random
from dataclasses import asdict

import pytest
from django.core.management import CommandError, call_command

from arena.ratings.elo import elo
from arena.rules import Rules
from league.matches.selectors import Result, SeatResult, results
from league.ratings.models import Pool, Rating
from league.ratings.selectors import differences, stale, stored_rows
from league.ratings.services import pool_for, recompute
from league.tournaments.services import cancel
from league.tournaments.standings import standings
from tests.league import kit


def test_the_same_rules_are_one_pool(db):
    pool = pool_for(Rules.make(players=4))
    assert pool_for(Rules.make(variant="polignac", players=4, threshold=10)) == pool
    assert pool_for(Rules.make(players=3)) != pool
    assert Pool.objects.count() == 2


def test_a_board_counts_when_all_its_seatings_are_played(ann):
    tournament, tables = kit.running(ann, boards=2)
    for table in tables[:2]:
        kit.play(table)
    assert list(results(tournament)) == []
    assert stored_rows(recompute(tournament.pool)) == []
    kit.play(tables[2])
    counted = list(results(tournament.pool))
    assert [result.key[1:] for result in counted] == [
        (1, board, seating) for board in (1, 2) for seating in range(3)
    ]


def test_ratings_are_what_the_formula_makes_of_the_counted_results(ann):
    tournament, tables = kit.running(ann, entrants=4, boards=2)
    for table in tables[:10]:
        kit.play(table)
    pool = recompute(tournament.pool)
    expected = elo(result.as_placings() for result in results(pool))
    assert {row.version: row.elo for row in stored_rows(pool)} == {
        key: row.elo for key, row in expected.items()
    }
    assert pool.matches == 3 * 3 * 2
    assert [row.place for row in stored_rows(pool)] == [1, 2, 3, 4]


def test_ratings_have_the_same_bytes_whatever_the_order_in_which_tables_complete(ann):
    def table_of(order):
        kit.unplay()
        for table in order:
            kit.store_table(*stored[table])
            recompute(tournament.pool)
        pool = recompute(tournament.pool)
        return json.dumps([[asdict(row) for row in stored_rows(pool)], pool.results_hash])

    tournament, tables = kit.running(ann, entrants=5, boards=2)
    stored = {table: kit.played(table) for table in tables}
    shuffled = random.Random(1).sample(tables, len(tables))
    assert table_of(tables) == table_of(tables[::-1]) == table_of(shuffled)


def test_complete_blocks_of_a_cancelled_tournament_still_count(ann):
    tournament, tables = kit.running(ann, entrants=4)
    for table in tables[:4]:
        kit.play(table)
    cancel(tournament, ann)
    assert recompute(tournament.pool).matches == 3


def test_a_pool_is_stale_until_its_results_are_rated(ann):
    tournament, tables = kit.running(ann)
    assert stale() == []
    for table in tables:
        kit.play(table)
    assert stale() == [tournament.pool]
    recompute(tournament.pool)
    assert stale() == []


def test_the_command_rebuilds_and_with_check_only_compares(ann, capsys):
    tournament, tables = kit.running(ann)
    for table in tables:
        kit.play(table)
    recompute(tournament.pool)
    call_command("recompute_ratings", "--check")
    Rating.objects.filter(place=1).update(elo=2800)
    assert differences(tournament.pool)
    with pytest.raises(CommandError, match="differ"):
        call_command("recompute_ratings", "--check")
    call_command("recompute_ratings")
    call_command("recompute_ratings", "--check")
    assert "computed" in capsys.readouterr().err


# -- standings -----------------------------------------------------------------------------------------------


def result(key, *seats, deals=2):
    return Result((1, 1, 1, key), deals, tuple(SeatResult(*seat) for seat in seats))


def test_standings_go_by_opponents_left_behind_then_by_points():
    table = standings(
        [
            result(0, (7, 0, 1, 0, False), (8, 5, 2, 1, False), (9, 5, 2, 3, True)),
            result(1, (7, 2, 2, 0, False), (8, 1, 1, 0, False), (9, 7, 3, 0, False)),
        ],
        [7, 8, 9, 10],
    )
    # Of four pairs each: 7 won three; 8 won two and tied one; 9 tied one.
    assert [(row.version, row.place, row.score) for row in table] == [
        (7, 1, 0.75),
        (8, 2, 0.625),
        (9, 3, 0.125),
        (10, 4, 0.0),
    ]
    by_version = {row.version: row for row in table}
    assert by_version[7].points_per_deal == 0.5
    assert (by_version[9].faults, by_version[9].vacated, by_version[9].matches) == (3, 1, 2)
    assert (by_version[10].matches, by_version[10].score) == (0, 0.0)


def test_equal_standings_share_the_better_place():
    table = standings([result(0, (7, 1, 1, 0, False), (8, 1, 1, 0, False), (9, 3, 3, 0, False))], [9, 8, 7])
    assert [(row.version, row.place) for row in table] == [(7, 1), (8, 1), (9, 3)]


def test_standings_do_not_depend_on_the_order_of_the_results():
    games = [
        result(k, (7, k % 3, 1 + (k % 3 > 1), 0, False), (8, 2, 2, 0, False), (9, 4, 3, 0, False))
        for k in range(9)
    ]
    assert standings(games, [7, 8, 9]) == standings(games[::-1], [9, 8, 7])
