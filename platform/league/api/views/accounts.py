"""Users and their tokens."""

from collections.abc import Iterable
from typing import Any, cast

from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from rest_framework import mixins, status
from rest_framework.authentication import BaseAuthentication
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from league.accounts import tokens
from league.accounts.models import Token
from league.accounts.quotas import usage
from league.accounts.services import change_password, sign_up
from league.api.failures import FIELDS, may
from league.api.idempotency import Kind
from league.api.permissions import NO_SCOPE, demand
from league.api.serializers.accounts import (
    Credentials,
    MeOut,
    NewPassword,
    NewToken,
    NewTokenOut,
    TokenOut,
    UserOut,
)
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
        creating = [throttle() for throttle in self.create_throttles]
        return creating if self._creates() else super().get_throttles()

    def _creates(self) -> bool:
        method = self.request.method if self.request else None
        return method is not None and self.action_map.get(method.lower()) == "create"


class Users(OpenToStrangers):
    """Users."""

    serializer_class = UserOut
    create_throttles = (SignUpThrottle,)
    scopes = dict.fromkeys(("create", "me", "password"), NO_SCOPE)
    repeatable = {"password": Kind.PLAIN}  # noqa: RUF012 - the old one is no more: a repeat is told so

    @may(*FIELDS, "bad_name", "weak_password", "name_taken")
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
        """Who the token sent belongs to, what it is good for, and how much of each quota is used."""
        user: Any = user_of(request)
        sent = request.auth if isinstance(request.auth, Token) else None  # a page's reader has none
        user.token, user.quotas = sent, usage(user)
        return Response(MeOut(user, context=self.get_serializer_context()).data)

    @may(*FIELDS, "weak_password", "bad_credentials")
    @extend_schema(request=NewPassword, responses={204: None})
    @action(detail=False, methods=["post"], url_path="me/password", throttle_classes=[AccountThrottle])
    def password(self, request: Request) -> Response:
        """Change your password. Every token of yours ends, this one too: log in with the new one."""
        given = NewPassword(data=request.data)
        given.is_valid(raise_exception=True)
        change_password(user_of(request), **given.validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Tokens(mixins.ListModelMixin, mixins.RetrieveModelMixin, OpenToStrangers):
    """Tokens: `Authorization: Bearer TOKEN`. One may end itself, and others that are good for no more."""

    queryset = Token.objects.none()
    serializer_class = TokenOut
    create_throttles = (LoginThrottle, AccountThrottle)
    scopes = dict.fromkeys(("create", "current", "destroy_current", "destroy", "destroy_all"), NO_SCOPE)

    def get_queryset(self) -> Any:
        if getattr(self, "swagger_fake_view", False):
            return self.queryset
        return Token.objects.filter(user=user_of(self.request))

    @may(*FIELDS, "bad_name", "bad_credentials", "bad_scope", "forbidden")
    @extend_schema(request=NewToken, responses={201: NewTokenOut}, auth=[])
    def create(self, request: Request) -> Response:
        """Log in: a new token, shown once."""
        given = NewToken(data=request.data)
        given.is_valid(raise_exception=True)
        data = given.validated_data
        user = authenticate(request, username=data.pop("username"), password=data.pop("password"))
        if user is None:
            raise Invalid("bad_credentials", "There is no user of that name with that password.")
        token, text = tokens.issue(user, **data)
        token.token = text
        return Response(NewTokenOut(token).data, status=status.HTTP_201_CREATED)

    @extend_schema(responses={200: TokenOut})
    def current(self, request: Request) -> Response:
        """The token sent."""
        return Response(self.get_serializer(request.auth).data)

    @extend_schema(responses={204: None})
    def destroy_current(self, request: Request) -> Response:
        """Log out: the token sent is no longer valid."""
        return self._end([cast(Token, request.auth)])

    @may("scope_missing")
    @extend_schema(responses={204: None})
    def destroy(self, request: Request, pk: str) -> Response:
        """End a token of yours."""
        return self._end([self.get_object()])

    @may("scope_missing")
    @extend_schema(responses={204: None})
    def destroy_all(self, request: Request) -> Response:
        """Log out everywhere: none of your tokens is valid any longer."""
        return self._end(self.get_queryset())

    def _end(self, some: Iterable[Token]) -> Response:
        some = list(some)
        demand(self.request, *(scope for token in some for scope in token.scopes))
        Token.objects.filter(pk__in=[token.pk for token in some]).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
