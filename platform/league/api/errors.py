"""One shape for every error: a stable code, a sentence, the field it is about, and the single errors where
there are several. Whoever raised it: the services, Django REST framework, Django, or nobody (see middleware).
"""

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404
from redis.exceptions import RedisError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from arena.errors import PlatformFailure
from league.common.errors import Lost, UserError
from league.common.text import clipped

log = logging.getLogger(__name__)

#: What a bare HTTP status means, for answers that nobody gave a reason.
BY_STATUS: Mapping[int, tuple[str, str]] = {
    400: ("bad_request", "The request can't be understood."),
    401: ("not_authenticated", "Send a token: Authorization: Bearer TOKEN."),
    403: ("forbidden", "This is not allowed."),
    404: ("not_found", "There is nothing here."),
    405: ("method_not_allowed", "This method is not for this address."),
    406: ("not_acceptable", "Only JSON is served here."),
    408: ("incomplete", "The request did not come in time."),
    409: ("conflict", "The present state does not allow this."),
    411: ("length_required", "Send the body with its length: Content-Length, not Transfer-Encoding."),
    413: ("too_large", "The request is longer than allowed."),
    415: ("unsupported_media_type", "The body's type is not taken here."),
    429: ("throttled", "Too many requests; try again later."),
    500: ("server_error", "Something went wrong on our side; it has been noted."),
    503: ("unavailable", "The service is not available just now; try again soon."),
}
MESSAGE_MAX = 600


def item(code: str, message: str, field: str | None = None) -> dict[str, Any]:
    """One thing that is wrong; the message is made a sentence, and safe to send."""
    sentence = clipped(message if message.endswith((".", "!", "?")) else f"{message}.", MESSAGE_MAX)
    return {"code": code, "message": sentence, "field": field and clipped(field, 100)}


def body(
    code: str, message: str, field: str | None = None, errors: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """An error's body; `errors` has each single thing, by default this one."""
    single = item(code, message, field)
    return {**single, "errors": errors if errors is not None else [single]}


def body_for(status: int) -> dict[str, Any]:
    """The body for a bare status."""
    code, message = BY_STATUS.get(status, BY_STATUS[500 if status >= 500 else 400])
    return body(code, message)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an exception in a view; None lets it become a 500, logged by Django."""
    answer = _answer(error)
    if answer is not None:
        set_rollback()
    return answer


#: Exceptions that say no more than a status does.
BARE: Mapping[type[Exception], int] = {
    Http404: 404,
    Lost: 404,
    PermissionDenied: 403,
    RequestDataTooBig: 413,
    SuspiciousOperation: 400,
    OperationalError: 503,
    InterfaceError: 503,
    RedisError: 503,
    PlatformFailure: 503,
}


def _answer(error: Exception) -> Response | None:
    if isinstance(error, UserError):
        return Response(body(error.code, error.message, error.field), status=error.http_status)
    if isinstance(error, exceptions.ValidationError):
        return Response(_validation(error.detail), status=400)
    if isinstance(error, exceptions.APIException):
        return _framework(error)
    for kind, status in BARE.items():
        if isinstance(error, kind):
            if status == 503:
                log.error("a service that the site needs does not answer", exc_info=error)
            return Response(
                body_for(status), status=status, headers={"Retry-After": "5"} if status == 503 else None
            )
    return None


def _framework(error: exceptions.APIException) -> Response:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = f"{wait:.0f}"
    code = str(error.get_codes()) if isinstance(error.detail, str) else "error"
    code = {"error": "server_error", "permission_denied": "forbidden", "parse_error": "bad_json"}.get(
        code, code
    )
    return Response(body(code, str(error.detail)), status=error.status_code, headers=headers)


def _validation(detail: Any) -> dict[str, Any]:
    errors = list(_single(detail, ""))
    if len(errors) == 1:
        return body(**errors[0])
    fields = sorted({error["field"] for error in errors if error["field"]})
    return body("invalid", f"Several things are wrong: {', '.join(fields)}.", None, errors)


def _single(detail: Any, path: str) -> Iterator[dict[str, Any]]:
    if isinstance(detail, dict):
        for key, value in detail.items():
            at = "" if key == "non_field_errors" else str(key)
            yield from _single(value, f"{path}.{at}" if path and at else path or at)
    elif isinstance(detail, list):
        for value in detail:
            yield from _single(value, path)
    else:
        code = str(getattr(detail, "code", "invalid"))
        yield item(code, str(detail), path or None)
