"""Users and their tokens."""

from typing import Any

from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from knox.models import AuthToken
from rest_framework import status
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from league.accounts.services import sign_up
from league.api.serializers.accounts import Credentials, MeOut, TokenOut, UserOut
from league.api.throttles import AccountThrottle, LoginThrottle, SignUpThrottle
from league.api.views.common import View, user_of
from league.common.errors import Invalid


class OpenToStrangers(View):
    """A view whose `create` takes no token, so that a stale one can't spoil it, but is throttled."""

    create_throttles: tuple[type[BaseThrottle], ...] = ()

    def get_authenticators(self) -> list[BaseAuthentication]:
        return [] if self._creates() else super().get_authenticators()

    def get_permissions(self) -> Any:
        return [] if self._creates() else super().get_permissions()

    def get_throttles(self) -> list[BaseThrottle]:
        return [throttle() for throttle in self.create_throttles] if self._creates() else []

    def _creates(self) -> bool:
        method = self.request.method if self.request else None
        return method is not None and self.action_map.get(method.lower()) == "create"


class Users(OpenToStrangers):
    """Users."""

    serializer_class = UserOut
    create_throttles = (SignUpThrottle,)

    @extend_schema(request=Credentials, responses={201: UserOut}, auth=[])
    def create(self, request: Request) -> Response:
        """Sign up."""
        given = Credentials(data=request.data)
        given.is_valid(raise_exception=True)
        user = sign_up(**given.validated_data)
        return Response(UserOut(user).data, status=status.HTTP_201_CREATED)

    @extend_schema(responses=MeOut)
    @action(detail=False)
    def me(self, request: Request) -> Response:
        """Who the token sent belongs to."""
        return Response(MeOut(user_of(request)).data)


class Tokens(OpenToStrangers):
    """Tokens: `Authorization: Bearer TOKEN`."""

    serializer_class = TokenOut
    create_throttles = (LoginThrottle, AccountThrottle)

    @extend_schema(request=Credentials, responses={201: TokenOut}, auth=[])
    def create(self, request: Request) -> Response:
        """Log in: a new token, shown once."""
        given = Credentials(data=request.data)
        given.is_valid(raise_exception=True)
        user = authenticate(request, **given.validated_data)
        if user is None:
            raise Invalid("bad_credentials", "There is no user of that name with that password.")
        token, text = AuthToken.objects.create(user)
        return Response(
            TokenOut({"token": text, "expires_at": token.expiry}).data, status=status.HTTP_201_CREATED
        )

    @extend_schema(responses={204: None})
    @action(detail=False, methods=["delete"])
    def current(self, request: Request) -> Response:
        """Log out: the token sent is no longer valid."""
        request.auth.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(responses={204: None}, operation_id="tokens_destroy_all")
    def destroy_all(self, request: Request) -> Response:
        """Log out everywhere: none of your tokens is valid any longer."""
        AuthToken.objects.filter(user=user_of(request)).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
