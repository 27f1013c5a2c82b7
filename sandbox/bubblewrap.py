"""The embedded sandbox: ``bwrap``, no daemon, some 20 ms to start.

What it can't do that containers can is in docs/sandbox.md; the level is chosen openly and stored.
"""

import functools
import os
import platform
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from arena.errors import PlatformFailure
from sandbox.bwrap_hardening import Wall, hardening, masks, options, seals, ulimits
from sandbox.bwrap_session import BwrapSession, Program
from sandbox.bwrap_tools import advice, tools
from sandbox.languages import (
    BASE_ENVIRONMENT,
    BOT_DIR,
    SCRATCH_DIR,
    Interpreter,
    Language,
    NoInterpreter,
    find_compiler,
    find_interpreter,
    forget_found,
    languages,
)
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.seccomp import bubblewrap_filter
from sandbox.slots import Slot
from sandbox.staging import Staged, sweep

_DEVICES = ("null", "zero", "full", "random", "urandom")


class BubblewrapBackend:
    """Runs bots under bubblewrap; as root each gets a user of its own."""

    name = "bubblewrap"

    def __init__(self, staging_dir: Path | None = None) -> None:
        self._staging_dir = staging_dir

    @functools.cached_property
    def _drops_root(self) -> bool:
        return os.getuid() == 0

    def available(self) -> str | None:
        """Run a trivial program in it; what stands in the way otherwise, and what to do."""
        log = BotLog()
        try:
            session = self.launch(Package({"main.py": b""}, "python", "main.py"), Limits(), log)
        except PlatformFailure as failure:
            return advice(failure.message)
        session.channel.hang_up()
        session.channel.drain(10.0)
        evidence = session.finish(1.0)
        if evidence.started and evidence.exit_code == 0:
            return None
        return advice(evidence.note or log.text().strip() or f"a trivial program failed: {evidence}")

    def launch(self, package: Package, limits: Limits, log: BotLog, label: str = "") -> BwrapSession:
        """See :class:`sandbox.session.Backend`. The process ends with the thread that starts it."""
        assert package.runnable, "it is built first"
        found = tools(for_everybody=self._drops_root)
        language = languages()[package.language]
        interpreter = _find(find_interpreter, language, for_everybody=self._drops_root)
        names, seen, hidden = {"sh": found.bash}, [found.bash], tuple[str, ...]()
        if interpreter is not None:
            names[language.command] = interpreter.path
            seen += [interpreter.path, *interpreter.paths]
            hidden = interpreter.hidden
        walls = hardening(limits, language.address_space_mib, language.pids)
        view = [
            *_environment({**BASE_ENVIRONMENT, **language.environment}),
            *_system_libraries(),
            *_view(seen, hidden, walls),
            *_by_name(names),
        ]
        bot = language.argv(interpreter.path if interpreter else "", package.entry)
        return self._start(package, view, walls, bot, limits=limits, log=log)

    def build(
        self, package: Package, script: str, limits: Limits, log: BotLog, label: str = ""
    ) -> BwrapSession:
        """See :class:`sandbox.session.Backend`. A compiler needs most of ``/usr``: it sees all of it."""
        found = tools(for_everybody=self._drops_root)
        language = languages()[package.language]
        compiler = _find(find_compiler, language, for_everybody=self._drops_root)
        assert compiler is not None
        assert language.build is not None
        path = f"{os.path.dirname(compiler.path)}:{BASE_ENVIRONMENT['PATH']}"
        variables = {**BASE_ENVIRONMENT, **language.environment, **language.build.environment}
        walls = hardening(limits)
        view = [
            *_environment({**variables, "PATH": path}),
            *_whole_system(compiler.path),
            *_view([path for path in compiler.paths if not path.startswith("/usr/")], (), walls),
            *("--size", str(limits.scratch_mib << 20), "--tmpfs", SCRATCH_DIR),
        ]
        bot = [found.bash, "--norc", "-c", script]
        return self._start(package, view, walls, bot, limits=limits, log=log)

    def _start(
        self,
        package: Package,
        view: Sequence[str],
        walls: Sequence[Wall],
        bot: list[str],
        *,
        limits: Limits,
        log: BotLog,
    ) -> BwrapSession:
        """A program, in a sandbox with a view of its own and the package's files."""
        found = tools(for_everybody=self._drops_root)
        program = Program(found.bash, ulimits(walls), bot)
        with ExitStack() as undo:
            staged = Staged(package, self._staging_dir)
            undo.callback(staged.remove)
            slot = Slot() if self._drops_root else None
            if slot is not None:
                undo.callback(slot.release)
            files = ["--ro-bind", str(staged.bot), BOT_DIR, "--chdir", BOT_DIR]
            whole = [found.bwrap, *options(walls), *view, *files, *seals(walls)]
            session = BwrapSession(whole, program, bubblewrap_filter(), limits, log, staged=staged, slot=slot)
            undo.pop_all()
        return session

    def tidy(self) -> list[str]:
        """Only files can be left: processes end with their worker."""
        return sweep(self._staging_dir)


def _find(
    search: Callable[..., Interpreter | None], language: Language, *, for_everybody: bool
) -> Interpreter | None:
    try:
        found = search(language.name, for_everybody=for_everybody)
    except NoInterpreter as error:
        raise PlatformFailure("no_interpreter", str(error)) from error
    if found is not None and not os.path.exists(found.path):
        forget_found()
        raise PlatformFailure("no_interpreter", f"{found.path} is gone")
    return found


def _view(programs: Sequence[str], hidden: Sequence[str], walls: Sequence[Wall]) -> list[str]:
    """All that a bot sees of the machine, but for the system's libraries and its own folder."""
    view: list[str] = []
    for path in programs:
        view += ["--ro-bind", path, path]
    for path in hidden:
        view += ["--tmpfs", path, "--remount-ro", path]
    view += ["--proc", "/proc", *masks(walls)]
    view += ["--tmpfs", "/dev"]
    for name in _DEVICES:
        view += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    view += ["--symlink", "/proc/self/fd", "/dev/fd"]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        view += ["--symlink", f"/proc/self/fd/{number}", f"/dev/{name}"]
    return [*view, "--tmpfs", "/tmp"]  # noqa: S108


def _by_name(programs: Mapping[str, str]) -> list[str]:
    """Links, so that a bot finds its language and a shell as it does in a container."""
    view = (
        ["--symlink", "usr/bin", "/bin"]
        if os.path.islink("/bin")
        else ["--symlink", programs["sh"], "/bin/sh"]
    )
    for name, path in programs.items():
        if path != f"/usr/bin/{name}":
            view += ["--symlink", path, f"/usr/bin/{name}"]
    return view


@functools.cache
def _system_libraries() -> tuple[str, ...]:
    """Binds of where shared libraries are; links such as Debian's /lib stay links."""
    multiarch = sysconfig.get_config_var("MULTIARCH") or f"{platform.machine()}-linux-gnu"
    view: list[str] = []
    for path in ("/lib", "/lib64"):
        if os.path.islink(path):
            view += ["--symlink", os.readlink(path), path]
            if path == "/lib64":
                view += ["--ro-bind-try", os.path.realpath(path), os.path.realpath(path)]
        else:
            view += ["--ro-bind-try", path, path]
    for path in (f"/usr/lib/{multiarch}", "/usr/lib/locale/C.utf8", "/usr/lib64", "/etc/ld.so.cache"):
        view += ["--ro-bind-try", path, path]
    return tuple(view)


def _whole_system(compiler: str) -> list[str]:
    """Programs, headers and libraries; what an operator put into /usr/local only where the compiler is."""
    view = ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives"]
    for path in ("/bin", "/sbin", "/lib", "/lib64"):
        if os.path.islink(path):
            view += ["--symlink", os.readlink(path), path]
        else:
            view += ["--ro-bind-try", path, path]
    if not compiler.startswith("/usr/"):
        home = os.path.dirname(os.path.dirname(compiler))
        view += ["--ro-bind", home, home]
    if not compiler.startswith("/usr/local/"):
        view += ["--tmpfs", "/usr/local", "--remount-ro", "/usr/local"]
    return [*view, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]


def _environment(variables: Mapping[str, str]) -> list[str]:
    return [part for name, value in variables.items() for part in ("--setenv", name, value)]
