"""The answer to a request for events, as far as Django gives it: the present state.

Under ASGI (league.asgi) it goes on from there. Under a server of another kind, `manage.py runserver` say, it
ends here, and whoever listens comes back after `retry`: so it works, at the price of polling.
"""

from time import monotonic

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from league.api.throttles import FairThrottle
from league.common.errors import Missing
from league.live.events import MEDIA_TYPE, Event, retry
from league.live.hub import Follows, hub
from league.live.stream import FOLLOWS
from league.live.subjects import Subject, look

#: `X-Accel-Buffering`: nginx would hold events back.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def answer(request: Request, subject: Subject) -> HttpResponseBase:
    """The events of a subject that this user may see. 204 for who has the last one: nothing will come.

    Raises OverQuota, Unavailable, or Missing where it is gone.
    """
    scope = request.META.get("asgi.scope") if request.method == "GET" else None
    client = _client(request)
    if scope is not None:
        hub.admit(client)
    now = monotonic()
    event = _present(subject)
    seen = request.headers.get("Last-Event-ID", "")
    if event.over and seen == event.id:
        return HttpResponse(status=204)
    pieces = [retry()]
    if seen != event.id:
        pieces.append(event.wire)
    if event.over:
        pieces.append(event.end)
    elif scope is not None:
        authorization = request.META.get("HTTP_AUTHORIZATION", "")
        scope[FOLLOWS] = Follows(subject, client, authorization, event.id, now)
    return StreamingHttpResponse(pieces, content_type=MEDIA_TYPE, headers=HEADERS)


def _present(subject: Subject) -> Event:
    state = look(subject)
    if state is None:
        raise Missing("not_found", f"There is no such {subject.kind}.")
    return state.event


def _client(request: Request) -> str:
    if request.user.is_authenticated:
        return f"user {request.user.pk}"
    return f"address {FairThrottle().get_ident(request)}"
