"""Accounts and tokens."""

from typing import Any

from rest_framework import serializers

from league.accounts.models import Token, User
from league.accounts.scopes import USUAL, Scope
from league.accounts.tokens import NAME
from league.api.fields import WholeNumber
from league.api.serializers.common import Body


def _password(text: str = "") -> serializers.CharField:
    return serializers.CharField(
        max_length=1000, trim_whitespace=False, style={"input_type": "password"}, help_text=text
    )


class Credentials(Body):
    """A name and a password."""

    username = serializers.CharField(max_length=200)
    password = _password()


class NewPassword(Body):
    """The password until now, and the one from now on."""

    old = _password("the password until now")
    new = _password("the password from now on")


class UserOut(serializers.ModelSerializer[User]):
    """A user."""

    created_at = serializers.DateTimeField(source="date_joined")

    class Meta:
        model = User
        fields = ("id", "username", "created_at")


class ScopesField(serializers.ListField):
    """Scopes, each once."""

    child = serializers.ChoiceField([(str(scope), scope.about) for scope in Scope])

    def to_representation(self, data: Any) -> list[str]:
        return [str(scope) for scope in Scope if scope in data]


class NewToken(Credentials):
    """Who logs in, and what the token is to be."""

    name = serializers.CharField(
        max_length=200, default=NAME, help_text="what you will know it by in your list: where it is used, say"
    )
    scopes = ScopesField(
        max_length=len(Scope),
        default=[str(scope) for scope in Scope if scope in USUAL],
        help_text="what it is good for; `admin` is for the staff",
    )
    days = WholeNumber(
        required=False,
        min_value=1,
        max_value=365,
        help_text="how long it is good; by default, as long as may be",
    )


class TokenOut(serializers.ModelSerializer[Token]):
    """A token, without its text: that is stored nowhere."""

    scopes = ScopesField()
    created_at = serializers.DateTimeField(source="created")
    expires_at = serializers.DateTimeField(source="expiry")
    last_used_at = serializers.DateTimeField(allow_null=True, help_text="to the minute; null: never")
    current = serializers.SerializerMethodField(
        help_text="whether it is the one that was sent with this request"
    )

    class Meta:
        model = Token
        fields = ("id", "name", "scopes", "created_at", "expires_at", "last_used_at", "current")

    def get_current(self, token: Token) -> bool:
        sent = self.context["request"].auth if "request" in self.context else None
        return isinstance(sent, Token) and sent.pk == token.pk


class NewTokenOut(TokenOut):
    """A new token; its text is shown this once."""

    token = serializers.CharField(help_text="to be sent as `Authorization: Bearer …`")

    class Meta(TokenOut.Meta):
        fields = ("token", *TokenOut.Meta.fields)  # type: ignore[assignment]


class QuotaOut(serializers.Serializer[Any]):
    """How much one has of something, and may have."""

    used = serializers.IntegerField()
    limit = serializers.IntegerField()
    unit = serializers.CharField(help_text="of both numbers")


class MeOut(UserOut):
    """The user whose token was sent."""

    is_staff = serializers.BooleanField(help_text="whether you act as staff: with a token that has `admin`")
    token = TokenOut(help_text="the one that was sent")
    quotas = serializers.DictField(child=QuotaOut(), help_text="by name: what you may have, and have now")

    class Meta(UserOut.Meta):
        fields = ("id", "username", "created_at", "is_staff", "token", "quotas")  # type: ignore[assignment]
