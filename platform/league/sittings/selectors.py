"""What is read about sittings: each is its person's alone, and staff's to look at in the admin."""

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from league.accounts.models import User
from league.bots.models import Version
from league.sittings.models import Sitting


def sittings_of(user: User | None) -> QuerySet[Sitting]:
    """A user's sittings, the newest first."""
    if user is None:
        return Sitting.objects.none()
    return Sitting.objects.filter(user=user).select_related("user").order_by("-id")


def versions_in(sittings: Iterable[Sitting]) -> dict[int, Version]:
    """All versions that sit there, by their ids."""
    ids = {pk for sitting in sittings for pk in sitting.versions if pk is not None}
    return Version.objects.select_related("bot__owner").in_bulk(ids)


def bots_of(sitting: Sitting, versions: Mapping[int, Version] | None = None) -> list[Version | None]:
    """The versions by seat, None at the person's; looked for in those given, or in the database."""
    found = versions_in([sitting]) if versions is None else versions
    return [None if pk is None else found[pk] for pk in sitting.versions]
