"""The languages that bots may be written in: one folder each, described by its ``language.toml``."""

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sandbox.languages.tools import Interpreter, NoInterpreter, Tool, find, readable_by_everybody

__all__ = [
    "BASE_ENVIRONMENT",
    "BOT_DIR",
    "SCRATCH_DIR",
    "Build",
    "Interpreter",
    "Language",
    "NoInterpreter",
    "find_compiler",
    "find_interpreter",
    "forget_found",
    "languages",
    "readable_by_everybody",
]

_FOLDER = Path(__file__).parent
BOT_DIR = "/bot"
#: The only place that can be written, and only while a program is built.
SCRATCH_DIR = "/polignac-build"
#: Tells where a bot is and nothing of where it runs.
BASE_ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": BOT_DIR,
    "LANG": "C.UTF-8",
}


@dataclass(frozen=True, slots=True)
class Build:
    """How a compiled language's programs are built (:mod:`sandbox.build`).

    Attributes:
        compiler: what does it, as it is found on this machine.
        version: the command that tells the compiler's version.
        commands: run one after another in the root of the upload. ``{flags}`` and ``{sources}`` stand for any
            number of arguments; ``{entry}``, its ``{folder}``, its ``{stem}`` (the name without folder and
            ending) and ``{scratch}`` for one.
        result: the file in ``{scratch}`` that is the program.
        default_flags: those where ``bot.toml`` gives none; it may give any of ``allowed_flags``.
        environment: beside the language's own.
    """

    compiler: Tool
    version: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    result: str
    default_flags: tuple[str, ...]
    allowed_flags: tuple[str, ...]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language.

    Attributes:
        about: which version and what of its libraries, for authors.
        suffixes: of its source files; the first entry of ``entries`` that a package has is its program.
        interpreter: what runs its programs; ``None`` where they run by themselves.
        command: the interpreter's name in a container.
        run: the command after the interpreter; ``{entry}`` stands for the program's path.
        build: how its programs are built; ``None`` where the source is the program.
        address_space_mib: overrides the limit of that name; 0 lifts it.
        pids: how many processes and threads its runtime needs; raises the limit of that name.
        memory_marks: how its runtime says that memory has run out.
        sdk: files of ours that are laid beside the program, by name.
        base_image: the image that its image is built from where a registry answers.
        debian_packages: what a base made of Debian packages must hold instead.
        image_by_default: whether its image is among those that are built when none are named.
    """

    name: str
    title: str
    about: str
    suffixes: tuple[str, ...]
    entries: tuple[str, ...]
    interpreter: Tool | None
    command: str
    run: tuple[str, ...]
    build: Build | None
    address_space_mib: int | None
    pids: int
    memory_marks: tuple[str, ...]
    environment: Mapping[str, str]
    sdk: Mapping[str, bytes]
    base_image: str
    debian_packages: tuple[str, ...]
    image_by_default: bool

    @property
    def image(self) -> str:
        """The tag of its container image."""
        return f"polignac-bot-{self.name}"

    @property
    def folder(self) -> Path:
        """Where its data, Dockerfile, README and starter bot are."""
        return _FOLDER / self.name

    @property
    def starter(self) -> Mapping[str, bytes]:
        """A first bot to begin with: content by relative path."""
        root = self.folder / "starter"
        files = sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}

    def first_bot(self, title: str) -> Mapping[str, bytes]:
        """All files of a bot to begin with: the starter, its README, what is laid beside a program, and a
        ``bot.toml`` with this title, of which only letters, digits and dashes are kept."""
        plain = " ".join(re.sub(r"[^\w\-]+", " ", title).split())[:60] or "My first bot"
        manifest = f'name = "{plain}"\nlanguage = "{self.name}"\n'.encode()
        readme = (self.folder / "README.md").read_bytes()
        return {**self.sdk, **self.starter, "README.md": readme, "bot.toml": manifest}

    def arguments(self, entry: str) -> list[str]:
        """The command line after the interpreter, for a program inside the sandbox."""
        return [part.replace("{entry}", f"{BOT_DIR}/{entry}") for part in self.run]

    def argv(self, interpreter: str, entry: str) -> list[str]:
        """The whole command line; ``interpreter`` does not matter where programs run by themselves."""
        if self.interpreter is None:
            return [f"{BOT_DIR}/{entry}"]
        return [interpreter, *self.arguments(entry)]


@functools.cache
def languages() -> Mapping[str, Language]:
    """Every language by its name."""
    folders = sorted(path.parent for path in _FOLDER.glob("*/language.toml"))
    return {folder.name: _load(folder) for folder in folders}


def find_interpreter(name: str, *, for_everybody: bool) -> Interpreter | None:
    """The first usable interpreter of a language on this machine; ``None`` where it needs none.

    Args:
        for_everybody: it must be readable by any user, since the bot will run as one of its own.

    Raises:
        NoInterpreter: there is none; the text is for the operator.
    """
    language = languages()[name]
    if language.interpreter is None:
        return None
    return find(language.interpreter, language.title, for_everybody=for_everybody)


def find_compiler(name: str, *, for_everybody: bool) -> Interpreter:
    """The first usable compiler of a compiled language on this machine; see :func:`find_interpreter`."""
    language = languages()[name]
    assert language.build is not None, f"{language.title} is not compiled"
    return find(language.build.compiler, f"compiler of {language.title}", for_everybody=for_everybody)


def forget_found() -> None:
    """Look for interpreters and compilers anew: one of them has gone."""
    find.cache_clear()


def _load(folder: Path) -> Language:
    with (folder / "language.toml").open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    interpreter, build, image = data.get("interpreter"), data.get("build"), data["image"]
    return Language(
        name=folder.name,
        title=data["title"],
        about=data["about"],
        suffixes=tuple(data["suffixes"]),
        entries=tuple(data["entries"]),
        interpreter=interpreter and _tool(interpreter),
        command=interpreter["command"] if interpreter else "",
        run=tuple(data.get("run", [])),
        build=build and _build(build),
        address_space_mib=data.get("address_space_mib"),
        pids=data.get("pids", 0),
        memory_marks=tuple(data["memory_marks"]),
        environment=data["environment"],
        sdk={Path(name).name: (folder / name).read_bytes() for name in data.get("sdk", [])},
        base_image=image["base"],
        debian_packages=tuple(image["debian_packages"]),
        image_by_default=image["default"],
    )


def _build(data: dict[str, Any]) -> Build:
    # The compiler's own version comes by the same arguments.
    compiler = _tool({**data, "version": data["version"][1:]})
    return Build(
        compiler=compiler,
        version=tuple(data["version"]),
        commands=tuple(tuple(command) for command in data["commands"]),
        result=data["result"],
        default_flags=tuple(data["default_flags"]),
        allowed_flags=tuple(data["allowed_flags"]),
        environment={
            name: value.replace("{scratch}", SCRATCH_DIR)
            for name, value in data.get("environment", {}).items()
        },
    )


def _tool(data: dict[str, Any]) -> Tool:
    names = ("candidates", "minimum", "version", "probe", "paths")
    return Tool(**{name: tuple(data.get(name, ())) for name in names})
