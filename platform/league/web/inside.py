"""The pages' way to what they show and do: the API, asked within the process, as who is logged in.

So a page shows what the API tells, sees what its reader may see, refuses what the API refuses, in its words,
and there is one place for each of these.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Any, cast
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from django.core.files.uploadedfile import UploadedFile
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import NoReverseMatch, resolve, reverse
from rest_framework.response import Response

from league.accounts.scopes import USUAL, Scope
from league.api.errors import problem
from league.api.idempotency import HEADER as IDEMPOTENCY_KEY

JSON = "application/json"
#: What the API is told of where a request came from: its throttles go by it.
_KEPT = ("REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST", "wsgi.url_scheme")
#: What of its answer besides the problem a page repeats.
_KEPT_HEADERS = ("Retry-After",)


class Problem(Exception):
    """The API refused; `told` is the problem that it answered with (docs/api.md, Errors), `headers` what its
    answer says besides: when to try again."""

    def __init__(self, status: int, told: dict[str, Any], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(told.get("detail", ""))
        self.status = status
        self.told = told
        self.headers = {name: headers[name] for name in _KEPT_HEADERS if name in headers} if headers else {}

    def of_field(self, name: str | None) -> list[str]:
        """What is wrong with a field; with None, what is wrong with no field."""
        return [each["detail"] for each in self.told.get("errors", ()) if each["field"] == name]


@dataclass(frozen=True)
class Session:
    """What stands in place of a token: who is logged in on a page may do what a token of all scopes may."""

    scopes: frozenset[Scope]


def get(request: HttpRequest, name: str, *args: Any, query: dict[str, Any] | None = None) -> Any:
    """What the API's address of that name answers. Values of `query` that are empty are left out.

    Raises Problem.
    """
    given = {key: value for key, value in (query or {}).items() if value not in (None, "")}
    return _told(_ask(request, "GET", _address(name, args), query=urlencode(given)))


def get_or_none(request: HttpRequest, name: str, *args: Any) -> Any:
    """The same; None where there is nothing, or nothing for this reader. Raises Problem for all else."""
    try:
        return get(request, name, *args)
    except Problem as problem:
        if problem.status != HTTPStatus.NOT_FOUND:
            raise
        return None


def fetch(request: HttpRequest, name: str, *args: Any) -> HttpResponseBase:
    """The API's own answer, to hand on: a file. Raises Problem."""
    answer = _ask(request, "GET", _address(name, args))
    if answer.status_code >= HTTPStatus.BAD_REQUEST:
        _told(answer)
    return answer


def act(
    request: HttpRequest,
    name: str,
    *args: Any,
    data: dict[str, Any] | None = None,
    method: str = "POST",
    key: str | None = None,
    file: "UploadedFile[bytes] | None" = None,
) -> Any:
    """Have the API do something. `key` makes a form that is sent twice one act. With a `file` it is sent as a
    form, else as JSON. Raises Problem."""
    headers = {"HTTP_" + IDEMPOTENCY_KEY.upper().replace("-", "_"): key} if key else {}
    path = _address(name, args)
    if file is None:
        body, content_type = json.dumps(data or {}).encode(), JSON
    else:
        form = requests.Request("POST", "http://inside/", data=data, files={"file": (file.name, file.read())})
        sent = form.prepare()
        body, content_type = cast(bytes, sent.body), sent.headers["Content-Type"]
    return _told(_ask(request, method, path, body=body, content_type=content_type, headers=headers))


def refusal(
    code: str, detail: str | None = None, field: str | None = None, wait_s: int | None = None
) -> Problem:
    """A refusal of the pages' own, like the API's; `wait_s`: when it is worth another try."""
    headers = None if wait_s is None else {"Retry-After": str(wait_s)}
    answer = problem(code, detail, field, headers=headers)
    return Problem(answer.status_code, json.loads(answer.content), answer.headers)


def cursor_of(link: str | None) -> str | None:
    """The cursor in the API's link to another page of a list."""
    return parse_qs(urlsplit(link).query)["cursor"][0] if link else None


def _address(name: str, args: tuple[Any, ...]) -> str:
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        if not args:
            raise
        raise refusal("not_found") from None  # an id that none can be


def _ask(
    request: HttpRequest,
    method: str,
    path: str,
    *,
    query: str = "",
    body: bytes = b"",
    content_type: str = JSON,
    headers: dict[str, str] | None = None,
) -> HttpResponseBase:
    environ: dict[str, Any] = {key: request.META[key] for key in _KEPT if key in request.META}
    environ |= {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        **(headers or {}),
    }
    inner = WSGIRequest(environ)
    if request.user.is_authenticated:
        scopes = frozenset(Scope) if request.user.is_staff else USUAL
        inner._force_auth_user = request.user  # type: ignore[attr-defined]
        inner._force_auth_token = Session(scopes)  # type: ignore[attr-defined]
    match = resolve(path)
    answer: HttpResponseBase = match.func(inner, *match.args, **match.kwargs)
    return answer


def _told(response: HttpResponseBase) -> Any:
    if isinstance(response, Response):  # not rendered
        data: Any = response.data
    else:
        content = getattr(response, "content", b"")
        data = json.loads(content) if content else None
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        raise Problem(response.status_code, data, response.headers)
    return data
