"""Lifecycles: which status may follow which, and the one function that writes a status."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone

from league.common.errors import IllegalMove, Lost
from league.common.signals import changed
from league.common.text import clipped

if TYPE_CHECKING:
    from league.accounts.models import User

Status = TypeVar("Status", bound=StrEnum)
#: How a row is locked: itself alone, and not against others that only refer to it (no key is ever changed):
#: a table's results can be stored while its tournament is locked by somebody who waits for that table.
OURS: Mapping[str, Any] = {"of": ("self",), "no_key": True}
NOTE_MAX = 500


class Lifecycle(Generic[Status]):
    """A total table: for every status, the set of those that may follow it.

    Raises ValueError when a status is left out, so that a new one can't be forgotten.
    """

    def __init__(self, statuses: type[Status], table: Mapping[Status, Iterable[Status]]) -> None:
        if missing := set(statuses) - set(table):
            raise ValueError(f"{statuses.__name__}: no row for {', '.join(sorted(missing))}")
        self.statuses = statuses
        self._table = {status: frozenset(after) for status, after in table.items()}

    def allows(self, old: Status, new: Status) -> bool:
        """Whether `new` may follow `old`."""
        return new in self._table[old]


def status_field(lifecycle: Lifecycle[Any], first: StrEnum) -> "models.CharField[str, str]":
    """The column for a status."""
    choices = [(status.value, status.name) for status in lifecycle.statuses]
    return models.CharField(max_length=16, choices=choices, default=str(first), editable=False)


def known_status(lifecycle: Lifecycle[Any], name: str) -> models.CheckConstraint:
    """The constraint that a status is one of the lifecycle's."""
    return models.CheckConstraint(
        condition=models.Q(status__in=sorted(str(status) for status in lifecycle.statuses)), name=name
    )


class Lived(models.Model):
    """A row with a status. Its class has `lifecycle` and a `status` column."""

    lifecycle: ClassVar[Lifecycle[Any]]
    status = models.CharField(max_length=16, editable=False)
    status_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        abstract = True

    def state(self) -> dict[str, Any]:
        """How the row is, as whoever asks for what can't be is told."""
        return {"status": self.status}


class StatusNote(models.Model):
    """One change of a status: of what, from what to what, when, why, and by whom where a person did it."""

    kind = models.CharField(max_length=40)
    row = models.BigIntegerField()
    old = models.CharField(max_length=16)
    new = models.CharField(max_length=16)
    text = models.CharField(max_length=NOTE_MAX, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["kind", "row"], name="note_of")]

    def __str__(self) -> str:
        return f"{self.kind} {self.row}: {self.old} → {self.new}"


Row = TypeVar("Row", bound=Lived)


def lock(row: Row) -> Row:
    """The row as it is now, locked until the transaction ends (raises Lost when it's gone).

    On SQLite the whole transaction is the lock: it is IMMEDIATE.
    """
    now = type(row)._default_manager.select_for_update(**OURS).filter(pk=row.pk).first()
    if now is None:
        raise Lost(f"{row._meta.label} {row.pk} is gone")
    return now


@transaction.atomic
def move(
    row: Row,
    new: StrEnum,
    *,
    only_if: Mapping[str, object] | None = None,
    text: str = "",
    by: "User | None" = None,
    **columns: object,
) -> Row:
    """Give the row a new status: lock, check, save, note. The only place that writes one.

    Args:
        only_if: what the row must be besides (a fencing token, say); raises Lost where it isn't.
        columns: other columns to write in the same statement.

    Returns the row as it is now. Raises IllegalMove where the lifecycle's table has no such move.
    """
    manager = type(row)._default_manager
    where = {"pk": row.pk, **(only_if or {})}
    now = manager.select_for_update(**OURS).filter(**where).first()
    if now is None:
        raise Lost(f"{row._meta.label} {row.pk} is in other hands")
    old = row.lifecycle.statuses(now.status)
    if not row.lifecycle.allows(old, new):
        raise IllegalMove(str(row._meta.verbose_name), old, new, now.state())
    at = timezone.now()
    # The condition repeats what was read, so that even without row locks only one of two claims can win.
    if not manager.filter(**where, status=old).update(status=new, status_at=at, **columns):
        raise Lost(f"{row._meta.label} {row.pk} changed meanwhile")
    StatusNote.objects.create(
        kind=row._meta.model_name or "",
        row=row.pk,
        old=old,
        new=new,
        text=clipped(text, NOTE_MAX),
        by=by,
        at=at,
    )
    moved = manager.get(pk=row.pk)
    changed.send(type(row), row=moved, what=str(new))
    return moved


@transaction.atomic
def move_all(rows: models.QuerySet[Row], new: StrEnum, *, text: str = "", **columns: object) -> int:
    """Give every row of the set that may take it a new status, as `move` does; leaves the others alone.

    Tells of one of them that it changed, however many did. Returns how many moved.
    """
    model, at, moved, one = rows.model, timezone.now(), 0, None
    for old in model.lifecycle.statuses:
        if not model.lifecycle.allows(old, new):
            continue
        ids = list(rows.select_for_update(**OURS).filter(status=old).values_list("pk", flat=True))
        notes = [
            StatusNote(
                kind=model._meta.model_name or "",
                row=pk,
                old=old,
                new=new,
                text=clipped(text, NOTE_MAX),
                at=at,
            )
            for pk in ids
        ]
        for first in range(0, len(ids), 500):
            some = model._default_manager.filter(pk__in=ids[first : first + 500], status=old)
            some.update(status=new, status_at=at, **columns)
        StatusNote.objects.bulk_create(notes, batch_size=500)
        moved += len(ids)
        one = ids[0] if ids else one
    if one is not None:
        changed.send(model, row=model._default_manager.get(pk=one), what=str(new))
    return moved
