"""From the source of a compiled language to the artefact that runs.

A stranger's source is built where a stranger's program runs: in a sandbox without network, with limits
on time, memory, processes and output. The only place that can be written is a small one that nobody sees
afterwards; the artefact leaves it as text on standard output, and is a package of its own, immutable and
addressed by its content. It is linked statically, so that it runs under every backend, wherever it was
built.
"""

import base64
import binascii
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from arena.errors import PlatformFailure
from sandbox.channel import Halt
from sandbox.languages import SCRATCH_DIR, Language, languages
from sandbox.languages.tools import version_in
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
from sandbox.session import Backend, Evidence
from sandbox.stopwatch import WallWatch

#: Compilers take more than bots; what they take is taken from nobody's match.
BUILD_LIMITS = Limits(
    memory_mib=768,
    pids=64,
    cpu_s=60,
    open_files=256,
    file_mib=64,
    address_space_mib=8192,
    scratch_mib=96,
)
BUILD_S = 60.0
ARTEFACT_MIB = 16
#: A line of base64, well below the longest that a channel takes.
_LINE_CHARS = 32_768
#: The compiler's version and then the artefact, which base64 makes longer by a third.
_MOST_LINES = 1 + ARTEFACT_MIB * 1024 * 1024 * 4 // 3 // _LINE_CHARS
#: How long a compiler that closed its output may take to end.
_END_S = 5.0


@dataclass(frozen=True, slots=True)
class Built:
    """A build that went well.

    Attributes:
        artefact: what runs.
        compiler: its name and version, for authors.
        log: what it said.
    """

    artefact: Package
    compiler: str
    log: str


class BuildFailed(Exception):
    """The source can't be built: its author's to mend.

    Attributes:
        code: ``build_error``, ``build_timeout``, ``build_memory`` or ``build_output``.
        log: what the compiler said.
    """

    def __init__(self, code: str, message: str, log: str) -> None:
        super().__init__(message)
        self.code = code
        self.log = log


def build(
    package: Package, backend: Backend, *, limits: Limits = BUILD_LIMITS, seconds: float = BUILD_S
) -> Built:
    """Build a compiled language's package in a sandbox.

    Raises:
        BuildFailed: the author's fault.
        PlatformFailure: the sandbox could not be made, or there is no compiler.
    """
    language = languages()[package.language]
    assert language.build is not None, f"{language.title} is not compiled"
    log = BotLog()
    watch = WallWatch(seconds * 1000.0)
    session = backend.build(package, script(language, package), limits, log, label="build")
    lines: list[bytes] = []
    halt: Halt | None = None
    try:
        while not isinstance(line := session.channel.line(watch), Halt):
            session.channel.answered()
            lines.append(line)
            if len(lines) > _MOST_LINES:
                halt = Halt.FLOOD
                break
        halt = halt or (line if isinstance(line, Halt) else None)
    finally:
        # Raises where the sandbox can't be ended; nothing of it is left otherwise.
        evidence = session.finish(_END_S if halt is Halt.CLOSED else 0.0)
    _judge(halt, evidence, log.text(), limits, seconds)
    compiler, artefact = _unpack(lines, language)
    return Built(artefact, f"{language.build.version[0]} {compiler}", log.text())


def script(language: Language, package: Package) -> str:
    """What the sandbox's shell runs: the compiler's version, its commands, then the artefact as base64.

    All that the compiler prints goes to the log; the real standard output is kept aside.
    """
    assert language.build is not None
    entry = PurePosixPath(package.entry)
    # C and Java take all sources of the upload; they, and the folder, are seen from the upload's root.
    sources = sorted(path for path in package.files if path.endswith(language.suffixes))
    lines = ["set -e", f"export TMPDIR={SCRATCH_DIR} HOME={SCRATCH_DIR}", "exec 3>&1 >&2"]
    lines += [f"{shlex.join(language.build.version)} >&3 2>&3"]
    for command in language.build.commands:
        lines.append(shlex.join(_fill(command, package, entry, sources)))
    lines.append(f"exec base64 -w {_LINE_CHARS} -- {SCRATCH_DIR}/{language.build.result} >&3")
    return "\n".join(lines)


def _fill(
    command: tuple[str, ...], package: Package, entry: PurePosixPath, sources: list[str]
) -> Iterator[str]:
    for part in command:
        if part == "{flags}":
            yield from package.flags
        elif part == "{sources}":
            # A name can't be taken for an option.
            yield from (f"./{path}" for path in sources)
        else:
            yield (
                part.replace("{scratch}", SCRATCH_DIR)
                .replace("{entry}", f"./{entry}")
                .replace("{folder}", f"./{entry.parent}")
                .replace("{stem}", entry.stem)
            )


def _judge(halt: Halt | None, evidence: Evidence, log: str, limits: Limits, seconds: float) -> None:
    """Whose fault an end is, if any."""
    if not evidence.started or evidence.vanished:
        raise PlatformFailure("build_sandbox", evidence.note or "the build's sandbox was lost")
    if evidence.out_of_memory:
        raise BuildFailed("build_memory", f"The build took more than {limits.memory_mib} MiB.", log)
    if halt is Halt.TIME:
        raise BuildFailed("build_timeout", f"The build took more than {seconds:g} seconds.", log)
    if halt in (Halt.FLOOD, Halt.LONG_LINE):
        raise BuildFailed("build_output", f"The program has more than {ARTEFACT_MIB} MiB.", log)
    if evidence.exit_code == 127:
        # The shell's word for a command that is not there.
        raise PlatformFailure("no_compiler", f"the sandbox has no compiler: {log.strip()[-200:]}")
    if evidence.exit_code != 0:
        how = f"signal {evidence.signal}" if evidence.signal else f"exit code {evidence.exit_code}"
        raise BuildFailed("build_error", f"The compiler refused it ({how}); the log says where.", log)


def _unpack(lines: list[bytes], language: Language) -> tuple[str, Package]:
    """The compiler's version, and the artefact."""
    assert language.build is not None
    try:
        version = version_in(lines[0].decode())
        content = base64.b64decode(b"".join(lines[1:]), validate=True)
    except (IndexError, ValueError, binascii.Error) as error:
        raise PlatformFailure(
            "build_sandbox", f"the build's output is not what it should be: {error}"
        ) from None
    result = language.build.result
    return version, Package({result: content}, language.name, result, built=True)
