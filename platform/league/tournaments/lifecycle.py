"""Where a tournament is, and where each of its tables is."""

from enum import StrEnum

from league.common.lifecycle import Lifecycle


class TournamentStatus(StrEnum):
    """Where a tournament is.

    draft: seen by its organiser only · open: bots may enter · running: planned, being played · finished: all
    tables played · cancelled: by its organiser or an operator; what was completed stays.
    """

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


_T = TournamentStatus

TOURNAMENT = Lifecycle(
    _T,
    {
        _T.DRAFT: {_T.OPEN, _T.CANCELLED},
        _T.OPEN: {_T.RUNNING, _T.CANCELLED},
        _T.RUNNING: {_T.FINISHED, _T.CANCELLED},
        _T.FINISHED: set(),
        _T.CANCELLED: set(),
    },
)

#: The statuses in which seeds and records are public.
OVER = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)


class TableStatus(StrEnum):
    """Where a table is.

    queued: waits for a worker · playing: claimed by one · done: all its results are stored · parked: the
    platform failed too often, an operator must look · cancelled: with its tournament.
    """

    QUEUED = "queued"
    PLAYING = "playing"
    DONE = "done"
    PARKED = "parked"
    CANCELLED = "cancelled"


_S = TableStatus

TABLE = Lifecycle(
    _S,
    {
        _S.QUEUED: {_S.PLAYING, _S.CANCELLED},
        _S.PLAYING: {_S.DONE, _S.QUEUED, _S.PARKED, _S.CANCELLED},
        _S.DONE: set(),
        _S.PARKED: {_S.QUEUED, _S.CANCELLED},
        _S.CANCELLED: set(),
    },
)


class Format(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round_robin"
