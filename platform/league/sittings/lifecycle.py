"""Where a sitting is."""

from enum import StrEnum

from league.common.lifecycle import Lifecycle


class SittingStatus(StrEnum):
    """Where a sitting is.

    waiting: for a worker to play it, or to play on · playing: a worker has it · over: played to its end ·
    abandoned: its person has left, or was away for too long · parked: the platform failed, nobody is blamed.
    """

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"
    ABANDONED = "abandoned"
    PARKED = "parked"


_S = SittingStatus
#: Those that are not over.
OPEN = (_S.WAITING, _S.PLAYING)

SITTING = Lifecycle(
    _S,
    {
        _S.WAITING: {_S.PLAYING, _S.ABANDONED},
        _S.PLAYING: {_S.OVER, _S.WAITING, _S.ABANDONED, _S.PARKED},
        _S.OVER: set(),
        _S.ABANDONED: set(),
        _S.PARKED: set(),
    },
)
