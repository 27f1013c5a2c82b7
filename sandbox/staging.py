"""A copy of a bot's files for one seat, in a folder of its own with a path that nobody can guess.

One copy for two seats would be a channel between them (locks) and a spy hole (inotify).
"""

import os
import secrets
import shutil
import tempfile
from pathlib import Path

from arena.errors import PlatformFailure
from sandbox.languages import languages
from sandbox.package import Package

_PREFIX = "polignac-seat-"


def files_for(package: Package) -> dict[str, bytes]:
    """What is laid into the sandbox: the package, and its language's SDK where it has no such file."""
    folder = package.entry.rpartition("/")[0]
    prefix = f"{folder}/" if folder else ""
    sdk = {prefix + name: data for name, data in languages()[package.language].sdk.items()}
    return {**sdk, **package.files}


class Staged:
    """A seat's folder; ``bot`` in it holds the files.

    Args:
        parent: where it is made; the system's folder for temporary files when ``None``.

    Raises:
        PlatformFailure: it could not be written.
    """

    def __init__(self, package: Package, parent: Path | None = None) -> None:
        self.path = (parent or Path(tempfile.gettempdir())) / (_PREFIX + secrets.token_hex(16))
        self.bot = self.path / "bot"
        try:
            # Others may pass through, but not list: the bot's own user is one of them.
            self.path.mkdir(mode=0o711)
            self.bot.mkdir(mode=0o755)
            for name, content in files_for(package).items():
                file = self.bot / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            self._seal()
        except OSError as error:
            self.remove()
            raise PlatformFailure("staging", f"a bot's files could not be written: {error}") from error

    def _seal(self) -> None:
        """Modes that do not depend on the umask: files 0444, folders 0555."""
        self.path.chmod(0o711)
        for folder, _, names in os.walk(self.bot, topdown=False):
            for name in names:
                os.chmod(os.path.join(folder, name), 0o444)
            os.chmod(folder, 0o555)  # noqa: S103

    def remove(self) -> None:
        """Delete the folder; nothing in it was ever writable to the bot. Harmless when repeated."""
        for folder, _, _ in os.walk(self.path):
            os.chmod(folder, 0o755)  # noqa: S103
        shutil.rmtree(self.path, ignore_errors=True)
