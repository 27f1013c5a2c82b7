"""The archive store: files named by the SHA-256 of what is in them, under DATA_DIR/archives."""

import hashlib
import os
import tempfile
from pathlib import Path

from django.conf import settings

from arena.errors import PlatformFailure
from league.common.errors import ArchiveLost


def put(data: bytes) -> str:
    """Store the bytes for good and return their SHA-256 in hex. Storing the same again changes nothing.

    On return they are on the disk, and whoever looks sees either the whole file or none.

    Raises PlatformFailure when they can't be stored, as on a full disk: nothing is left of them then.
    """
    digest = hashlib.sha256(data).hexdigest()
    place = _place(digest)
    try:
        if not _holds(place, digest):
            _write(place, data)
    except OSError as error:
        raise PlatformFailure("archive_store", f"an archive can't be stored: {error.strerror}") from error
    return digest


def _write(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix="draft-", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).chmod(0o444)
        Path(draft).replace(place)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    _sync_folder(place.parent)


def get(digest: str) -> bytes:
    """The bytes stored under this digest. Raises ArchiveLost when they are gone, or no longer the same."""
    try:
        data = _place(digest).read_bytes()
    except OSError as error:
        raise ArchiveLost(digest, f"can't be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != digest:
        raise ArchiveLost(digest, "is not what was stored")
    return data


def _place(digest: str) -> Path:
    return Path(settings.DATA_DIR) / "archives" / digest[:2] / f"{digest}.zip"


def _holds(place: Path, digest: str) -> bool:
    try:
        return hashlib.sha256(place.read_bytes()).hexdigest() == digest
    except OSError:
        return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
