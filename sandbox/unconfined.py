"""No sandbox at all: an author's own bot at home, a plain process with the author's own rights.

Never chosen but by its name, ``none``.
"""

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from arena.errors import PlatformFailure
from sandbox.channel import Channel
from sandbox.languages import BOT_DIR, SCRATCH_DIR, NoInterpreter, find_compiler, find_interpreter, languages
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.session import Evidence, Session
from sandbox.staging import Staged, sweep

#: In the environment of a bot and of all that it starts, however far that went away from it.
_MARK: Final = "POLIGNAC_SESSION"
_END_S: Final = 5.0
_LOOKS: Final = 5


class UnconfinedBackend:
    """Runs bots with no more than a process of their own; the limits don't hold."""

    name = "none"

    def available(self) -> str | None:
        """Always: there is nothing to set up."""
        return None

    def launch(self, package: Package, limits: Limits, log: BotLog, label: str = "") -> Session:
        """See :class:`sandbox.session.Backend`."""
        assert package.runnable, "it is built first"
        language = languages()[package.language]
        try:
            interpreter = find_interpreter(language.name, for_everybody=False)
        except NoInterpreter as error:
            raise PlatformFailure("no_interpreter", str(error)) from error
        staged = Staged(package)
        command = language.argv(interpreter.path if interpreter else "", package.entry)
        here = [
            f"{staged.bot}{part.removeprefix(BOT_DIR)}" if part.startswith(f"{BOT_DIR}/") else part
            for part in command
        ]
        return self._start(staged, here, language.environment, log)

    def build(self, package: Package, script: str, limits: Limits, log: BotLog, label: str = "") -> Session:
        """See :class:`sandbox.session.Backend`; here the scratch folder is one beside the files."""
        build = languages()[package.language].build
        assert build is not None
        try:
            compiler = find_compiler(package.language, for_everybody=False)
        except NoInterpreter as error:
            raise PlatformFailure("no_interpreter", str(error)) from error
        staged = Staged(package)
        scratch = staged.path / "build"
        scratch.mkdir()
        variables = {
            name: value.replace(SCRATCH_DIR, str(scratch)) for name, value in build.environment.items()
        }
        variables["PATH"] = f"{os.path.dirname(compiler.path)}:{os.environ.get('PATH', os.defpath)}"
        command = ["bash", "--norc", "-c", script.replace(SCRATCH_DIR, str(scratch))]
        return self._start(staged, command, variables, log)

    def _start(
        self, staged: Staged, command: list[str], environment: Mapping[str, str], log: BotLog
    ) -> Session:
        mark = secrets.token_hex(16)
        try:
            process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=staged.bot,
                env={**os.environ, **environment, _MARK: mark},
                start_new_session=True,
            )
        except OSError as error:
            staged.remove()
            raise PlatformFailure("sandbox_start", str(error)) from error
        return _UnconfinedSession(process, mark, log, staged)

    def tidy(self) -> list[str]:
        """See :class:`sandbox.session.Backend`."""
        return sweep()


class _UnconfinedSession:
    def __init__(self, process: "subprocess.Popen[bytes]", mark: str, log: BotLog, staged: Staged) -> None:
        pipes = (process.stdin, process.stdout, process.stderr)
        into, out, err = (os.dup(pipe.fileno()) for pipe in pipes if pipe is not None)
        for pipe in pipes:
            if pipe is not None:
                pipe.close()
        self.channel = Channel(into, out, err, log)
        self.first_process: int | None = process.pid
        self._process = process
        self._mark = mark
        self._staged = staged
        self._evidence: Evidence | None = None

    def finish(self, grace_s: float = 0.0) -> Evidence:
        if self._evidence is None:
            killed = False
            try:
                code = self._process.wait(grace_s)
            except subprocess.TimeoutExpired:
                killed = True
                self._process.kill()
                code = self._process.wait()
            _end_marked(self._mark)
            self.channel.close()
            self._staged.remove()
            if killed:
                self._evidence = Evidence(killed=True)
            else:
                self._evidence = Evidence(signal=-code) if code < 0 else Evidence(exit_code=code)
        return self._evidence


def _end_marked(mark: str) -> None:
    """Kill what a bot has started, until looks in a row find no more: one misses what starts during it."""
    until = time.monotonic() + _END_S
    empty = 0
    while empty < _LOOKS and time.monotonic() < until:
        found = _marked(mark)
        empty = 0 if found else empty + 1
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _marked(mark: str) -> list[int]:
    """The processes that have the mark in the environment that they began with."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        # Those of others can't be read, and those that have just ended have none any more.
        with contextlib.suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found
