"""No sandbox at all: an author's own bot at home, a plain process with the author's own rights.

Never chosen but by its name, ``none``.
"""

import os
import subprocess
from collections.abc import Mapping

from arena.errors import PlatformFailure
from sandbox.channel import Channel
from sandbox.languages import BOT_DIR, SCRATCH_DIR, NoInterpreter, find_compiler, find_interpreter, languages
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.session import Evidence, Session
from sandbox.staging import Staged, sweep


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
        try:
            process = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=staged.bot,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        except OSError as error:
            staged.remove()
            raise PlatformFailure("sandbox_start", str(error)) from error
        return _UnconfinedSession(process, log, staged)

    def tidy(self) -> list[str]:
        """See :class:`sandbox.session.Backend`."""
        return sweep()


class _UnconfinedSession:
    def __init__(self, process: "subprocess.Popen[bytes]", log: BotLog, staged: Staged) -> None:
        pipes = (process.stdin, process.stdout, process.stderr)
        into, out, err = (os.dup(pipe.fileno()) for pipe in pipes if pipe is not None)
        for pipe in pipes:
            if pipe is not None:
                pipe.close()
        self.channel = Channel(into, out, err, log)
        self.first_process: int | None = process.pid
        self._process = process
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
            self.channel.close()
            self._staged.remove()
            if killed:
                self._evidence = Evidence(killed=True)
            else:
                self._evidence = Evidence(signal=-code) if code < 0 else Evidence(exit_code=code)
        return self._evidence
