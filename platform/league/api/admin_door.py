"""The admin's log-in page is a door like the API's: throttled with it, per address and per account, as is the
pages' (league.web.views.doors)."""

import math

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.views import APIView

from league.api.throttles import AccountThrottle, LoginThrottle

UNCOUNTED = "Attempts can't be counted just now, so none is taken."
TOO_MANY = "Too many attempts; try again in {} s."


@never_cache
def login(request: HttpRequest) -> HttpResponseBase:
    """The admin's log-in. Attempts here and at the API's are counted together; 429 after too many, 503 where
    they can't be counted: they could be made without end."""
    if request.method == "POST":
        try:
            wait = wait_s(request)
        except RedisError:
            return _refused(503, UNCOUNTED, 5)
        if wait is not None:
            return _refused(429, TOO_MANY.format(wait), wait)
    return admin.site.login(request)


def wait_s(request: HttpRequest) -> int | None:
    """How long whoever tries a password on a page has to wait, in seconds; None for an attempt that is taken.
    Each throttle counts it. Raises RedisError where it can't be counted: then it must not be taken."""
    attempt, view = Request(request, parsers=[FormParser(), MultiPartParser()]), APIView()
    refusals = [
        one.wait() for one in (LoginThrottle(), AccountThrottle()) if not one.allow_request(attempt, view)
    ]
    return math.ceil(max(wait or 1 for wait in refusals)) if refusals else None


def _refused(status: int, text: str, wait_s: int) -> HttpResponse:
    headers = {"Retry-After": str(wait_s)}
    return HttpResponse(text, status=status, headers=headers, content_type="text/plain; charset=utf-8")
