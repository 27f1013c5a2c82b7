"""What holds for every request: it has an id and a line in the log, its body is no longer than allowed, and
under /api/ no error has another shape."""

import logging
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.encoding import escape_uri_path

from league.api.errors import MEDIA_TYPE, problem
from league.common import request_id
from league.common.problems import bare

Handler: TypeAlias = Callable[[HttpRequest], HttpResponseBase]
Before: TypeAlias = Callable[[HttpRequest], HttpResponseBase | None]
After: TypeAlias = Callable[[HttpRequest, HttpResponseBase], HttpResponseBase]

access = logging.getLogger("league.access")

API = "/api/"
SMALL_KIB = 64
ENVELOPE_KIB = 16  # what multipart adds around a file


def middleware(before: Before | None = None, after: After | None = None) -> Any:
    """A middleware: `before` may answer in place of the view; `after` gets what it answered, gives what is
    sent."""

    def make(get_response: Handler) -> Handler:
        def answer(request: HttpRequest) -> HttpResponseBase:
            response = before(request) if before else None
            if response is None:
                response = get_response(request)
            return after(request, response) if after else response

        return answer

    return make


def _begin(request: HttpRequest) -> None:
    request_id.begin()
    request.encoding = "utf-8"  # whatever its header says: some of the codecs of Python are none of text
    request.META["league.began"] = time.monotonic()


def _note(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    response.headers[request_id.HEADER] = request_id.current()
    took_ms = (time.monotonic() - request.META["league.began"]) * 1000
    # Without the query: what is in it may be no business of those who read logs.
    path = escape_uri_path(request.path)
    access.info("%s %s %d %.0f ms", request.method, path, response.status_code, took_ms)
    return response


#: The first of all: an id for the request, which the answer tells, and a line in the log.
request_ids = middleware(_begin, _note)


def _ours(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if not request.path_info.startswith(API) or response.status_code < 400:
        return response
    if response.headers.get("Content-Type") == MEDIA_TYPE:
        return response
    if settings.DEBUG and response.status_code >= 500:
        return response  # a developer wants the traceback
    names = ("Allow", "Retry-After", "WWW-Authenticate")
    kept = {name: response.headers[name] for name in names if name in response.headers}
    return problem(bare(response.status_code), headers=kept)


#: Errors of Django's own (an unknown address, a broken header, a crash) become problems under /api/.
one_error_shape = middleware(after=_ours)


def _too_long(request: HttpRequest) -> HttpResponse | None:
    close = {"Connection": "close"}
    if "HTTP_TRANSFER_ENCODING" in request.META:  # Django would see an empty body
        return problem("length_required", headers=close)
    length = request.META.get("CONTENT_LENGTH") or "0"
    upload = request.content_type == "multipart/form-data"
    most_kib = settings.UPLOAD_MAX_KIB + ENVELOPE_KIB if upload else SMALL_KIB
    if length.isascii() and length.isdigit() and int(length) > most_kib * 1024:
        field = "file" if upload else None
        return problem("too_large", f"The request may have {most_kib} KiB.", field, headers=close)
    return None


#: A body that is too long is refused before it is read, by the length that its header tells; one without that
#: header, too.
bounded_bodies = middleware(before=_too_long)
