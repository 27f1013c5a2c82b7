"""Errors as pages: what Django and the middlewares answer outside the API, in the site's looks.

Those of the API's own refusals are made by `league.web.views.common.refused`.
"""

import json
import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from league.api.errors import BARE, MEDIA_TYPE, problem
from league.api.middleware import API, middleware
from league.common.problems import bare
from league.web.inside import Problem, refusal
from league.web.views.common import refused

FORM = (
    "The form was not sent from a page of this site, or is too old, or the browser keeps no cookies. "
    "Open the page again, and send the form from there."
)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return _answer(request, bare(400))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    return _answer(request, bare(403))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return _answer(request, bare(404))


def crashed(request: HttpRequest) -> HttpResponse:
    """500, or 503 where a service that the site needs does not answer. Called while that is being handled."""
    error = sys.exc_info()[1]
    status = next((status for kind, status in BARE.items() if isinstance(error, kind)), 500)
    return _answer(request, bare(503 if status == HTTPStatus.SERVICE_UNAVAILABLE else 500))


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403, to a form without the token that our pages give it."""
    return _answer(request, "forbidden", FORM)


def _answer(request: HttpRequest, code: str, detail: str | None = None) -> HttpResponse:
    if request.path_info.startswith(API):
        return problem(code, detail)
    return refused(request, refusal(code, detail))


def _told(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if request.path_info.startswith(API) or not isinstance(response, HttpResponse):
        return response
    if response.headers.get("Content-Type") == MEDIA_TYPE:
        told = Problem(response.status_code, json.loads(response.content))
    elif response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
        told = refusal("method_not_allowed")
    else:
        return response
    page = refused(request, told)
    for name, value in response.headers.items():
        if not name.startswith("Content-"):
            page.headers[name] = value
    return page


#: Makes problems of middlewares, and methods that a page doesn't have, pages.
told_as_pages = middleware(after=_told)
