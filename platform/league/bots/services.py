"""What changes about bots, their versions and the checks of them."""

from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.accounts.models import User
from league.bots import store
from league.bots.lifecycle import Outcome, VersionStatus
from league.bots.models import Bot, Check, Version
from league.bots.quotas import CHECKS, KEPT, UPLOADS
from league.common.claims import Claim, lease_end
from league.common.errors import Conflict, IllegalMove, Lost
from league.common.lifecycle import lock, move
from league.common.signals import changed
from league.common.text import clear_name, clipped, name_key
from sandbox.package import Package

if TYPE_CHECKING:  # the site's processes need not load what runs bots
    from sandbox.check import StageResult

LOG_MAX = 64 * 1024


def create_bot(owner: User, name: str) -> Bot:
    """A new bot. Raises Invalid for a bad name, Conflict for one that is taken."""
    name = clear_name(name)
    try:
        with transaction.atomic():
            return Bot.objects.create(owner=owner, name=name, name_key=name_key(name))
    except IntegrityError:
        raise Conflict(
            "name_taken", "There is a bot of that name, or one that looks like it.", "name"
        ) from None


def add_version(bot: Bot, package: Package) -> tuple[Version, bool]:
    """The bot's next version, and whether it is new: sending the newest one again makes no second one.

    A rejected program may be sent again, for another check. Raises OverQuota.
    """
    archive = package.to_zip()
    digest = store.put(archive)
    with transaction.atomic():
        lock_bot(bot)
        newest = Version.objects.filter(bot=bot).order_by("-number").first()
        if newest and newest.digest == package.digest and newest.status != VersionStatus.REJECTED:
            return newest, False
        for quota, more in ((UPLOADS, 1), (CHECKS, 1), (KEPT, len(archive))):
            quota.check(bot.owner, more)
        same_as = (
            Version.objects.filter(digest=package.digest)
            .exclude(bot__owner=bot.owner_id)
            .order_by("id")
            .first()
        )
        version = Version.objects.create(
            bot=bot,
            number=newest.number + 1 if newest else 1,
            archive=digest,
            size_bytes=len(archive),
            digest=package.digest,
            language=package.language,
            same_as=same_as,
        )
    return version, True


def lock_bot(bot: Bot) -> None:
    """Keep others from adding a version to this bot until the transaction ends."""
    Bot.objects.select_for_update().get(pk=bot.pk)


def claim_version(version_id: int) -> Claim | None:
    """Take a received version for its check. None when it isn't waiting: a normal end."""
    version = Version.objects.filter(pk=version_id, status=VersionStatus.RECEIVED).first()
    if version is None:
        return None
    claim = Claim(version.pk, version.token + 1, version.attempt + 1)
    try:
        with transaction.atomic():
            move(
                version,
                VersionStatus.CHECKING,
                only_if={"token": version.token},
                token=claim.token,
                attempt=claim.attempt,
                lease_until=lease_end(),
            )
            Check.objects.filter(version=version).delete()
    except (Lost, IllegalMove):
        return None
    return claim


@transaction.atomic
def record_stage(claim: Claim, position: int, result: "StageResult") -> None:
    """Keep what a stage found, as soon as it is known. Raises Lost when the version isn't ours any more."""
    version = lock(Version(pk=claim.pk))
    if version.token != claim.token or version.status != VersionStatus.CHECKING:
        raise Lost(f"version {claim.pk}")
    Check.objects.create(
        version=version,
        position=position,
        stage=result.stage,
        outcome=Outcome(result.status),
        code=clipped(result.code, 60),
        message=clipped(result.message, 500),
        log=clipped(result.log, LOG_MAX),
        duration_ms=max(0, round(result.duration_ms)),
    )
    changed.send(Version, row=version, what="stage")


def keep_artefact(claim: Claim, artefact: Package) -> None:
    """Store what was built of a version. Raises Lost when the version isn't ours any more."""
    digest = store.put(artefact.to_zip())
    if not Version.objects.filter(pk=claim.pk, **claim.held).update(artefact=digest):
        raise Lost(f"version {claim.pk}")


def finish_check(claim: Claim) -> Version:
    """Judge the version by its stages. Raises Lost when it isn't ours any more."""
    failed = Check.objects.filter(version=claim.pk, outcome=Outcome.FAILED).order_by("position").first()
    return move(
        Version(pk=claim.pk),
        VersionStatus.REJECTED if failed else VersionStatus.ACTIVE,
        only_if=claim.held,
        lease_until=None,
        failure="",
        reason_code=(failed.code or failed.stage) if failed else "",
        reason=failed.message if failed else "",
    )


def give_back_version(claim: Claim, failure: str, expired: datetime | None = None) -> Version:
    """The platform failed: let it wait for another try, or park it after too many.

    `expired`: only if the lease has run out by then. Raises Lost when the claim has ended, or was renewed.
    """
    parked = claim.attempt >= settings.MAX_ATTEMPTS
    return move(
        Version(pk=claim.pk),
        VersionStatus.PARKED if parked else VersionStatus.RECEIVED,
        only_if=claim.held_until(expired),
        text=failure,
        lease_until=None,
        failure=clipped(failure, 500),
        nudged_at=timezone.now(),
    )


def retry_version(version: Version, by: User | None = None, why: str = "") -> Version:
    """Let a parked version wait for a check again, with fresh attempts."""
    return move(version, VersionStatus.RECEIVED, by=by, text=why, attempt=0, nudged_at=timezone.now())


def retire_version(version: Version, by: User | None = None, why: str = "") -> Version:
    """Take a version out of use: it can't be entered any more; what it played stays."""
    return move(version, VersionStatus.RETIRED, by=by, text=why)


def enable_version(version: Version, by: User, why: str = "") -> Version:
    """Let a disqualified version be entered again; where it was put out, it stays out.

    Enabling an active one changes nothing. Raises IllegalMove for any other.
    """
    with transaction.atomic():
        now = lock(version)
        if now.status == VersionStatus.ACTIVE:
            return now
        if now.status != VersionStatus.DISQUALIFIED:  # a version is made active by its check alone
            raise IllegalMove("version", now.status, VersionStatus.ACTIVE)
        return move(now, VersionStatus.ACTIVE, by=by, text=why, reason_code="", reason="")
