"""Where a webhook is, and where each of its deliveries."""

from enum import StrEnum

from league.common.lifecycle import Lifecycle


class WebhookStatus(StrEnum):
    """Where a webhook is. Only an active one is told what happens.

    active · paused: by its owner · disabled: by the league, since it kept failing or said that it is gone;
    its owner may switch it on again · blocked: by an operator, who alone may lift that · deleted: by its
    owner, for whom it is gone. The row goes a day later, when no transaction can still write events for it.
    """

    ACTIVE = "active"
    PAUSED = "paused"
    DISABLED = "disabled"
    BLOCKED = "blocked"
    DELETED = "deleted"


_W = WebhookStatus

WEBHOOK = Lifecycle(
    _W,
    {
        _W.ACTIVE: {_W.PAUSED, _W.DISABLED, _W.BLOCKED, _W.DELETED},
        _W.PAUSED: {_W.ACTIVE, _W.BLOCKED, _W.DELETED},
        _W.DISABLED: {_W.ACTIVE, _W.PAUSED, _W.BLOCKED, _W.DELETED},
        _W.BLOCKED: {_W.ACTIVE, _W.DELETED},
        _W.DELETED: set(),
    },
)


class DeliveryStatus(StrEnum):
    """Where a delivery is.

    waiting: to be sent when it is due · sending: a worker has it · delivered: answered with 2xx · failed:
    given up. The last two may be sent again by the webhook's owner.
    """

    WAITING = "waiting"
    SENDING = "sending"
    DELIVERED = "delivered"
    FAILED = "failed"


_D = DeliveryStatus

DELIVERY = Lifecycle(
    _D,
    {
        _D.WAITING: {_D.SENDING, _D.FAILED},
        _D.SENDING: {_D.DELIVERED, _D.WAITING, _D.FAILED},
        _D.DELIVERED: {_D.WAITING},
        _D.FAILED: {_D.WAITING},
    },
)
