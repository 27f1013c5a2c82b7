"""Whether an error that the API answered with is one of those that its operation may answer with."""

from django.http import Http404
from django.urls import resolve
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from league.api.failures import failures_of
from league.common.problems import PROBLEMS

DOCUMENTATION = (SpectacularAPIView, SpectacularSwaggerView)


def check(answer):
    """Raise AssertionError for an error of the API that no registry, or not its operation, knows."""
    request = answer.wsgi_request
    if not request.path_info.startswith("/api/") or answer.status_code < 400 or request.method == "HEAD":
        return
    told = answer.json()
    assert PROBLEMS[told["code"]].status == answer.status_code
    declared = declared_for(request)
    if declared is not None and answer.status_code != 405:  # which is of no operation
        known = declared.get(answer.status_code, [])
        assert told["code"] in known, f"{request.method} {request.path}: {told['code']} is not in {known}"


def declared_for(request):
    """What the operation at that address may answer with; None where there is none."""
    try:
        match = resolve(request.path_info)
    except Http404:
        return None
    kind, method = getattr(match.func, "cls", None), request.method.replace("HEAD", "GET")
    if kind is None or issubclass(kind, DOCUMENTATION):
        return None
    view = kind(**match.func.initkwargs)
    actions = getattr(match.func, "actions", {"get": "get"})
    if method.lower() not in actions:
        return None
    view.action_map, view.request, view.kwargs = actions, request, match.kwargs
    if hasattr(match.func, "actions"):
        view.action = actions[method.lower()]
    return failures_of(view, method, bool(match.kwargs))
