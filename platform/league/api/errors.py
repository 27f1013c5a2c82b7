"""One shape for every error, RFC 9457: a stable code, what is wrong, what would be right, the field that it
is about, and the single errors where there are several. Whoever raised it: the services, Django REST
framework, Django, or nobody (see middleware).
"""

import json
import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from django.urls import reverse
from redis.exceptions import RedisError
from rest_framework import exceptions
from rest_framework.views import set_rollback

from arena.errors import PlatformFailure
from league.common.errors import Lost, UserError
from league.common.problems import PROBLEMS, bare, known
from league.common.request_id import current
from league.common.text import clipped

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
DETAIL_MAX = 600
RETRY_AFTER_S = 5


def item(code: str, detail: str, field: str | None = None) -> dict[str, Any]:
    """One thing that is wrong; the detail is made a sentence, and safe to send."""
    sentence = detail if detail.endswith((".", "!", "?")) else f"{detail}."
    return {"code": code, "field": field and clipped(field, 100), "detail": clipped(sentence, DETAIL_MAX)}


def problem(
    code: str,
    detail: str | None = None,
    field: str | None = None,
    *,
    errors: list[dict[str, Any]] | None = None,
    state: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """The answer to a request that went wrong.

    Args:
        code: of league.common.problems, which has the status, too.
        detail: a sentence that says what would be right; by default what the registry says.
        errors: each single thing, made by `item`; by default this one.
        state: of a conflict: how what was asked about is at present.
    """
    kind = PROBLEMS[code]
    single = item(code, detail or f"{kind.title}. {kind.advice}", field)
    body = {
        "type": reverse("problem", args=[code]),
        "title": kind.title,
        "status": kind.status,
        **single,
        "errors": errors if errors is not None else [single],
        "request_id": current(),
    }
    if kind.status == 409:
        body["state"] = None if state is None else dict(state)
    retry = {"Retry-After": str(RETRY_AFTER_S)} if kind.status == 503 else {}
    return HttpResponse(
        json.dumps(body, ensure_ascii=False),
        status=kind.status,
        content_type=MEDIA_TYPE,
        headers={**retry, **(headers or {})},
    )


def handle(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """The answer to an exception in a view; None lets it become a 500, logged by Django."""
    if isinstance(error, exceptions.UnsupportedMediaType):
        taken = " or ".join(parser.media_type for parser in context["view"].parser_classes)
        error.detail = exceptions.ErrorDetail(f"This takes Content-Type: {taken}", error.default_code)
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

#: What Django and its REST framework call things, where we have a better name.
RENAMED: Mapping[str, str] = {
    "authentication_failed": "bad_token",
    "permission_denied": "forbidden",
    "parse_error": "bad_json",
    "error": "server_error",
    "not_a_list": "invalid",
    "not_a_dict": "invalid",
    "no_name": "invalid",
    "date": "invalid",
    "datetime": "invalid",
    "overflow": "invalid",
    "make_aware": "invalid",
    "max_string_length": "max_value",
    "max_digits": "max_value",
    "null_characters_not_allowed": "bad_characters",
    "surrogate_characters_not_allowed": "bad_characters",
}


def _answer(error: Exception) -> HttpResponse | None:
    if isinstance(error, UserError):
        code = known(error.code, error.http_status)
        wait = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
        return problem(code, error.message, error.field, state=error.state, headers=wait)
    if isinstance(error, exceptions.ValidationError):
        return _validation(error.detail)
    if isinstance(error, exceptions.APIException):
        return _framework(error)
    for kind, status in BARE.items():
        if isinstance(error, kind):
            if status == 503:
                log.error("a service that the site needs does not answer", exc_info=error)
            return problem(bare(status))
    return None


def _framework(error: exceptions.APIException) -> HttpResponse:
    headers = {}
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = f"{wait:.0f}"
    code = str(error.get_codes()) if isinstance(error.detail, str) else "error"
    code = known(RENAMED.get(code, code), error.status_code)
    said = str(error.detail).rstrip(".")
    return problem(code, f"{said}. {PROBLEMS[code].advice}", headers=headers)


def _validation(detail: Any) -> HttpResponse:
    errors = list(_single(detail, ""))
    if len(errors) == 1:
        return problem(**errors[0])
    fields = sorted({error["field"] for error in errors if error["field"]})
    return problem("invalid", f"Several things are wrong: {', '.join(fields)}.", errors=errors)


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
        yield item(known(RENAMED.get(code, code), 400), str(detail), path or None)
