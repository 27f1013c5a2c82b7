"""What a browser is told on every page: run nothing that isn't ours, show it in no frame, guess no types.

`SecurityMiddleware` adds `nosniff`, the referrer policy and, in production, HSTS; `XFrameOptionsMiddleware`
says the same of frames to old browsers. No answer has a CORS header: other sites' scripts read nothing here.
"""

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from league.api.middleware import middleware

HEADER = "Content-Security-Policy"
_NEVER = {"object-src": "'none'", "base-uri": "'none'", "frame-ancestors": "'none'"}


def policy(**sources: str) -> str:
    """A policy as text; `script_src` and so on say from where what may come."""
    told = {name.replace("_", "-"): value for name, value in sources.items()} | _NEVER
    return "; ".join(f"{name} {value}" for name, value in told.items())


#: By how an address begins; the first that fits. Data is never a page. Swagger UI styles its parts one by
#: one, so its page takes styles from within; scripts are files of ours everywhere.
_STYLED = policy(
    default_src="'self'", style_src="'self' 'unsafe-inline'", img_src="'self' data:", form_action="'self'"
)
POLICIES: Mapping[str, str] = {
    "/api/v1/docs/": _STYLED,
    "/api/": policy(default_src="'none'", form_action="'none'"),
    "/admin/": policy(default_src="'self'", img_src="'self' data:", form_action="'self'"),
    "/": policy(
        default_src="'none'",
        script_src="'self'",
        style_src="'self'",
        img_src="'self'",
        connect_src="'self'",
        form_action="'self'",
    ),
}


def _told(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if settings.DEBUG and response.status_code >= 400:
        return response  # a developer's traceback has a script of its own
    path = request.path_info
    fits = next((text for start, text in POLICIES.items() if path.startswith(start)), POLICIES["/"])
    response.headers.setdefault(HEADER, fits)
    return response


#: Gives every answer its policy.
guarded = middleware(after=_told)
