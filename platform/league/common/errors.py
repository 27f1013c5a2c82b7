"""What can go wrong in the league, split first by whose fault it is.

::

    the bot's        no exception: a fault in a match's record (arena.seat.FaultKind), a rejected version
    the user's       UserError             a clear answer, nothing has changed
                       Invalid             400  what was sent is wrong; names the field
                       Forbidden           403  known, but not for this user
                       Missing             404  not there, or not for this user's eyes
                       Conflict            409  the present state doesn't allow it; `state` tells it
                         IllegalMove       409  a status that the lifecycle's table doesn't lead to
                       TooLarge            413
                       OverQuota           429  more than one user may have at a time
                       Unavailable         503  more than the site does for all at a time
    the platform's   PlatformFailure       (arena.errors) retried, never rated, nobody blamed
                       ArchiveLost         an uploaded archive is missing or altered on disk
    nobody's         Lost                  a claim that has ended: others have the row; a normal end
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from arena.errors import PlatformFailure
from league.common.problems import known


class UserError(Exception):
    """Something the user can put right.

    Attributes:
        code: stable, for programs: one of league.common.problems, of the class's status.
        message: a sentence, for people, that says what would be right.
        field: the name of what was wrong in the request, if it was one thing.
        state: of a conflict: how the thing is at present, as JSON: `{"status": "running"}`.
        retry_after_s: in how many seconds the same may succeed, where that is known.
    """

    http_status: ClassVar[int] = 400

    def __init__(
        self,
        code: str,
        message: str,
        field: str | None = None,
        *,
        state: Mapping[str, Any] | None = None,
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = known(code, self.http_status)
        self.message = message
        self.field = field
        self.state = state
        self.retry_after_s = retry_after_s


class Invalid(UserError):
    """What was sent is wrong."""


class Forbidden(UserError):
    """The thing is known to the user, who may not do this with it."""

    http_status = 403


class Missing(UserError):
    """Not there, or not for this user's eyes: the answer doesn't tell which."""

    http_status = 404


class Conflict(UserError):
    """The present state doesn't allow it; `state` tells it."""

    http_status = 409


class TooLarge(UserError):
    """Longer than allowed."""

    http_status = 413


class OverQuota(UserError):
    """More than one user may have at a time; the message tells how much that is."""

    http_status = 429


class Unavailable(UserError):
    """More than the site does for all at a time: nobody's fault, and the same may succeed soon."""

    http_status = 503


class IllegalMove(Conflict):
    """A move between two statuses that the lifecycle's table doesn't have."""

    def __init__(self, kind: str, old: str, new: str, state: Mapping[str, Any] | None = None) -> None:
        told = {"status": old} if state is None else state
        super().__init__("wrong_state", f"This {kind} is {old}; it can't become {new}.", state=told)
        self.old = old
        self.new = new


class ArchiveLost(PlatformFailure):
    """An archive that is missing on disk, or isn't what was stored."""

    def __init__(self, digest: str, what: str) -> None:
        super().__init__("archive_lost", f"archive {digest} {what}")


class Lost(Exception):
    """The claim on a row has ended: its lease ran out, or the row was cancelled. A normal end."""
