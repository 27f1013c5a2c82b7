"""What the pages share: how one is made, and what becomes of a refusal."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypeAlias, cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from league.web.inside import Problem, cursor_of

P = ParamSpec("P")
View: TypeAlias = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

READS = ("GET", "HEAD")


def page(*methods: str, known: bool = False) -> Callable[[View[P]], View[P]]:
    """A view that is a page: of these methods besides reading, for `known` users only where it says so. What
    the API refuses and the view does not handle becomes an error page."""

    def make(view: View[P]) -> View[P]:
        @wraps(view)
        def told(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            try:
                return view(request, *args, **kwargs)
            except Problem as problem:
                return refused(request, problem)

        made: Any = require_http_methods([*READS, *methods])(told)
        return cast(View[P], login_required(made) if known else made)

    return make


def refused(request: HttpRequest, problem: Problem) -> HttpResponse:
    """The error page: what happened, in the API's words, and what helps."""
    title = problem.told["title"]
    detail = problem.told["detail"].removeprefix(f"{title}. ")  # which stands above it
    context: dict[str, Any] = {"problem": problem.told, "title": title, "detail": detail}
    context["wait_s"] = problem.headers.get("Retry-After")
    if problem.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        # What tells who is logged in may be what is broken.
        context |= {"user": AnonymousUser(), "messages": ()}
    return _told(render(request, "web/error.html", context, status=problem.status), problem)


def again(request: HttpRequest, template: str, context: dict[str, Any], problem: Problem) -> HttpResponse:
    """A refused form once more, with the `problem`, and what was `typed` where the context has it."""
    told = {**context, "problem": problem}
    return _told(render(request, template, told, status=problem.status), problem)


def _told(answer: HttpResponse, problem: Problem) -> HttpResponse:
    for name, value in {**problem.headers, "Cache-Control": "no-store"}.items():
        answer.headers[name] = value
    return answer


def ways(request: HttpRequest, page: dict[str, Any]) -> dict[str, str]:
    """The addresses of a list's neighbouring pages, from those that the API gave."""
    found = {}
    for name in ("previous", "next"):
        if cursor := cursor_of(page[name]):
            query = request.GET.copy()
            query["cursor"] = cursor
            found[name] = f"?{query.urlencode()}"
    return found
