"""The sandbox of this machine: examined when a play worker starts, chosen once in each of its processes."""

import logging
from functools import cache

from django.conf import settings

from arena.errors import PlatformFailure
from sandbox.backends import SandboxUnavailable, choose
from sandbox.contract import DENIALS, examine
from sandbox.session import Backend

log = logging.getLogger(__name__)
#: As many as the largest table has seats.
_SPARES = 6
#: Side by side: of little use for more than two cores, and a bomb among them is to hold up nobody.
_AT_ONCE = 4


@cache
def backend() -> Backend:
    """The backend that SANDBOX names, or the best one for `auto`.

    Raises PlatformFailure where none works.
    """
    try:
        return choose(settings.SANDBOX, spares=_SPARES)
    except SandboxUnavailable as error:
        raise PlatformFailure("sandbox_unavailable", str(error)) from error


def examined() -> Backend:
    """A backend that was seen to deny what a bot is denied, in this very process and now.

    Raises PlatformFailure, with what was seen and what to do, where one behaviour is missing or none works.
    """
    try:
        found = choose(settings.SANDBOX)
    except SandboxUnavailable as error:
        raise PlatformFailure("sandbox_unavailable", str(error)) from error
    broken = [
        f"{each.name} ({each.problem})" for each in examine(found, DENIALS, at_once=_AT_ONCE) if each.problem
    ]
    if broken:
        todo = "put it right, see docs/sandbox.md; `manage.py sandbox_check` tries all of it"
        raise PlatformFailure("sandbox_broken", f"{found.name} does not show {'; '.join(broken)}: {todo}")
    return found


def tidy(confined: Backend) -> None:
    """Clear away what killed workers left; where that fails it is noted, and tried again the next time."""
    try:
        for leftover in confined.tidy():
            log.warning("cleared away: %s", leftover)
    except PlatformFailure as failure:
        log.warning("nothing could be cleared away: %s", failure)
