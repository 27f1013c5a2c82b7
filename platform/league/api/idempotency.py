"""Writes that are safe to send again: `Idempotency-Key`, honoured for a day.

A write with a key runs in one transaction with the row that holds the key and the answer. So a process that
dies in the middle leaves neither the effect nor the row, and whoever repeats the request has it done; once
the row is there, whoever repeats it gets the answer that was lost. Of two at the same time the second waits
for the first, for WAIT_S seconds. What was refused had no effect: it is not kept, and judged anew.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from enum import Enum
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import OperationalError, connection, transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from league.api.models import KEY_MAX, Answer
from league.common.errors import Conflict, Invalid

HEADER, REPLAYED = "Idempotency-Key", "Idempotency-Replayed"
KEPT_FOR = timedelta(days=1)
#: For how long a second request waits for the first, on PostgreSQL; SQLite has its own time for that.
WAIT_S = 5
_KEY = re.compile(rf"[\x21-\x7e]{{1,{KEY_MAX}}}")
_LOCK_NOT_AVAILABLE = "55P03"

Handler = Callable[..., HttpResponseBase]


class Kind(Enum):
    """What a key does for a write.

    kept: the answer is stored, and given again · secret: there is one effect, but its answer is not stored,
    as it holds a secret: a repeat is told so · plain: a key changes nothing, as there is no effect.
    """

    KEPT = "kept"
    SECRET = "secret"
    PLAIN = "plain"


def key_of(request: Request) -> str | None:
    """The key that a write of a known user has, if any; for others it has no meaning. Raises Invalid."""
    key = request.headers.get(HEADER)
    if key is None or request.method in SAFE_METHODS or not request.user.is_authenticated:
        return None
    if not _KEY.fullmatch(key):
        raise Invalid(
            "bad_idempotency_key",
            f"A key is 1 to {KEY_MAX} visible ASCII characters without a space.",
            HEADER,
        )
    return key


def answered(request: Request, key: str) -> bool:
    """Whether a write with this key was done: who repeats it gets its answer, or why there is none."""
    young = Answer.objects.filter(at__gte=timezone.now() - KEPT_FOR)
    return young.filter(user=request.user.pk, key=key, status__isnull=False).exists()


def once(key: str, kind: Kind, handler: Handler) -> Handler:
    """The handler, run at most once for this key and its user."""

    def run(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        mark = fingerprint(request)
        with transaction.atomic():
            answer = _take(request.user, key, mark)
            if answer.status is not None:
                return _again(answer, mark)
            response = handler(request, *args, **kwargs)
            if response.status_code >= 400:
                transaction.set_rollback(True)
                return response
            answer.status = response.status_code
            answer.body = _body(response) if kind is Kind.KEPT else None
            answer.save()
        return response

    return run


def fingerprint(request: Request) -> str:
    """What tells one request from another: method, address, and what was sent, however it was written. The
    boundary of a form and the order of an object's keys make no difference.

    Raises ParseError for a body that is none.
    """
    told = hashlib.sha256(f"{request.method} {request.path}\n".encode())
    for part in _parts(request.data):
        told.update(hashlib.sha256(part).digest())
    return told.hexdigest()


def _parts(data: Any) -> Iterator[bytes]:
    if not hasattr(data, "lists"):
        yield json.dumps(data, sort_keys=True).encode()
        return
    for name, values in sorted(data.lists()):  # a form
        for value in values:
            yield name.encode("utf-8", "surrogatepass")
            if isinstance(value, UploadedFile):
                yield (value.name or "").encode("utf-8", "surrogatepass")
                yield value.read()
                value.seek(0)
            else:
                yield str(value).encode("utf-8", "surrogatepass")


def _take(user: Any, key: str, mark: str) -> Answer:
    """The key's row: a new one, without a status, or that of the request that came first. Raises Conflict
    where that one is still at work."""
    now = timezone.now()
    rows = Answer.objects.filter(user=user, key=key)
    rows.filter(at__lt=now - KEPT_FOR).delete()
    new = Answer(user=user, key=key, fingerprint=mark, at=now)
    try:
        with transaction.atomic():
            _wait_at_most(f"{WAIT_S}s")
            Answer.objects.bulk_create([new], ignore_conflicts=True)  # waits for one that isn't committed yet
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
            raise
        text = "The first request with this key is still at work; send this one again soon."
        raise Conflict("idempotency_in_progress", text, HEADER, retry_after_s=1) from error
    _wait_at_most("0")
    return rows.get()


def _wait_at_most(time: str) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [time])


def _again(answer: Answer, mark: str) -> HttpResponse:
    """The answer that was given to the first request. Raises Invalid, Conflict."""
    if answer.fingerprint != mark:
        raise Reused(
            "idempotency_key_reused", "This key was used for another request; take a new one.", HEADER
        )
    if answer.body is None:
        raise Conflict(
            "idempotency_secret",
            "This was done; its answer had a secret in it, which is shown once and kept nowhere.",
            HEADER,
        )
    headers = {REPLAYED: "true"}
    if not answer.body:
        return HttpResponse(status=answer.status, headers=headers)
    return HttpResponse(answer.body, "application/json", answer.status, headers=headers)


class Reused(Invalid):
    """A key that came with another request before."""

    http_status = 422


def _body(response: Any) -> str:
    return "" if response.data is None else JSONRenderer().render(response.data).decode()


def forget(now: Any = None) -> None:
    """Delete the answers that are older than a day."""
    Answer.objects.filter(at__lt=(now or timezone.now()) - KEPT_FOR).delete()
