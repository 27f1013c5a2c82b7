"""How often one may ask: strangers who try names and passwords, and everybody, so that all get their turn.

The counts are in the cache. Without it nobody tries passwords (503), and everything else goes on uncounted.
"""

import logging
import time
from hashlib import sha256
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any, ClassVar

from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from league.accounts.scopes import Scope
from league.api.permissions import needed
from league.common.text import name_key

log = logging.getLogger(__name__)


class Throttle(SimpleRateThrottle):
    """Requests of one kind from one address: so many in a period, which begins with the first of them.

    The cache counts each in one step, so that all are counted that come at the same time. (A list of times
    that is read and written back, as the framework has it, takes those for one.)
    """

    kind = ""
    num_requests: Any
    duration: Any
    _wait_s = 0.0

    def get_rate(self) -> str:
        """As the settings have it now."""
        rates: Any = api_settings.DEFAULT_THROTTLE_RATES
        return str(rates[self.scope])

    def get_ident(self, request: Any) -> str:
        """The address; of IPv6 the network, as one visitor has 2^64 of them."""
        text: str = super().get_ident(request)
        try:
            address = ip_address(text)
        except ValueError:
            return text
        return str(IPv6Network((address, 64), strict=False)) if isinstance(address, IPv6Address) else text

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return self.counter(self.get_ident(request))

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether it may be answered. Raises RedisError."""
        key = self.get_cache_key(request, view)
        if key is None:
            return True
        now = self.timer()
        began = self.cache.get_or_set(f"{key}:began", now, self.duration) or now
        self._wait_s = min(self.duration, began + self.duration - now)
        here = f"{key}:{began}"
        self.cache.add(here, 0, 2 * self.duration)
        return bool(self.cache.incr(here) <= self.num_requests)

    def wait(self) -> float:
        """In how many seconds one may ask again."""
        return max(1.0, self._wait_s)

    def counter(self, ident: object) -> str:
        """Where the requests of one are counted."""
        return str(self.cache_format % {"scope": self.kind or self.scope, "ident": ident})


class SignUpThrottle(Throttle):
    """Sign-ups from one address."""

    scope = "sign_up"


class LoginThrottle(Throttle):
    """Log-ins from one address."""

    scope, kind = "login", "login_from"


class AccountThrottle(Throttle):
    """Passwords tried for one account, from wherever; whether the account exists makes no difference."""

    scope, kind = "login", "login_to"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        name = request.data.get("username") if isinstance(request.data, dict) else None
        if request.user.is_authenticated:
            name = request.user.get_username()
        if not isinstance(name, str):
            return None
        return self.counter(sha256(name_key(name).encode("utf-8", "replace")).hexdigest())


class FairThrottle(Throttle):
    """All requests: of a user by the scope that they need, of a visitor by address."""

    #: After the cache failed, it isn't asked for so long: when it hangs, each try would take seconds.
    REST_S = 5.0
    asked_again_at: ClassVar[float] = 0.0

    def __init__(self) -> None:
        """The rate is not known before the request is."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether the request may be answered; always, while nothing can be counted."""
        if time.monotonic() < FairThrottle.asked_again_at:
            return True
        self.scope = self._scope(request, view)
        self.rate = self.get_rate()
        self.num_requests, self.duration = self.parse_rate(self.rate)
        try:
            return super().allow_request(request, view)
        except RedisError as error:
            log.warning("requests are not counted: the cache does not answer (%s)", error)
            FairThrottle.asked_again_at = time.monotonic() + self.REST_S
            return True

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return self.counter(request.user.pk if request.user.is_authenticated else self.get_ident(request))

    def _scope(self, request: Request, view: Any) -> str:
        if not request.user.is_authenticated:
            return "anonymous"
        scopes = needed(view, request.method or "", getattr(view, "action", None)) or ()
        return str(next((scope for scope in reversed(Scope) if scope in scopes), Scope.READ))
