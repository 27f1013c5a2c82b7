"""From an upload to a version that waits for its check."""

from django.conf import settings

from league.accounts.models import User
from league.bots import services
from league.bots.models import Bot, Version
from league.common.errors import Invalid, TooLarge
from league.pipeline.queue import CHECK, nudge
from sandbox.package import UploadError, UploadLimits, read_upload


def submit_bot(bot: Bot, data: bytes, filename: str) -> tuple[Version, bool]:
    """Store an upload as the bot's next version and have it checked; tells also whether it is new.

    `filename` only tells one source file from an archive; nothing is stored under it.

    Raises Invalid or TooLarge when the upload is no package: nothing is stored then.
    """
    try:
        package = read_upload(data, filename, upload_limits())
    except UploadError as error:
        if error.code == "too_big":
            raise TooLarge("too_large", f"{error}.", "file") from None
        raise Invalid(error.code, f"{error}.", "file") from None
    version, new = services.add_version(bot, package)
    if new:
        nudge(CHECK, [version.pk])
    return version, new


def upload_limits() -> UploadLimits:
    """What an upload may be here."""
    return UploadLimits(upload_bytes=settings.UPLOAD_MAX_KIB * 1024)


def retry(version: Version, by: User | None = None, why: str = "") -> Version:
    """Have a parked version checked again."""
    version = services.retry_version(version, by=by, why=why)
    nudge(CHECK, [version.pk])
    return version
