"""How long answers may be kept, and how a client asks whether what it has is still true.

Every answer to a GET has an `ETag`, but for streams; to a request that sends it back (`If-None-Match`) the
answer is 304 where nothing has changed. Where no view says otherwise, an answer may be kept and must be asked
for again each time; one to a known user is kept by nobody else. Errors and answers to writes are not kept.
"""

import hashlib
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import parse_etags
from rest_framework.request import Request

from league.api.middleware import API, middleware

HEADER = "Cache-Control"
#: Sources, logs, who somebody is, and what is shown once: on no disk.
SECRET = "private, no-store"
#: What has been public once, under a name of its own: the bytes never change.
FOR_EVER = "public, max-age=31536000, immutable"

READS = frozenset({"GET", "HEAD"})


def _told(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if not request.path_info.startswith(API):
        return response
    patch_vary_headers(response, ["Authorization"])
    if request.method not in READS or response.status_code >= 400:
        response.headers.setdefault(HEADER, "no-store")
        return response
    whose = "private" if "Authorization" in request.headers else "public"
    response.headers.setdefault(HEADER, f"{whose}, no-cache")
    if response.status_code != 200:
        return response
    if isinstance(response, HttpResponse) and "ETag" not in response.headers:
        response.headers["ETag"] = quoted(hashlib.sha256(response.content).hexdigest()[:32])
    return _not_modified(response) if has(request, response.headers.get("ETag")) else response


def _not_modified(response: HttpResponseBase) -> HttpResponse:
    """The same answer without what is known. The headers of the body go with it."""
    headers = {name: value for name, value in response.headers.items() if not name.startswith("Content-")}
    short = HttpResponseNotModified(headers=headers)
    short.cookies = response.cookies
    return short


#: Gives answers under /api/ their headers, or has them be a 304.
cached = middleware(after=_told)


def has(request: HttpRequest | Request, tag: str | None) -> bool:
    """Whether the client has what this tag names."""
    known = [one.removeprefix("W/") for one in parse_etags(request.headers.get("If-None-Match", ""))]
    return tag is not None and (tag in known or known == ["*"])


def tagged(request: Request, tag: str, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """The answer of that tag, which is made only for a client that doesn't have it."""
    response = HttpResponseNotModified() if has(request, tag) else make()
    response.headers["ETag"] = tag
    return response


def quoted(name: str) -> str:
    """The tag of what has a hash for a name."""
    return f'"{name}"'


def tag_of(request: Request, *about: object) -> str:
    """The tag of a page that is a function of its address and of `about`; its links are signed, so it changes
    with the site's key, too."""
    text = repr([request.get_full_path(), *about])
    return quoted(salted_hmac("league.api.caching", text, algorithm="sha256").hexdigest()[:32])
