"""What a screen reader says of a match, and the sheet of scores."""

import pytest

from tests.web.kit import node
from tests.web.matches import quick_ends_that_wait, some_records

pytestmark = pytest.mark.node


@pytest.fixture(scope="module")
def told():
    records = some_records()
    return [line for lines in node("told", records) for line in lines]


@pytest.mark.parametrize(
    "line",
    [
        "Deal 1 of 3: B deals. C is the eldest hand.",
        "A passes.",
        "B announces Capot.",
        "A leads the ace of hearts.",
        "C plays the jack of hearts (1 point).",
        "A takes trick 1: 1 point. C's Capot has failed.",
        "D takes trick 8.",
        "Deal 3 is over. B 1 point, C 3 points and A 0 points.",
        "Deal 1 is over at once, a total being exactly the threshold. C 7 points, A 1 point and B 1 point.",
        "D fails: timeout (by chance). The referee acts in its place. D plays the seven of clubs.",
        "A fails: output (by chance). The referee acts in its place from here on. A plays the ten of spades.",
        "The match is over: all deals are played. 1. B, 1 point; 2. C, 10 points; 3. A, 7 points, vacated.",
    ],
)
def test_moments_are_told_in_sentences(told, line):
    assert line in told


@pytest.mark.parametrize(
    "part",
    [
        ": a play-off of ",
        " has made Capot.",
        ", without following suit. That forfeits the match.",
        "−5 points",
    ],
)
def test_rare_moments_are_told_too(told, part):
    assert any(part in line for line in told)


def test_nothing_is_told_of_what_is_not_there(told):
    assert not [line for line in told if "undefined" in line or "null" in line or "NaN" in line]


def test_the_sheet_of_scores_is_the_records():
    records = some_records()[::5] + list(quick_ends_that_wait())[::10]
    for record, sheet in zip(records, node("sheet", records), strict=True):
        assert [row["deal"] for row in sheet] == [deal["number"] for deal in record["deals"]]
        assert sheet[-1]["totals"] == record["totals"]
        for row, deal in zip(sheet, record["deals"], strict=True):
            points = dict(zip(deal["seats"], deal["points"], strict=True))
            assert row["points"] == [points.get(seat) for seat in range(record["rules"]["players"])]
            assert row["bid"] == next((bid for bid in deal["bids"] if bid[1] != "pass"), None)
