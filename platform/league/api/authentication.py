"""Tokens."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxAuthentication):
    """`Authorization: Bearer TOKEN`. Cookies play no part, so no other site can act for a visitor."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """The token's user and the token. Raises AuthenticationFailed."""
        if not (token.isascii() and token.isalnum()):
            raise AuthenticationFailed("Invalid token.")
        return super().authenticate_credentials(token)


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes it."""

    target_class = "league.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return build_bearer_security_scheme_object(header_name="Authorization", token_prefix="Bearer")  # noqa: S106
