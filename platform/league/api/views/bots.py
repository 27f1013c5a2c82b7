"""Bots and their versions."""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.models import User
from league.accounts.scopes import Scope
from league.api import filters
from league.api.caching import HEADER, SECRET, quoted, tagged
from league.api.failures import FIELDS, UPLOADS, may
from league.api.parsers import UploadParser
from league.api.serializers.bots import (
    BotOut,
    CheckOut,
    FaultsOut,
    NewBot,
    Upload,
    UploadedOut,
    VersionOut,
    VersionSummary,
)
from league.api.serializers.recent import RecentOut
from league.api.views.common import View, found, known_user, user_of
from league.bots import selectors, services, store
from league.bots.models import Bot, Version
from league.common.errors import TooLarge
from league.matches.faults import faults_of
from league.matches.recent import recent
from league.pipeline.submit import submit_bot


class Bots(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Bots."""

    queryset = selectors.bots().order_by("id")
    serializer_class = BotOut
    permission_classes = (IsAuthenticatedOrReadOnly,)
    scopes = Scope.SUBMIT
    filterset_class = filters.BotFilter
    ordering_fields = ("name", "created_at")

    @may(*FIELDS, "bad_name", "name_taken")
    @extend_schema(request=NewBot, responses={201: BotOut})
    def create(self, request: Request) -> Response:
        """Make a bot; its program comes with its first version."""
        given = NewBot(data=request.data)
        given.is_valid(raise_exception=True)
        bot = services.create_bot(user_of(request), given.validated_data["name"])
        return Response(BotOut(selectors.bots().get(pk=bot.pk)).data, status=status.HTTP_201_CREATED)

    @extend_schema(responses=FaultsOut(many=True), filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None, ordering_fields=())
    def faults(self, request: Request, pk: str) -> Response:
        """Its faults in all matches, by kind, the most frequent first."""
        return Response(FaultsOut(faults_of(found(Bot.objects.all(), pk=int(pk))), many=True).data)


class BotVersions(View):
    """The versions of one bot. Others than its owner and staff see those that may play, or might once."""

    serializer_class = VersionSummary
    queryset = Version.objects.none()
    scopes = Scope.SUBMIT
    permission_classes = (IsAuthenticatedOrReadOnly,)
    parser_classes = (UploadParser,)
    filterset_class = filters.VersionFilter
    ordering_fields = ("number", "created_at")

    def get_queryset(self) -> Any:
        bot = found(Bot.objects.all(), pk=int(self.kwargs["bot_id"]))
        return selectors.versions_seen_by(known_user(self.request)).filter(bot=bot)

    def get_serializer_context(self) -> dict[str, Any]:
        return looking_with(known_user(self.request))

    def list(self, request: Request, bot_id: str) -> Response:
        """The bot's versions."""
        return self.page(self.filter_queryset(self.get_queryset()), VersionSummary)

    @may(*UPLOADS)
    @extend_schema(
        request={"multipart/form-data": Upload},
        responses={201: UploadedOut, 200: UploadedOut},
        description="Upload a version: one source file, or a zip. It is checked, then active or rejected. "
        "Sending the newest version once more makes no second one: the answer is 200, with `new` false.",
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
        told: Any = version
        told.new = new
        return Response(UploadedOut(told).data, status=status.HTTP_201_CREATED if new else status.HTTP_200_OK)


def looking_with(user: User | None) -> dict[str, Any]:
    """The serializers' context: what of a version is for this user's eyes."""
    return {"looks_into": partial(selectors.may_look_into, user=user)}


class Versions(View):
    """One version; its check, its logs and its source for its owner and staff."""

    queryset = Version.objects.none()
    serializer_class = VersionOut
    permission_classes = (IsAuthenticatedOrReadOnly,)

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return selectors.versions_seen_by(known_user(self.request))

    def get_serializer_context(self) -> dict[str, Any]:
        return looking_with(known_user(self.request))

    def retrieve(self, request: Request, pk: str) -> Response:
        """A version; what its check found, with the logs, for its owner and staff."""
        version = found(self.get_queryset(), pk=int(pk))
        own = selectors.may_look_into(version, known_user(request))
        return Response(self.get_serializer(version).data, headers={HEADER: SECRET} if own else None)

    @extend_schema(responses=CheckOut(many=True))
    @action(detail=True, permission_classes=[IsAuthenticated], pagination_class=None)
    def stages(self, request: Request, pk: str) -> Response:
        """The stages of its check, in order, each with its log; for its owner and staff."""
        return Response(CheckOut(self._own().checks.order_by("position"), many=True).data)

    @extend_schema(responses=RecentOut)
    @action(detail=True)
    def recent(self, request: Request, pk: str) -> Response:
        """How it did in its latest matches: by seat, its best and worst boards, the matches it lost most."""
        return Response(RecentOut(recent(found(self.get_queryset(), pk=int(pk)))).data)

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    @action(detail=True, permission_classes=[IsAuthenticated])
    def source(self, request: Request, pk: str) -> HttpResponseBase:
        """The program, as a zip; for its owner and staff."""
        version = self._own()
        headers = {"Content-Disposition": f'attachment; filename="version-{version.pk}.zip"'}
        return tagged(
            request,
            quoted(version.archive),
            lambda: HttpResponse(store.get(version.archive), content_type="application/zip", headers=headers),
        )

    def _own(self) -> Version:
        return found(selectors.versions_for(user_of(self.request)), pk=int(self.kwargs["pk"]))
