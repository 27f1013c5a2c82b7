"""What holds for every request: no body longer than allowed, no error under /api/ in another shape."""

from collections.abc import Callable
from typing import Any, TypeAlias

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from league.api.errors import body, body_for

Handler: TypeAlias = Callable[[HttpRequest], HttpResponseBase]

API = "/api/"
SMALL_KIB = 64
ENVELOPE_KIB = 16  # what multipart adds around a file


def one_error_shape(get_response: Handler) -> Handler:
    """Answers of Django's own (an unknown address, a broken header, a crash) become JSON under /api/."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not request.path_info.startswith(API) or response.status_code < 400:
            return response
        if response.headers.get("Content-Type", "").startswith("application/json"):
            return response
        if settings.DEBUG and response.status_code >= 500:
            return response  # a developer wants the traceback
        ours = JsonResponse(body_for(response.status_code), status=response.status_code)
        for name in ("Allow", "Retry-After", "WWW-Authenticate"):
            if name in response.headers:
                ours[name] = response.headers[name]
        return ours

    return middleware


def bounded_bodies(get_response: Handler) -> Handler:
    """A body that is too long is refused before it is read, by the length that its header tells; one without
    that header, too.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if "HTTP_TRANSFER_ENCODING" in request.META:  # Django would see an empty body
            return _refuse(body_for(411), 411)
        length = request.META.get("CONTENT_LENGTH") or "0"
        upload = request.content_type == "multipart/form-data"
        most_kib = settings.UPLOAD_MAX_KIB + ENVELOPE_KIB if upload else SMALL_KIB
        if length.isascii() and length.isdigit() and int(length) > most_kib * 1024:
            field = "file" if upload else None
            return _refuse(body("too_large", f"The request may have {most_kib} KiB.", field), 413)
        return get_response(request)

    return middleware


def _refuse(error: dict[str, Any], status: int) -> HttpResponse:
    response = JsonResponse(error, status=status)
    response["Connection"] = "close"
    return response
