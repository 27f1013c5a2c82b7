"""Tokens: made for who knows the password, used, and ended."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from league.accounts.models import Token, User
from league.accounts.scopes import USUAL, Scope, joined
from league.common.errors import Forbidden, Invalid
from league.common.text import clean_name

NAME = "unnamed"
#: How exact `last_used_at` is: most requests must write nothing.
USED_WITHIN = timedelta(minutes=1)


def issue(
    user: User, name: str = NAME, scopes: Iterable[str] = USUAL, days: int | None = None
) -> tuple[Token, str]:
    """A new token, and its text, which is stored nowhere. Expired ones of the user's are forgotten.

    `days`: how long it is good; None for as long as a token may be.

    Raises Invalid for a name, scopes or days that can't be; Forbidden for `admin` where the user is no staff.
    """
    granted, most = joined(scopes), settings.TOKEN_DAYS
    days = most if days is None else days
    if not 1 <= days <= most:
        raise Invalid(
            "max_value" if days > most else "min_value", f"A token is good for 1 to {most} days.", "days"
        )
    if Scope.ADMIN in granted.split() and not user.is_staff:
        raise Forbidden("forbidden", "Only the staff has tokens with the scope admin.", "scopes")
    Token.objects.filter(user=user, expiry__lt=timezone.now()).delete()
    token, text = Token.objects.create(user, timedelta(days=days), name=clean_name(name), granted=granted)
    return token, text


def used(token: Token) -> None:
    """Note that it is used now."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_WITHIN)
    if token.last_used_at is None or token.last_used_at < now - USED_WITHIN:
        Token.objects.filter(stale, pk=token.pk).update(last_used_at=now)
        token.last_used_at = now
