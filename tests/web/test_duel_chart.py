"""What is drawn of a duel's sequential test, against the test itself."""

import dataclasses

import numpy as np
import pytest

from arena.ratings.duel import duel as judged
from league.web.chart import BOTTOM
from league.web.duel_chart import MOST, duel_chart, steps


def told(gaps, planned):
    """A duel as the API tells it."""
    return dataclasses.asdict(judged(np.array(gaps), planned))


def points(text):
    return [tuple(float(number) for number in pair.split(",")) for pair in text.split()]


@pytest.fixture(params=[-0.4, 0.4, 0.0], ids=["first", "second", "neither"])
def duel(request):
    chance = np.random.default_rng(4)
    return told(chance.normal(request.param, 0.5, 60), 60)


def test_the_line_is_in_a_field_at_its_end_and_never_before(duel):
    chart = duel_chart(duel)
    line, count = points(chart.line), len(duel["trace"])
    middle = float(chart.middle.rstrip("%")) * 10

    def beyond(at):
        """In which field the line is at that step."""
        x, y = line[at]
        inner_edge = points(chart.first)[at], points(chart.second)[at]
        assert {edge[0] for edge in inner_edge} == {x}
        if y <= inner_edge[0][1]:
            return "first"
        if y >= inner_edge[1][1]:
            return "second"
        low = points(chart.neither)[at][1] if chart.neither else middle
        return "neither" if abs(y - middle) < abs(low - middle) else "open"

    assert beyond(count - 1) == duel["verdict"]
    assert {beyond(at) for at in range(count - 1)} <= {"open"}


def test_the_first_ones_side_is_above_and_all_is_within_the_picture(duel):
    chart = duel_chart(duel)
    at = float(chart.at[1].rstrip("%"))
    assert (at < BOTTOM / 2) == (duel["mean"] < 0)
    for part in (chart.line, chart.first, chart.second, chart.neither):
        for x, y in points(part):
            assert -0.1 <= x <= 1000.1
            assert -0.1 <= y <= 10 * BOTTOM + 0.1
    marks = [mark.label for mark in chart.across]
    assert marks == sorted(marks)
    assert all(duel["trace"][0]["boards"] < mark < duel["planned"] for mark in marks)
    assert len(chart.up) % 2 == 0
    assert 2 <= len(chart.up) <= 8


def test_of_a_long_duel_so_many_steps_are_shown_and_the_last_is_the_last():
    long = told(np.random.default_rng(1).normal(0.02, 1.0, 900), 2000)
    shown = steps(long["trace"])
    assert len(long["trace"]) > MOST >= len(shown) > MOST / 2
    assert shown[-1] == long["trace"][-1]
    assert len(points(duel_chart(long).line)) == len(shown)


def test_equal_bots_and_too_few_boards_are_no_trouble():
    assert duel_chart(told([0.0] * 30, 30)) is not None
    assert duel_chart(told([0.1, -0.2] * 5, 30)) is None  # one step is no line
    assert duel_chart(told([], 30)) is None
    assert steps([]) == []
