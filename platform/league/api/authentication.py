"""Tokens."""

from typing import Any

from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed

from league.accounts.models import Token
from league.accounts.scopes import Scope
from league.accounts.tokens import used


class TokenAuthentication(KnoxAuthentication):
    """`Authorization: Bearer TOKEN`. Cookies play no part, so no other site can act for a visitor."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """The token's user and the token. Raises AuthenticationFailed.

        Without the scope `admin` somebody of the staff is a user like any other, wherever that is asked.
        """
        if not (token.isascii() and token.isalnum()):
            raise AuthenticationFailed("Invalid token.")
        user, row = super().authenticate_credentials(token)
        used(row)
        if Scope.ADMIN not in row.scopes and (user.is_staff or user.is_superuser):
            user.as_anyone()
        return user, row

    def _cleanup_token(self, token: Token) -> bool:
        """Whether it has expired. The library would read, and clean up, all of the user's each time."""
        return bool(token.expiry < timezone.now())


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes it."""

    target_class = "league.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return build_bearer_security_scheme_object(header_name="Authorization", token_prefix="Bearer")  # noqa: S106
