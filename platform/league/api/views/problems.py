"""The kinds of errors, each at the address that an error's `type` tells."""

from collections.abc import Iterator
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.serializers.problems import ProblemKindOut
from league.api.views.common import View
from league.common.errors import Missing
from league.common.problems import PROBLEMS


class Problems(View):
    """The kinds of errors."""

    permission_classes = (AllowAny,)
    authentication_classes = ()
    serializer_class = ProblemKindOut
    pagination_class = None
    lookup_field = "code"
    lookup_value_regex = "[a-z_]{1,40}"

    @extend_schema(responses=ProblemKindOut(many=True), filters=False)
    def list(self, request: Request) -> Response:
        """Every code that an error may have, with what it means and what would be right."""
        return Response(ProblemKindOut(list(_kinds()), many=True).data)

    @extend_schema(responses=ProblemKindOut)
    def retrieve(self, request: Request, code: str) -> Response:
        """What an error of this code means, and what would be right: the address that its `type` tells."""
        kind = next((kind for kind in _kinds() if kind["code"] == code), None)
        if kind is None:
            raise Missing("not_found", "There is no error of that code; /api/v1/problems/ has them all.")
        return Response(ProblemKindOut(kind).data)


def _kinds() -> Iterator[dict[str, Any]]:
    for code, kind in PROBLEMS.items():
        address = reverse("problem", args=[code])
        yield {
            "code": code,
            "type": address,
            "status": kind.status,
            "title": kind.title,
            "advice": kind.advice,
        }
