"""The worked example of docs/ratings.md is what the code gives."""

from pathlib import Path

import pytest

from arena.ratings.head_to_head import head_to_head
from arena.ratings.results import Results
from arena.ratings.table import rate

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ratings.md"
NAMES = ("Ada", "Bo", "Cy")


def table(first):
    """The rows of the table whose first heading this is."""
    lines = iter(PAGE.read_text().splitlines())
    for line in lines:
        if line.startswith(f"| {first} |"):
            next(lines)
            for row in lines:
                if not row.startswith("|"):
                    return
                yield [cell.strip() for cell in row.strip("|").split("|")]


@pytest.fixture(scope="module")
def results():
    rows = []
    for board, seating, *points in (map(int, row) for row in table("board")):
        for competitor, taken in enumerate(points):
            rank = 1 + sum(other < taken for other in points)
            rows.append((1, 1, board, seating, 4, competitor, taken, rank, 0, 0))
    return Results.from_rows(rows)


def test_the_ratings_of_the_page(results):
    ratings = rate(results).ratings
    shown = [
        [
            NAMES[r.competitor],
            *map(
                str, (r.elo, r.elo_low, r.elo_high, r.points_per_deal, r.points_low, r.points_high, r.score)
            ),
        ]
        for r in ratings
    ]
    assert shown == list(table("bot"))
    assert all(rating.provisional for rating in ratings)


def test_the_comparisons_of_the_page(results):
    shown = []
    for names in ("Ada, Bo", "Ada, Cy"):
        one, other = (NAMES.index(name) for name in names.split(", "))
        by_rating, met = rate(results).compare(one, other), head_to_head(results, one, other)
        numbers = (
            *(by_rating.lead, by_rating.lead_low, by_rating.lead_high, by_rating.chance, by_rating.boards),
            *(met.won, met.drawn, met.lost, met.points, met.boards_needed),
        )
        shown.append([names, *map(str, numbers)])
    assert shown == list(table("two"))


def test_the_sums_of_the_page(results):
    [ada, *_] = rate(results).ratings
    met = [head_to_head(results, 0, other) for other in (1, 2)]
    assert int(results.points[:, 0].sum()) == 64
    assert (sum(one.won for one in met), sum(one.drawn for one in met)) == (22, 1)
    assert (ada.points_per_deal, ada.score) == (1.0667, 0.75)
