"""Webhooks: what happens is sent to their owners' own servers."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import mixins, status
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.scopes import Scope
from league.api.failures import FIELDS, may
from league.api.filters import DeliveryFilter
from league.api.idempotency import Kind
from league.api.serializers.webhooks import (
    DeliveryOut,
    DeliverySummary,
    NewWebhook,
    WebhookChange,
    WebhookOut,
    WebhookSecretOut,
)
from league.api.views.common import ID, View, found, user_of
from league.pipeline import deliver
from league.webhooks import services
from league.webhooks.models import Delivery, Webhook

#: They tell of bots and of tournaments: whoever works with either may have them.
EITHER = frozenset({Scope.SUBMIT, Scope.ORGANISE})
#: What may be wrong with an address.
URL = ("bad_url", "bad_port", "not_https", "address_refused")
DELIVERY = OpenApiParameter("delivery", int, OpenApiParameter.PATH)


class Webhooks(mixins.ListModelMixin, mixins.RetrieveModelMixin, View):
    """Webhooks; each is its owner's alone."""

    queryset = Webhook.objects.none()
    serializer_class = WebhookOut
    scopes = dict.fromkeys(("create", "partial_update", "destroy", "ping", "secret", "redeliver"), EITHER)
    repeatable = {"create": Kind.SECRET, "secret": Kind.SECRET}  # noqa: RUF012 - never changed
    waits = {"create": "_check_new", "partial_update": "_check_change"}  # noqa: RUF012 - never changed

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return services.webhooks_of(user_of(self.request))

    @may(*FIELDS, "unknown_field", *URL, "quota")
    @extend_schema(request=NewWebhook, responses={201: WebhookSecretOut})
    def create(self, request: Request) -> Response:
        """Make a webhook: from now on what happens is sent there, signed with the secret shown this once.

        Its host must have public addresses only. One that fails again and again, or answers 410, is disabled.
        """
        given = NewWebhook(data=request.data)
        given.is_valid(raise_exception=True)
        made = services.create(user_of(request), **given.validated_data)
        return Response(WebhookSecretOut(made).data, status=status.HTTP_201_CREATED)

    @may(*FIELDS, "unknown_field", *URL, "wrong_state", "webhook_blocked")
    @extend_schema(request=WebhookChange, responses=WebhookOut)
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change its address or its events, pause it, or switch it on again. What is left out stays."""
        given = WebhookChange(data=request.data)
        given.is_valid(raise_exception=True)
        data = dict(given.validated_data)
        active = data.pop("active", None)
        webhook = services.change(self.get_object(), **data)
        if active is not None:
            webhook = (services.enable if active else services.pause)(webhook, user_of(request))
        return Response(WebhookOut(webhook).data)

    def destroy(self, request: Request, pk: str) -> Response:
        """Delete it, and the log of its deliveries."""
        services.delete(self.get_object(), user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    @may("webhook_off")
    @extend_schema(request=None, responses={202: DeliveryOut})
    @action(detail=True, methods=["post"])
    def ping(self, request: Request, pk: str) -> Response:
        """Have a `webhook.ping` sent, once; while one waits to be sent, that is it."""
        return _accepted(deliver.ping(self.get_object()))

    @extend_schema(request=None, responses=WebhookSecretOut)
    @action(detail=True, methods=["post"])
    def secret(self, request: Request, pk: str) -> Response:
        """Give it a new secret, shown this once; for a day what is sent is signed with the old one, too."""
        return Response(WebhookSecretOut(services.rotate(self.get_object())).data)

    @extend_schema(responses=DeliverySummary(many=True))
    @action(
        detail=True,
        lists=True,
        filterset_class=DeliveryFilter,
        ordering_fields=(),
        serializer_class=DeliverySummary,
        queryset=Delivery.objects.none(),
    )
    def deliveries(self, request: Request, pk: str) -> Response:
        """What it was sent, or is to be, and what became of that: the newest first, for 30 days."""
        return self.page(self.filter_queryset(self._log()), DeliverySummary)

    @extend_schema(responses=DeliveryOut, parameters=[DELIVERY])
    @action(detail=True, url_path=f"deliveries/(?P<delivery>{ID})", url_name="delivery")
    def delivery(self, request: Request, pk: str, delivery: str) -> Response:
        """One delivery, with what is sent."""
        return Response(DeliveryOut(found(self._log(), pk=int(delivery))).data)

    @may("webhook_off")
    @extend_schema(request=None, responses={202: DeliveryOut}, parameters=[DELIVERY])
    @action(detail=True, methods=["post"], url_path=f"deliveries/(?P<delivery>{ID})/redeliver")
    def redeliver(self, request: Request, pk: str, delivery: str) -> Response:
        """Send once more what was delivered or given up: the same bytes with the same id."""
        again = found(self._log(), pk=int(delivery))
        return _accepted(deliver.redeliver(again, user_of(request)))

    def _check_new(self, request: Request) -> None:
        """A name may take seconds to be resolved: that holds up no transaction."""
        given = NewWebhook(data=request.data)
        given.is_valid(raise_exception=True)
        services.check_url(given.validated_data["url"])

    def _check_change(self, request: Request) -> None:
        given = WebhookChange(data=request.data)
        given.is_valid(raise_exception=True)
        self.get_object()
        if (url := given.validated_data.get("url")) is not None:
            services.check_url(url)

    def _log(self) -> Any:
        webhook = found(services.webhooks_of(user_of(self.request)), pk=int(self.kwargs["pk"]))
        return webhook.deliveries.select_related("webhook").order_by("-id")


def _accepted(delivery: Delivery) -> Response:
    return Response(DeliveryOut(delivery).data, status=status.HTTP_202_ACCEPTED)
