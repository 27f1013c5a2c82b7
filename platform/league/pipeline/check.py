"""Checking an upload: sandbox.check does it, this keeps what it finds."""

import logging
from functools import partial
from itertools import chain

from arena.errors import PlatformFailure
from league.bots import services, store
from league.bots.models import Version
from league.common.claims import Claim
from league.common.errors import Lost
from league.pipeline.backend import away, backend, doubt
from league.pipeline.heartbeat import Heartbeat
from league.pipeline.patience import insist
from sandbox.check import check_package, describe
from sandbox.package import Package

log = logging.getLogger(__name__)


def check_version(version_id: int) -> None:
    """Claim the version, check its archive, keep each stage's outcome as it comes, judge.

    Losing the claim is a normal end. A failure of the platform's returns the version to wait, or parks it.
    """
    if reason := away():  # `reconcile` sends its message again
        log.error("no upload is checked: %s", reason)
        return
    claim = services.claim_version(version_id)
    if claim is None:
        return
    try:
        _check(claim)
    except Lost:
        log.info("version %d is in other hands", version_id)
    except Exception as error:  # whatever it is, it is not the bot's fault
        failure = str(error) if isinstance(error, PlatformFailure) else f"internal: {error!r}"
        log.exception("the check of version %d failed", version_id)
        if isinstance(error, PlatformFailure):
            doubt(error)
        insist(partial(_give_back, claim, failure))


def _check(claim: Claim) -> None:
    with Heartbeat(Version, claim) as heart:
        package = Package.from_zip(store.get(Version.objects.get(pk=claim.pk).archive))
        # The archive was checked before it was stored: here it is unpacked from our own store.
        stages = chain(describe(package), check_package(package, backend()))
        for position, result in enumerate(stages, start=1):
            heart.check()
            if result.artefact is not None:
                insist(partial(services.keep_artefact, claim, result.artefact))
            insist(partial(services.record_stage, claim, position, result))
    insist(partial(services.finish_check, claim))


def _give_back(claim: Claim, failure: str) -> None:
    try:
        services.give_back_version(claim, failure)
    except Lost:
        log.info("version %d is in other hands", claim.pk)
