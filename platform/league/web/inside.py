"""The pages' way to what they show and do: the API, asked within the process, as who is logged in.

So a page shows what the API tells, sees what its reader may see, refuses what the API refuses, in its words,
and there is one place for each of these.
"""

import json
from dataclasses import dataclass
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import resolve, reverse

from league.accounts.scopes import USUAL, Scope
from league.api.idempotency import HEADER as IDEMPOTENCY_KEY

#: What the API is told of where a request came from: its throttles go by it.
_KEPT = ("REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "SERVER_NAME", "SERVER_PORT", "HTTP_HOST", "wsgi.url_scheme")


class Problem(Exception):
    """The API refused; `told` is the problem that it answered with (docs/api.md, Errors)."""

    def __init__(self, status: int, told: dict[str, Any]) -> None:
        super().__init__(told.get("detail", ""))
        self.status = status
        self.told = told

    def of_field(self, name: str) -> list[str]:
        """What is wrong with a field."""
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
    return _ask(request, "GET", reverse(name, args=args), query=urlencode(given))


def act(
    request: HttpRequest,
    name: str,
    *args: Any,
    data: dict[str, Any] | None = None,
    method: str = "POST",
    key: str | None = None,
) -> Any:
    """Have the API do something. `key` makes a form that is sent twice one act. Raises Problem."""
    headers = {"HTTP_" + IDEMPOTENCY_KEY.upper().replace("-", "_"): key} if key else {}
    return _ask(request, method, reverse(name, args=args), data=data or {}, headers=headers)


def cursor_of(link: str | None) -> str | None:
    """The cursor in the API's link to another page of a list."""
    return parse_qs(urlsplit(link).query)["cursor"][0] if link else None


def _ask(
    request: HttpRequest,
    method: str,
    path: str,
    *,
    query: str = "",
    data: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Any:
    body = b"" if data is None else json.dumps(data).encode()
    environ: dict[str, Any] = {key: request.META[key] for key in _KEPT if key in request.META}
    environ |= {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": "application/json",
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
    return _told(match.func(inner, *match.args, **match.kwargs))


def _told(response: HttpResponseBase) -> Any:
    data: Any = getattr(response, "data", None)
    if data is None:
        content = getattr(response, "content", b"")
        data = json.loads(content) if content else None
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        raise Problem(response.status_code, data)
    return data
