"""The order of a tournament's standings: a pure function of its counted results."""

from collections.abc import Iterable

from arena.ratings.table import Rating


def standing_order(ratings: Iterable[Rating]) -> list[tuple[int, Rating]]:
    """Places from 1 and who has them, best first: by the share of opponents left behind, then by penalty
    points a deal. Equals share the better place, and are listed by the id of the competitor."""
    ordered = sorted(ratings, key=lambda rating: (*_merit(rating), rating.competitor))
    placed: list[tuple[int, Rating]] = []
    for position, rating in enumerate(ordered, start=1):
        tied = bool(placed) and _merit(placed[-1][1]) == _merit(rating)
        placed.append((placed[-1][0] if tied else position, rating))
    return placed


def _merit(rating: Rating) -> tuple[float, float]:
    return -rating.score, rating.points_per_deal
