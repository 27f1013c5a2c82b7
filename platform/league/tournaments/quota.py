"""How much one organiser may have waiting."""

from django.conf import settings

from league.accounts.models import User
from league.common.errors import OverQuota
from league.tournaments.models import Table


def check_quota(organiser: User, more: int) -> None:
    """Whether so many more tables may wait. Raises OverQuota. Staff have no quota."""
    waiting = Table.objects.filter(status="queued", tournament__organiser=organiser).count()
    most = settings.MAX_WAITING_TABLES
    if waiting + more > most and not organiser.is_staff:
        raise OverQuota(
            "quota",
            f"{organiser.username} has {waiting} tables waiting, and this makes {more} more; "
            f"{most} may wait at a time. Try again when some have been played.",
        )
