"""Claims: how one worker among many takes a row, keeps it while it works, and loses it when it dies.

A claim is a lease (until when), an attempt (how often since an operator last looked), and a fencing token
that grows with every claim and is never used twice: whoever writes a result shows it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from league.common.lifecycle import Lived


class Claimable(Lived):
    """A row that one worker at a time works on."""

    lease_until = models.DateTimeField(null=True, editable=False)
    attempt = models.PositiveSmallIntegerField(default=0, editable=False)
    token = models.PositiveIntegerField(default=0, editable=False)
    #: Why the platform failed the last time, for operators; kept when the row is parked.
    failure = models.CharField(max_length=500, blank=True, editable=False)

    #: The status that means: a worker has it.
    claimed_status: ClassVar[str]

    class Meta:
        abstract = True


@dataclass(frozen=True)
class Claim:
    """A row that is ours, as long as nobody else has claimed it since."""

    pk: int
    token: int
    attempt: int

    @property
    def held(self) -> dict[str, Any]:
        """The condition under which the row is still ours."""
        return {"token": self.token}

    def held_until(self, expired: datetime | None) -> dict[str, Any]:
        """The same, and, where a time is given, that the lease had run out by then."""
        return self.held if expired is None else {**self.held, "lease_until__lt": expired}


def lease_end() -> datetime:
    """When a lease that is given or renewed now runs out."""
    return timezone.now() + timedelta(seconds=settings.LEASE_S)


def renew(model: type[Claimable], claim: Claim) -> bool:
    """Make the lease last longer. False when the row is no longer ours."""
    ours = model._default_manager.filter(pk=claim.pk, token=claim.token, status=model.claimed_status)
    return bool(ours.update(lease_until=lease_end()))


def lease_constraint(claimed: str, name: str) -> models.CheckConstraint:
    """The constraint that a row has a lease exactly while it's claimed."""
    return models.CheckConstraint(
        condition=models.Q(status=claimed, lease_until__isnull=False)
        | (~models.Q(status=claimed) & models.Q(lease_until__isnull=True)),
        name=name,
    )
