"""The languages that bots may be written in: one folder each, described by its ``language.toml``."""

import functools
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
BOT_DIR = "/bot"
#: Tells where a bot is and nothing of where it runs.
BASE_ENVIRONMENT: Mapping[str, str] = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": BOT_DIR,
    "LANG": "C.UTF-8",
}


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language.

    Attributes:
        suffixes: of its source files; the first entry of ``entries`` that a package has is its program.
        run: the command after the interpreter; ``{entry}`` stands for the program's path.
        probe: arguments that make the interpreter print ``{"version": [...], "paths": [...], "hidden":
            [...]}``: what it needs to read, and which folders in there are not for bots.
        candidates: where an interpreter is looked for, in this order.
        address_space_mib: overrides the limit of that name; 0 lifts it.
        memory_marks: how its runtime says that memory has run out.
        sdk: files of ours that are laid beside the program, by name.
        base_image: the image that its image is built from where a registry answers.
        debian_packages: what a base made of Debian packages must hold instead.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    entries: tuple[str, ...]
    run: tuple[str, ...]
    probe: tuple[str, ...]
    candidates: tuple[str, ...]
    minimum: tuple[int, ...]
    command: str
    address_space_mib: int | None
    memory_marks: tuple[str, ...]
    environment: Mapping[str, str]
    sdk: Mapping[str, bytes]
    starter: str
    base_image: str
    debian_packages: tuple[str, ...]

    @property
    def image(self) -> str:
        """The tag of its container image."""
        return f"polignac-bot-{self.name}"

    @property
    def folder(self) -> Path:
        """Where its data, Dockerfile and starter bot are."""
        return _FOLDER / self.name

    def arguments(self, entry: str) -> list[str]:
        """The command line after the interpreter, for a program inside the sandbox."""
        return [part.replace("{entry}", f"{BOT_DIR}/{entry}") for part in self.run]


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A program on this machine that runs a language's bots.

    Attributes:
        path: the real file, no link.
        paths: files and folders that it reads besides the system's libraries.
        hidden: folders in those that bots must not see.
    """

    path: str
    version: tuple[int, ...]
    paths: tuple[str, ...]
    hidden: tuple[str, ...]


@functools.cache
def languages() -> Mapping[str, Language]:
    """Every language by its name."""
    folders = sorted(path.parent for path in _FOLDER.glob("*/language.toml"))
    return {folder.name: _load(folder) for folder in folders}


class NoInterpreter(LookupError):
    """No interpreter of a language can be used here; the text says which were looked at and why not."""


@functools.cache
def find_interpreter(name: str, *, for_everybody: bool) -> Interpreter:
    """The first usable interpreter of a language on this machine.

    Args:
        for_everybody: it must be readable by any user, since the bot will run as one of its own.

    Raises:
        NoInterpreter: there is none; the text is for the operator.
    """
    language = languages()[name]
    reasons = []
    for candidate in dict.fromkeys(language.candidates):
        path = os.path.realpath(candidate.replace("{sys.executable}", sys.executable))
        if not os.access(path, os.X_OK):
            continue
        try:
            return _probe(language, path, for_everybody)
        except ValueError as error:
            reasons.append(f"{path}: {error}")
    wanted = ".".join(map(str, language.minimum))
    looked = "; ".join(reasons) or f"none of {', '.join(language.candidates)} is there"
    raise NoInterpreter(f"no {language.title} {wanted} or newer that bots can use ({looked})")


def _probe(language: Language, path: str, for_everybody: bool) -> Interpreter:
    try:
        done = subprocess.run([path, *language.probe], capture_output=True, timeout=20, check=True)  # noqa: S603
        answer = json.loads(done.stdout)
        version = tuple(int(part) for part in answer["version"])
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise ValueError(f"does not say its version ({type(error).__name__})") from None
    if version < language.minimum:
        raise ValueError(f"is {'.'.join(map(str, version))}")
    paths = tuple(os.path.realpath(item) for item in answer["paths"] if os.path.exists(item))
    if for_everybody:
        for item in (path, *paths):
            if not readable_by_everybody(item):
                raise ValueError(f"{item} is not readable by every user")
    return Interpreter(path, version, paths, tuple(answer["hidden"]))


def readable_by_everybody(path: str) -> bool:
    """Whether any user of the machine can reach and read a file or folder."""
    where = Path(path)
    folders = where.parents if not where.is_dir() else (where, *where.parents)
    return bool(where.stat().st_mode & 0o004) and all(folder.stat().st_mode & 0o001 for folder in folders)


def _load(folder: Path) -> Language:
    with (folder / "language.toml").open("rb") as file:
        data: dict[str, Any] = tomllib.load(file)
    interpreter, image = data["interpreter"], data["image"]
    return Language(
        name=folder.name,
        title=data["title"],
        suffixes=tuple(data["suffixes"]),
        entries=tuple(data["entries"]),
        run=tuple(data["run"]),
        probe=tuple(interpreter["probe"]),
        candidates=tuple(interpreter["candidates"]),
        minimum=tuple(interpreter["minimum"]),
        command=image["command"],
        address_space_mib=data.get("address_space_mib"),
        memory_marks=tuple(data["memory_marks"]),
        environment=data["environment"],
        sdk={Path(name).name: (folder / name).read_bytes() for name in data.get("sdk", [])},
        starter=data["starter"],
        base_image=image["base"],
        debian_packages=tuple(image["debian_packages"]),
    )
