"""Sittings: a person plays a match against bots. Each is its person's alone."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.scopes import Scope
from league.api.failures import FIELDS, may
from league.api.serializers.sittings import Answer, NewSitting, SittingOut, SittingSummary
from league.api.views.common import View, found, known_user, user_of
from league.common.errors import Conflict
from league.pipeline import sit
from league.sittings import selectors, services
from league.sittings.models import Sitting

#: Whoever works with bots or with tournaments may play.
EITHER = frozenset({Scope.SUBMIT, Scope.ORGANISE})


class Sittings(View):
    """Sittings. They are not rated, and in no list of matches."""

    queryset = Sitting.objects.none()
    serializer_class = SittingOut
    scopes = dict.fromkeys(("create", "answer", "destroy"), EITHER)

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return selectors.sittings_of(known_user(self.request))

    @extend_schema(responses=SittingSummary(many=True))
    def list(self, request: Request) -> Response:
        """Your sittings, the newest first."""
        rows = self.paginate_queryset(self.get_queryset().defer("record", "course")) or []
        context = {"versions": selectors.versions_in(rows)}
        return self.get_paginated_response(SittingSummary(rows, many=True, context=context).data)

    @may(*FIELDS, "bad_rules", "bad_number", "not_active", "quota", "unavailable")
    @extend_schema(request=NewSitting, responses={201: SittingOut})
    def create(self, request: Request) -> Response:
        """Sit down with bots: they come as soon as a worker has time, then you are asked.

        Your bids and cards have no clock, but who is away for long has left. One sitting at a time.
        """
        given = NewSitting(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        made = sit.begin(user_of(request), data["rules"], data["versions"], data.get("seat"))
        return Response(SittingOut(made).data, status=status.HTTP_201_CREATED)

    def retrieve(self, request: Request, pk: str) -> Response:
        """A sitting of yours: what you have seen, and what you are asked."""
        return Response(SittingOut(self._one()).data)

    @may(*FIELDS, "bad_number", "illegal_answer", "not_asked")
    @extend_schema(request=Answer, responses=SittingOut)
    @action(detail=True, methods=["post"], url_path="answers", url_name="answers")
    def answer(self, request: Request, pk: str) -> Response:
        """Bid, or play a card. 409 where that is not, or no longer, the question."""
        sitting = self._one()
        given = Answer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(SittingOut(services.answer(sitting, **given.validated_data)).data)

    def destroy(self, request: Request, pk: str) -> Response:
        """Get up before the end; the cards that were dealt stay secret."""
        services.leave(self._one(), by=user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @may("wrong_state")
    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT})
    @action(detail=True)
    def record(self, request: Request, pk: str) -> HttpResponse:
        """The record (record.md), byte for byte, when it is over."""
        sitting = self._one()
        if sitting.record is None:
            raise Conflict(
                "wrong_state", f"It is {sitting.status}: there is no record.", state=sitting.state()
            )
        headers = {"Content-Disposition": f'inline; filename="sitting-{sitting.pk}.json"'}
        return HttpResponse(bytes(sitting.record), content_type="application/json", headers=headers)

    def _one(self) -> Sitting:
        return found(selectors.sittings_of(user_of(self.request)), pk=int(self.kwargs["pk"]))
