"""Accounts and tokens."""

from typing import Any

from rest_framework import serializers

from league.accounts.models import User


class Credentials(serializers.Serializer[Any]):
    """A name and a password."""

    username = serializers.CharField(max_length=200)
    password = serializers.CharField(max_length=1000, trim_whitespace=False, style={"input_type": "password"})


class UserOut(serializers.ModelSerializer[User]):
    """A user."""

    created_at = serializers.DateTimeField(source="date_joined")

    class Meta:
        model = User
        fields = ("id", "username", "created_at")


class MeOut(UserOut):
    """The user whose token was sent."""

    class Meta(UserOut.Meta):
        fields = ("id", "username", "created_at", "is_staff")  # type: ignore[assignment]


class TokenOut(serializers.Serializer[Any]):
    """A token: shown once."""

    token = serializers.CharField()
    expires_at = serializers.DateTimeField()
