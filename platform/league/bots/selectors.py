"""What is read about bots."""

from django.db.models import Max, Q, QuerySet

from league.accounts.models import User
from league.bots.lifecycle import VersionStatus
from league.bots.models import Bot, Version
from league.common.errors import Missing

#: What tells a version among others: its number, its bot's name, its owner's.
NAMED = ("number", "bot_id", "bot__name", "bot__owner_id", "bot__owner__username")
#: Whoever sees a match sees these by their numbers; what was never admitted is its owner's business.
PUBLIC = (VersionStatus.ACTIVE, VersionStatus.DISQUALIFIED, VersionStatus.RETIRED)


def named() -> QuerySet[Version]:
    """Versions with what names them and nothing else, for lists of other things."""
    return Version.objects.select_related("bot__owner").only(*NAMED)


def bots() -> QuerySet[Bot]:
    """All bots, with the number of the newest active version as `current`."""
    active = Q(versions__status=VersionStatus.ACTIVE)
    return Bot.objects.select_related("owner").annotate(current=Max("versions__number", filter=active))


def versions_seen_by(user: User | None) -> QuerySet[Version]:
    """The versions that this user may know of: those that play, or have played; their own; all for staff."""
    versions = Version.objects.select_related("bot__owner").order_by("id")
    if user is not None and user.is_staff:
        return versions
    public = Q(status__in=PUBLIC)
    return versions.filter(public if user is None else public | Q(bot__owner=user))


def may_look_into(version: Version, user: User | None) -> bool:
    """Whether a version's check, its logs and its source are for this user's eyes."""
    return user is not None and (user.is_staff or version.bot.owner_id == user.pk)


def own_bot(user: User, bot_id: int) -> Bot:
    """A bot of this user's. Raises Missing for one that isn't there or isn't theirs."""
    bot = Bot.objects.filter(pk=bot_id).first()
    if bot is None or not (bot.owner_id == user.pk or user.is_staff):
        raise Missing("not_found", "There is no such bot of yours.")
    return bot


def versions_for(user: User) -> QuerySet[Version]:
    """The versions that this user may look into: their own; all for staff."""
    versions = Version.objects.select_related("bot__owner").order_by("id")
    return versions if user.is_staff else versions.filter(bot__owner=user)
