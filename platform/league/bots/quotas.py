"""How much one user may upload."""

from datetime import timedelta

from django.db.models import Sum
from django.utils import timezone

from league.accounts.models import User
from league.accounts.quotas import Quota
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version

DAY = timedelta(days=1)
WAITING = (VersionStatus.RECEIVED, VersionStatus.CHECKING)


def _of_a_day(user: User) -> int:
    return Version.objects.filter(bot__owner=user, created_at__gt=timezone.now() - DAY).count()


def _kept(user: User) -> int:
    return Version.objects.filter(bot__owner=user).aggregate(sum=Sum("size_bytes"))["sum"] or 0


def _waiting(user: User) -> int:
    return Version.objects.filter(bot__owner=user, status__in=WAITING).count()


UPLOADS = Quota(
    "uploads_a_day",
    "MAX_UPLOADS_A_DAY",
    "versions",
    _of_a_day,
    "Try again when the oldest of them is a day old.",
)
KEPT = Quota(
    "kept_bytes",
    "MAX_KEPT_MIB",
    "bytes",
    _kept,
    "Send less at a time, or ask an operator.",
    scale=1024 * 1024,
)
#: Checks go before tables that wait; one account's uploads must not hold everybody's tournaments up.
CHECKS = Quota(
    "waiting_checks",
    "MAX_WAITING_CHECKS",
    "versions",
    _waiting,
    "Try again when one of them has been checked.",
)
