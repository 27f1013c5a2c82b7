"""Where a tournament is, where each of its tables, and where each entrant."""

from collections.abc import Mapping
from enum import StrEnum

from arena.schedule.plan import Format
from league.common.lifecycle import Lifecycle


class TournamentStatus(StrEnum):
    """Where a tournament is.

    draft: seen by its organiser only · open: bots may enter · running: planned, being played · paused: tables
    in hand are played to their end, no other begins · finished: nothing is left to play; more boards start it
    again · cancelled: by its organiser or an operator; what was completed stays.
    """

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


_T = TournamentStatus

TOURNAMENT = Lifecycle(
    _T,
    {
        _T.DRAFT: {_T.OPEN, _T.CANCELLED},
        _T.OPEN: {_T.RUNNING, _T.CANCELLED},
        _T.RUNNING: {_T.PAUSED, _T.FINISHED, _T.CANCELLED},
        _T.PAUSED: {_T.RUNNING, _T.CANCELLED},
        _T.FINISHED: {_T.RUNNING},
        _T.CANCELLED: set(),
    },
)

#: The statuses in which seeds and records are public.
OVER = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
#: Those of a tournament that has begun and isn't over.
UNDER_WAY = (TournamentStatus.RUNNING, TournamentStatus.PAUSED)

#: What may be done to a tournament of each status, by the names that the API has for it.
ACTIONS: Mapping[TournamentStatus, tuple[str, ...]] = {
    _T.DRAFT: ("open", "cancel"),
    _T.OPEN: ("enter", "withdraw", "start", "cancel"),
    _T.RUNNING: ("enter", "withdraw", "pause", "extend", "finish", "replay", "cancel"),
    _T.PAUSED: ("enter", "withdraw", "resume", "extend", "finish", "replay", "cancel"),
    _T.FINISHED: ("extend",),
    _T.CANCELLED: (),
}
#: The formats of one round: more boards change nothing of their plan.
EXTENDABLE = (Format.ROUND_ROBIN, Format.GAUNTLET, Format.DUEL)


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


#: The statuses of a table that its tournament waits for.
UNFINISHED = (TableStatus.QUEUED, TableStatus.PLAYING, TableStatus.PARKED)

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


class EntrantStatus(StrEnum):
    """Where an entrant is. Only one that is entered plays on; what it completed stays.

    entered: takes part · withdrawn: by its owner, the organiser or an operator · disqualified: its seat was
    vacated in too many matches in a row, or an operator put it out.
    """

    ENTERED = "entered"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"


_E = EntrantStatus

ENTRANT = Lifecycle(
    _E,
    {
        _E.ENTERED: {_E.WITHDRAWN, _E.DISQUALIFIED},
        _E.WITHDRAWN: {_E.ENTERED},
        _E.DISQUALIFIED: set(),
    },
)
