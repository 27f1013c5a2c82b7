"""Bots and their versions."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.scopes import Scope
from league.api import filters
from league.api.parsers import UploadParser
from league.api.serializers.bots import BotOut, NewBot, Upload, VersionOut, VersionSummary
from league.api.views.common import View, user_of
from league.bots import selectors, services, store
from league.bots.models import Version
from league.common.errors import TooLarge
from league.pipeline.submit import submit_bot


class Bots(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Bots."""

    queryset = selectors.bots().order_by("id")
    serializer_class = BotOut
    permission_classes = (IsAuthenticatedOrReadOnly,)
    scopes = Scope.SUBMIT
    filterset_class = filters.BotFilter
    ordering_fields = ("name", "created_at")

    @extend_schema(request=NewBot, responses={201: BotOut})
    def create(self, request: Request) -> Response:
        """Make a bot; its program comes with its first version."""
        given = NewBot(data=request.data)
        given.is_valid(raise_exception=True)
        bot = services.create_bot(user_of(request), given.validated_data["name"])
        return Response(BotOut(selectors.bots().get(pk=bot.pk)).data, status=status.HTTP_201_CREATED)


class BotVersions(View):
    """The versions of one bot; for its owner and staff."""

    serializer_class = VersionSummary
    queryset = Version.objects.none()
    scopes = Scope.SUBMIT
    parser_classes = (UploadParser,)
    filterset_class = filters.VersionFilter
    ordering_fields = ("number", "created_at")

    def get_queryset(self) -> Any:
        bot = selectors.own_bot(user_of(self.request), int(self.kwargs["bot_id"]))
        return selectors.versions_for(user_of(self.request)).filter(bot=bot)

    def list(self, request: Request, bot_id: str) -> Response:
        """The bot's versions."""
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset()))
        return self.get_paginated_response(VersionSummary(page, many=True).data)

    @extend_schema(
        request={"multipart/form-data": Upload},
        responses={201: VersionOut, 200: VersionOut},
        description="Upload a version: one source file, or a zip. It is checked, then active or rejected. "
        "Sending the newest version once more makes no second one: the answer is 200, and the same.",
    )
    def create(self, request: Request, bot_id: str) -> Response:
        """Upload a version."""
        bot = selectors.own_bot(user_of(request), int(bot_id))
        given = Upload(data=request.data)
        given.is_valid(raise_exception=True)
        file = given.validated_data["file"]
        if file.size > settings.UPLOAD_MAX_KIB * 1024:
            raise TooLarge("too_large", f"An upload may have {settings.UPLOAD_MAX_KIB} KiB.", "file")
        version, new = submit_bot(bot, file.read(), file.name)
        return Response(
            VersionOut(version).data, status=status.HTTP_201_CREATED if new else status.HTTP_200_OK
        )


class Versions(mixins.RetrieveModelMixin, View):
    """One version, its check and its source; for its owner and staff."""

    queryset = Version.objects.none()
    serializer_class = VersionOut

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return selectors.versions_for(user_of(self.request)).prefetch_related("checks")

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True)
    def source(self, request: Request, pk: str) -> HttpResponse:
        """The program, as a zip."""
        version = self.get_object()
        name = f"version-{version.pk}.zip"
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "private, no-store",
        }
        return HttpResponse(store.get(version.archive), content_type="application/zip", headers=headers)
