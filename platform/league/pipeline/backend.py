"""The sandbox backend of this process, chosen once."""

import logging
from functools import cache

from django.conf import settings

from arena.errors import PlatformFailure
from sandbox.backends import SandboxUnavailable, choose
from sandbox.session import Backend

log = logging.getLogger(__name__)


@cache
def backend() -> Backend:
    """The backend that SANDBOX names, or the best one for `auto`; what killed workers left is cleared away.

    Raises PlatformFailure where none works.
    """
    try:
        chosen = choose(settings.SANDBOX)
    except SandboxUnavailable as error:
        raise PlatformFailure("sandbox_unavailable", str(error)) from error
    for leftover in chosen.tidy():
        log.warning("cleared away: %s", leftover)
    return chosen
