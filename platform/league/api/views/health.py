"""Whether the site can work."""

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api.errors import item, problem
from league.api.serializers.common import HealthOut
from league.api.views.common import METHODS
from league.tournaments import workers


class Health(APIView):
    """For a supervisor."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    throttle_classes = ()
    http_method_names = METHODS

    @extend_schema(responses=HealthOut, operation_id="health")
    def get(self, request: Request) -> HttpResponse:
        """200 when the database and the broker answer, else 503 with what doesn't.

        `refusing_workers` counts the machines whose play worker takes nothing, as its sandbox fails. That is
        no 503: the site answers, and what waits is played by other workers or later."""
        down = [name for name, answers in (("database", _database), ("broker", _broker)) if not answers()]
        if not down:
            return Response({"status": "ok", "refusing_workers": workers.refusing()})
        errors = [item(f"no_{name}", f"The {name} does not answer.") for name in down]
        return problem("unavailable", f"No answer from: {', '.join(down)}.", errors=errors)


def _database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _broker() -> bool:
    try:
        with redis.Redis.from_url(
            settings.CELERY_BROKER_URL, socket_connect_timeout=1, socket_timeout=1
        ) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError, ValueError):
        return False
