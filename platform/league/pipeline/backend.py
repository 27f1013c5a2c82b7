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
#: Failures of the platform's that say nothing about the sandbox: a bot's archive is lost, or can't be stored.
_OF_ARCHIVES = "archive_"
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


#: What the sandbox failed with in this process since it was last seen to work.
_doubts: list[str] = []


def doubt(failure: PlatformFailure) -> None:
    """Note that the platform failed at a table or a check: `away` looks at the sandbox before the next."""
    if not failure.code.startswith(_OF_ARCHIVES):
        _doubts.append(str(failure))


def away() -> str | None:
    """Why nothing should be claimed by this process now: its sandbox failed, and does not work yet.

    So while an engine is away, or a disk full, what waits stays queued, and is not parked.
    """
    if not _doubts:
        return None
    try:
        reason = backend().available()
    except PlatformFailure as failure:
        reason = str(failure)
    if reason is None:
        _doubts.clear()
    return reason


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
