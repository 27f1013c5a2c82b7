"""Whether those who listen still may."""

from collections.abc import Collection

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed

from league.accounts.models import User
from league.api.authentication import TokenAuthentication
from league.live.subjects import Subject, seen_by


def allowed(subject: Subject, authorizations: Collection[str]) -> set[str]:
    """Those of some `Authorization` headers (empty: a stranger's) that may listen to the subject now."""
    return {each for each in authorizations if _may(subject, each)}


def _may(subject: Subject, authorization: str) -> bool:
    try:
        return seen_by(_user(authorization), subject.kind).filter(pk=subject.pk).exists()
    except AuthenticationFailed:
        return False


def _user(authorization: str) -> User | None:
    """Who a request with this header would be. Raises AuthenticationFailed."""
    request = HttpRequest()
    request.META["HTTP_AUTHORIZATION"] = authorization
    known = TokenAuthentication().authenticate(request)
    return known[0] if known else None
