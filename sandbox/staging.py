"""A copy of a bot's files for one seat, in a folder of its own with a path that nobody can guess.

One copy for two seats would be a channel between them (locks) and a spy hole (inotify). Each folder
holds a lock of its worker's, so that one whose worker was killed can be told from one in use.
"""

import contextlib
import fcntl
import os
import secrets
import shutil
import signal
import tempfile
import time
from pathlib import Path

from arena.errors import PlatformFailure
from sandbox.languages import languages
from sandbox.package import Package

_PREFIX = "polignac-seat-"
_LOCK = "lock"
#: A folder may be so young that its lock is still to come.
_YOUNG_S = 60.0
#: So long after it was made it surely has it, where its worker lives.
_LOCKED_S = 1.0


def files_for(package: Package) -> dict[str, bytes]:
    """What is laid into the sandbox: the package, and its language's SDK where it has no such file."""
    folder = package.entry.rpartition("/")[0]
    prefix = f"{folder}/" if folder else ""
    sdk = {prefix + name: data for name, data in languages()[package.language].sdk.items()}
    return {**sdk, **package.files}


class Staged:
    """A seat's folder; ``bot`` in it holds the files.

    Args:
        package: what is laid there at once; ``None`` when that is still to come (:meth:`lay`).
        parent: where it is made; the system's folder for temporary files when ``None``.

    Raises:
        PlatformFailure: it could not be written.
    """

    def __init__(self, package: Package | None, parent: Path | None = None) -> None:
        self.path = (parent or Path(tempfile.gettempdir())) / (_PREFIX + secrets.token_hex(16))
        self.bot = self.path / "bot"
        self._lock: int | None = None
        try:
            # Others may pass through, but not list: the bot's own user is one of them.
            self.path.mkdir(mode=0o711)
            self._lock = os.open(self.path / _LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            self.bot.mkdir(mode=0o755)
            self.path.chmod(0o711)
            self.bot.chmod(0o755)
        except OSError as error:
            self.remove()
            raise _unwritten(error) from error
        if package is not None:
            self.lay(package)

    def lay(self, package: Package) -> None:
        """Write a package's files, once; the folder is removed when that fails.

        Raises:
            PlatformFailure: they could not be written.
        """
        try:
            for name, content in files_for(package).items():
                file = self.bot / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            # What a compiler made may be run.
            self._seal(0o555 if package.built else 0o444)
        except OSError as error:
            self.remove()
            raise _unwritten(error) from error

    def _seal(self, mode: int) -> None:
        """Modes that do not depend on the umask: files as told, folders 0555."""
        for folder, _, names in os.walk(self.bot, topdown=False):
            for name in names:
                os.chmod(os.path.join(folder, name), mode)
            os.chmod(folder, 0o555)  # noqa: S103

    def remove(self) -> None:
        """Delete the folder; nothing in it was ever writable to the bot. Harmless when repeated."""
        _remove(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _unwritten(error: OSError) -> PlatformFailure:
    return PlatformFailure("staging", f"a bot's files could not be written: {error}")


def sweep(parent: Path | None = None, *, young_s: float = _YOUNG_S) -> list[str]:
    """Delete the folders of workers that have ended without doing it.

    Args:
        parent: as for :class:`Staged`.
        young_s: folders of so many seconds or less are left alone, unless their worker is known to be gone.

    Returns:
        The names of those deleted.
    """
    swept = []
    for path in (parent or Path(tempfile.gettempdir())).glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            about = path.lstat()
            age_s = time.time() - about.st_mtime
            if about.st_uid == os.getuid() and _is_free(path, age_s, young_s):
                _end_those_at(path)
                _remove(path)
                swept.append(path.name)
    return swept


def _end_those_at(folder: Path) -> None:
    """Kill what was started with it: the child of a bwrap killed in its first moment would wait for ever."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.fsencode(folder) in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def _is_free(folder: Path, age_s: float, young_s: float) -> bool:
    """Whether no living worker holds a folder's lock, or is about to."""
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return age_s > young_s
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return age_s > min(young_s, _LOCKED_S)


def _remove(path: Path) -> None:
    for folder, _, _ in os.walk(path):
        os.chmod(folder, 0o755)  # noqa: S103
    shutil.rmtree(path, ignore_errors=True)
