"""How often strangers may try."""

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from league.common.text import name_key


class SignUpThrottle(SimpleRateThrottle):
    """Sign-ups from one address."""

    scope = "sign_up"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class LoginThrottle(SimpleRateThrottle):
    """Log-ins from one address."""

    scope = "login"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return self.cache_format % {"scope": "login_from", "ident": self.get_ident(request)}


class AccountThrottle(LoginThrottle):
    """Log-ins to one account, from wherever; whether the account exists makes no difference."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        name = request.data.get("username") if isinstance(request.data, dict) else None
        if not isinstance(name, str):
            return None
        ident = name_key(name[:200]).encode("utf-8", "replace").hex()
        return self.cache_format % {"scope": "login_to", "ident": ident}
