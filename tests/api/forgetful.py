"""A middleware around all others, for a site in tests."""

from django.core.cache import cache
from django.db import connection, transaction
from django.http.response import HttpResponseBase


def forgetful(get_response):
    """What a request writes is checked as a commit would check it, then undone; so is what throttles counted.

    So each request meets the same rows, whatever was asked before, and a failure can be asked for again.
    """

    def middleware(request) -> HttpResponseBase:
        cache.clear()
        with transaction.atomic():
            response = get_response(request)
            if response.streaming:
                response.streaming_content = list(response.streaming_content)
            if request.method not in ("GET", "HEAD", "OPTIONS"):
                connection.check_constraints()
            transaction.set_rollback(True)
        return response

    return middleware
