"""The preview: its sums, and that its intervals are those that bots really get."""

import doctest
from pathlib import Path
from random import Random
from statistics import stdev

import pytest

from arena.rules import Rules
from arena.schedule import ScheduleError
from arena.schedule.formats import options_from_json
from arena.schedule.plan import Entrant, Setup
from arena.schedule.preview import deals_a_match, expected_width, points_a_deal, preview
from bench.schedule import play_block

FIELD = [Entrant(number, number) for number in range(1, 9)]


def setup_of(name, data=None, players=4):
    return Setup(options_from_json(name, data or {}), players, True, "s")


def test_the_sums_of_a_preview_are_those_of_the_plan():
    seen = preview(setup_of("round_robin"), FIELD, Rules.make(deals=5), 3, workers=2, deals_per_second=70)
    assert (seen.rounds, seen.groups, seen.tables, seen.boards) == (1, 70, 280, 210)
    assert (seen.matches, seen.deals) == (840, 4200)
    assert seen.seconds == pytest.approx(4200 / 70 / 2)
    slow = preview(
        setup_of("round_robin"), FIELD, Rules.make(deals=5), 3, deals_per_second=70, table_seconds=0.5
    )
    assert slow.seconds == pytest.approx(4200 / 70 + 280 * 0.5), "each table starts its bots"
    assert seen.widest == seen.narrowest == expected_width(Rules.make(deals=5), 35 * 3, 4)


def test_a_duel_has_two_matches_in_a_block():
    seen = preview(setup_of("duel", {"first": 1, "second": 2, "groups": 6}), FIELD, Rules.make(), 10)
    assert (seen.groups, seen.tables, seen.matches) == (6, 12, 120)
    assert seen.narrowest == expected_width(Rules.make(), 60, 2)


def test_without_a_measured_speed_no_time_is_told_and_a_ladder_has_no_end():
    seen = preview(setup_of("ladder"), FIELD, Rules.make(), 1)
    assert (seen.seconds, seen.rounds, seen.groups) == (None, None, 1)
    assert seen.widest.elo is None


def test_four_times_the_boards_halve_the_interval():
    one, four = (expected_width(Rules.make(), blocks, 4) for blocks in (10, 40))
    assert one.elo == pytest.approx(2 * four.elo)
    assert one.points == pytest.approx(2 * four.points)


def test_a_group_without_boards_is_refused():
    with pytest.raises(ScheduleError, match="at least 1 board, not 0"):
        preview(setup_of("round_robin"), FIELD, Rules.make(), 0)


def test_a_thousand_entrants_are_counted_without_planning_them():
    field = [Entrant(number, number) for number in range(1000)]
    assert preview(setup_of("round_robin"), field, Rules.make(), 1).groups == 41_417_124_750


def test_what_the_constants_say_is_about_what_bots_do():
    rules = Rules.make()
    chance = Random(7)
    bots = ("dodger", "counter", "lowest", "random")
    blocks = [play_block(rules, bots, chance.randbytes(32)) for _ in range(40)]
    assert sum(block[0] for block in blocks) / 160 == pytest.approx(deals_a_match(rules), rel=0.25)
    expected = expected_width(rules, 1, 4)
    for of, width in ((1, expected.points), (2, expected.elo / (400 / 2.302585 * 4))):
        seen = [2 * 1.96 * stdev(block[of][bot] for block in blocks) for bot in range(4)]
        assert sum(seen) / 4 == pytest.approx(width, rel=0.3)


def test_points_of_a_deal_are_those_of_the_rules():
    assert [points_a_deal(Rules.make(variant=name)) for name in ("polignac", "knaves", "slobberhannes")] == [
        5,
        3,
        3,
    ]


def test_the_worked_example_of_the_page_for_organisers_is_what_comes_out():
    page = Path(__file__).resolve().parents[2] / "docs" / "tournaments.md"
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 10
    assert not done.failed
