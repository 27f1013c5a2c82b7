"""How much one organiser may have under way."""

from league.accounts.models import User
from league.accounts.quotas import Quota
from league.tournaments.lifecycle import OVER, TableStatus
from league.tournaments.models import Table, Tournament


def _open(user: User) -> int:
    return Tournament.objects.filter(organiser=user).exclude(status__in=OVER).count()


def _waiting(user: User) -> int:
    return Table.objects.filter(tournament__organiser=user, status=TableStatus.QUEUED).count()


OPEN = Quota(
    "open_tournaments",
    "MAX_OPEN_TOURNAMENTS",
    "tournaments",
    _open,
    "Try again when one of them is over, or cancel one.",
)
TABLES = Quota(
    "waiting_tables",
    "MAX_WAITING_TABLES",
    "tables",
    _waiting,
    "Try again when some of them have been played.",
)
