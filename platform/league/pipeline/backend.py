"""The sandbox backend of this process, chosen once."""

from functools import cache

from django.conf import settings

from arena.errors import PlatformFailure
from sandbox.backends import SandboxUnavailable, choose
from sandbox.session import Backend


@cache
def backend() -> Backend:
    """The backend that SANDBOX names, or the best one for `auto`. Raises PlatformFailure where none works."""
    try:
        return choose(settings.SANDBOX)
    except SandboxUnavailable as error:
        raise PlatformFailure("sandbox_unavailable", str(error)) from error
