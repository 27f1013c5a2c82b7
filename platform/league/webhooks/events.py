"""What webhooks are told: which changes, whom they concern, and what is said about them.

A type is a resource and what became of it, `tournament.finished` say: the status that it has then. What is
said is what a GET of it answers to anybody who may see it: no seed, log or source, whoever listens.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model
from django.urls import reverse

from league.api.serializers.bots import VersionSummary
from league.api.serializers.ratings import PoolOut
from league.api.serializers.tournaments import EntrantOut, TournamentOut
from league.bots.lifecycle import VersionStatus
from league.bots.models import Version
from league.ratings.models import Snapshot
from league.tournaments.lifecycle import EntrantStatus, TournamentStatus
from league.tournaments.models import Entrant, Tournament
from league.webhooks.lifecycle import WebhookStatus
from league.webhooks.models import Webhook

EVERYTHING = "*"
PING = "webhook.ping"
#: Of the same subject, the newest is enough: no more than one in so many seconds is sent.
PACE_S = 60

#: The ids of users, or a query for them.
Users = Iterable[int]


@dataclass(frozen=True)
class Source:
    """A kind of row that webhooks are told about.

    Attributes:
        told: what became of it (`common.signals.changed`) → what that means. Of anything else nobody is told.
        users: whom a row concerns.
        address: of the resource, in the API.
        render: what a GET there answers.
        often: it may change all the time: see PACE_S.
    """

    name: str
    told: Mapping[str, str]
    users: Callable[[Any], Users]
    address: Callable[[Any], str]
    render: Callable[[Any], Mapping[str, Any]]
    often: bool = False

    def type_of(self, what: str) -> str:
        """The event's type."""
        return f"{self.name}.{what}"


def _of_tournament(tournament: Tournament) -> Users:
    owners = Entrant.objects.filter(tournament=tournament).values_list("bot__owner", flat=True)
    return {tournament.organiser_id, *owners}


def _of_snapshot(snapshot: Snapshot) -> Users:
    if snapshot.sheet.pool_id is None:  # standings: their tournament tells when it is over
        return ()
    return Version.objects.filter(ratings__snapshot=snapshot).values_list("bot__owner", flat=True)


SOURCES: Mapping[type[Model], Source] = {
    Version: Source(
        "version",
        {
            VersionStatus.ACTIVE: "A version of yours has passed its check.",
            VersionStatus.REJECTED: "A version of yours has not: `reason` says why.",
            VersionStatus.DISQUALIFIED: "An operator has put a version of yours out: `reason` says why.",
            VersionStatus.PARKED: "The platform failed to check a version of yours; an operator must look.",
        },
        users=lambda version: [version.bot.owner_id],
        address=lambda version: reverse("version-detail", args=[version.pk]),
        render=lambda version: VersionSummary(version).data,
    ),
    Tournament: Source(
        "tournament",
        {
            TournamentStatus.OPEN: "A tournament that you organise takes entries.",
            TournamentStatus.RUNNING: "One that you organise or take part in has begun, or goes on.",
            TournamentStatus.PAUSED: "It is paused.",
            TournamentStatus.FINISHED: "Nothing is left to play in it.",
            TournamentStatus.CANCELLED: "It was stopped for good.",
        },
        users=_of_tournament,
        address=lambda tournament: reverse("tournament-detail", args=[tournament.pk]),
        render=lambda tournament: TournamentOut(tournament).data,
    ),
    Entrant: Source(
        "entrant",
        {
            EntrantStatus.WITHDRAWN: "A bot of yours, or in a tournament of yours, plays no more in it.",
            EntrantStatus.DISQUALIFIED: "It failed in too many matches in a row, or an operator put it out.",
        },
        users=lambda entrant: {entrant.bot.owner_id, entrant.tournament.organiser_id},
        address=lambda entrant: reverse("tournament-detail", args=[entrant.tournament_id]),
        render=lambda entrant: EntrantOut(entrant).data,
    ),
    Snapshot: Source(
        "pool",
        {"published": "A pool that a bot of yours is rated in has new ratings; once a minute at the most."},
        users=_of_snapshot,
        address=lambda snapshot: reverse("pool-detail", args=[snapshot.sheet.pool_id]),
        render=lambda snapshot: PoolOut(snapshot.sheet.pool).data,
        often=True,
    ),
    Webhook: Source(
        "webhook",
        {
            WebhookStatus.DISABLED: "Another webhook of yours was switched off: `reason` says why.",
            WebhookStatus.BLOCKED: "An operator has blocked another webhook of yours.",
        },
        users=lambda webhook: [webhook.owner_id],
        address=lambda webhook: reverse("webhook-detail", args=[webhook.pk]),
        render=lambda webhook: {"id": webhook.pk, "url": webhook.url, "reason": webhook.reason},
    ),
}

#: Every type that one may ask for, and what it means.
TYPES: Mapping[str, str] = {
    source.type_of(what): meaning for source in SOURCES.values() for what, meaning in source.told.items()
}
