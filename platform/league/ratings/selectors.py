"""What is read about ratings."""

from django.db.models import Count, QuerySet

from league.matches.selectors import counted, results
from league.ratings.models import Pool, Rating
from league.ratings.table import Row, rate


def ratings() -> QuerySet[Rating]:
    """All ratings, best first within each pool."""
    return Rating.objects.select_related("pool", "version__bot__owner").order_by(
        "pool_id", "place", "version_id"
    )


def stored_rows(pool: Pool) -> list[Row]:
    """A pool's table as it is stored."""
    rows = Rating.objects.filter(pool=pool).order_by("place", "version_id")
    return [Row(row.place, row.version_id, row.elo, row.matches, row.wins) for row in rows]


def differences(pool: Pool) -> list[str]:
    """Where the stored table differs from what the results give now; empty when all is well."""
    expected = {row.version: row for row in rate(result.as_placings() for result in results(pool))}
    stored = {row.version: row for row in stored_rows(pool)}
    return [
        f"version {version}: stored {stored.get(version)}, computed {expected.get(version)}"
        for version in sorted(expected.keys() | stored.keys())
        if expected.get(version) != stored.get(version)
    ]


def pools() -> QuerySet[Pool]:
    """All pools, with how many versions are rated in each."""
    return Pool.objects.annotate(versions=Count("ratings")).order_by("id")


def stale() -> list[Pool]:
    """The pools that have more counted results than their ratings were computed from."""
    return [pool for pool in Pool.objects.order_by("id") if counted(pool).count() != pool.matches]
