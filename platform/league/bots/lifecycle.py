"""Where a version is between its upload and its retirement."""

from enum import StrEnum

from league.common.lifecycle import Lifecycle


class VersionStatus(StrEnum):
    """Where a version is.

    received: waits for its check · checking · active: may be entered · rejected: by its own fault, with the
    reason · parked: the platform failed to check it, again and again · retired: by its owner ·
    disqualified: by an operator, who may make it active again.
    """

    RECEIVED = "received"
    CHECKING = "checking"
    ACTIVE = "active"
    REJECTED = "rejected"
    PARKED = "parked"
    RETIRED = "retired"
    DISQUALIFIED = "disqualified"


_S = VersionStatus

VERSION = Lifecycle(
    _S,
    {
        _S.RECEIVED: {_S.CHECKING, _S.RETIRED},
        _S.CHECKING: {_S.ACTIVE, _S.REJECTED, _S.RECEIVED, _S.PARKED},
        _S.ACTIVE: {_S.RETIRED, _S.DISQUALIFIED},
        _S.REJECTED: {_S.RETIRED},
        _S.PARKED: {_S.RECEIVED, _S.RETIRED},
        _S.RETIRED: set(),
        _S.DISQUALIFIED: {_S.ACTIVE, _S.RETIRED},
    },
)


class Outcome(StrEnum):
    """How one stage of a check ended."""

    PASSED = "passed"
    FAILED = "failed"
