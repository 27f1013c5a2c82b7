"""What is read about ratings: everything from stored snapshots, so that every page shows the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, QuerySet

from arena.schedule.plan import Skill
from league.bots.selectors import NAMED
from league.common.errors import Missing
from league.matches.columns import results
from league.ratings.models import Pool, Rating, Sheet, Snapshot
from league.ratings.table import compute
from league.tournaments.models import Tournament

PACKED = ("versus", "live")


def pools() -> QuerySet[Pool]:
    """All pools, with their current snapshots."""
    return Pool.objects.select_related("sheet__current").order_by("id")


def ladder() -> QuerySet[Rating]:
    """The current ratings of every pool, best first within each."""
    current = _rows().filter(snapshot__current_of__pool__isnull=False)
    return current.order_by("snapshot__sheet__pool_id", "position")


def lines(snapshot: Snapshot | None) -> QuerySet[Rating]:
    """A snapshot's ratings, in order; none without one."""
    return (_rows().filter(snapshot=snapshot) if snapshot else Rating.objects.none()).order_by("position")


def _rows() -> QuerySet[Rating]:
    own = (field.name for field in Rating._meta.concrete_fields if field.name not in PACKED)
    of_version = (f"version__{name}" for name in NAMED)
    rows = Rating.objects.select_related("snapshot__sheet", "version__bot__owner")
    return rows.only(*own, "snapshot__number", "snapshot__sheet__pool_id", *of_version)


def snapshots(pool: Pool) -> QuerySet[Snapshot]:
    """A pool's snapshots that are kept, the newest first."""
    return Snapshot.objects.filter(sheet__pool=pool).order_by("-number")


def snapshot_by_hash(pool: Pool, results_hash: str) -> Snapshot:
    """The snapshot of this set of results. Raises Missing when it is not, or no longer, there."""
    found = snapshots(pool).filter(results_hash=results_hash).first()
    if found is None:
        raise Missing("not_found", "The pool has no snapshot of that hash, or keeps it no longer.")
    return found


def current_of(scope: Pool | Tournament) -> Snapshot | None:
    """What every page shows of a pool or a tournament; None where nothing counts yet."""
    which = {"current_of__pool": scope} if isinstance(scope, Pool) else {"current_of__tournament": scope}
    return Snapshot.objects.filter(**which).first()


def is_up_to_date(scope: Pool | Tournament) -> bool:
    """Whether its current snapshot knows all that counts."""
    which = {"pool": scope} if isinstance(scope, Pool) else {"tournament": scope}
    return not behind().filter(**which).exists()


def behind() -> QuerySet[Sheet]:
    """The sheets of which more has changed than their current snapshot knows."""
    return Sheet.objects.filter(~Q(through=F("changes"))).select_related("current").order_by("pk")


def skills(pool: Pool) -> dict[int, Skill]:
    """How good the pool thinks its versions are, by their ids."""
    rows = lines(current_of(pool)).values_list("version_id", "elo", "elo_error")
    return {version: Skill(elo=elo, error=error) for version, elo, error in rows}


@dataclass(frozen=True)
class Difference:
    """Where what is stored is not what the results give."""

    version: int | None
    column: str
    stored: Any
    computed: Any

    def __str__(self) -> str:
        of = f"version {self.version}" if self.version else "snapshot"
        return f"{of}, {self.column}: stored {self.stored}, computed {self.computed}"


def differences(scope: Pool | Tournament) -> list[Difference]:
    """What the current snapshot has otherwise than the results give now; empty when all is well."""
    computed, snapshot = compute(scope, results(scope)), current_of(scope)
    if snapshot is None or snapshot.results_hash != computed.results_hash:
        if snapshot is None and not computed.matches:
            return []
        return [Difference(None, "results_hash", snapshot and snapshot.results_hash, computed.results_hash)]
    stored = {row["version_id"]: row for row in Rating.objects.filter(snapshot=snapshot).values()}
    expected = {row["version_id"]: row for row in computed.rows}
    found = []
    for version in sorted(expected.keys() | stored.keys()):
        there: Mapping[str, Any] = stored.get(version, {})
        for column, value in expected.get(version, {"version_id": None}).items():
            if _plain(there.get(column)) != value:
                found.append(Difference(version, column, there.get(column), value))
    return found


def _plain(value: Any) -> Any:
    """A column's value; bytes come as a memoryview from PostgreSQL."""
    return bytes(value) if isinstance(value, memoryview) else value
