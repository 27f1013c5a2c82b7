"""An operator closes an account, or opens it again."""

from league.accounts import services as accounts
from league.accounts.models import User
from league.common.errors import Forbidden
from league.sittings import services as sittings
from league.sittings.lifecycle import OPEN
from league.sittings.models import Sitting
from league.tournaments.leaving import leave_open
from league.webhooks import services as webhooks
from league.webhooks.lifecycle import WebhookStatus
from league.webhooks.models import Webhook


def close_account(user: User, by: User, why: str) -> None:
    """Close an account: no way in, its person leaves the table, its bots leave open tournaments, its webhooks
    are paused. What it has in tournaments that run is played to its end, and counts. Harmless when repeated;
    raises Forbidden."""
    _must_outrank(user, by)
    accounts.close(user, by, why)
    for sitting in Sitting.objects.filter(user=user, status__in=OPEN):
        sittings.leave(sitting, by, "The account was closed.")
    leave_open(user)
    for webhook in Webhook.objects.filter(owner=user, status=WebhookStatus.ACTIVE):
        webhooks.pause(webhook, by)


def reopen_account(user: User, by: User, why: str) -> None:
    """Let a user in again, with the same password; what left, its owner enters again. Raises Forbidden."""
    _must_outrank(user, by)
    accounts.reopen(user, by, why)


def _must_outrank(user: User, by: User) -> None:
    if user.pk == by.pk:
        raise Forbidden("not_yours", "Nobody closes or opens their own account.")
    if (user.is_staff or user.is_superuser) and not by.is_superuser:
        raise Forbidden("not_yours", "Accounts of the staff are a superuser's to close or open.")
