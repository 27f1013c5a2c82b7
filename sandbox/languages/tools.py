"""Programs of this machine that a language needs: its interpreter or its compiler."""

import functools
import glob
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_VERSION = re.compile(r"\d+(?:\.\d+)+|\d+")


@dataclass(frozen=True, slots=True)
class Tool:
    """What is known of a program before it is looked for.

    Attributes:
        candidates: where it is looked for, in this order.
        minimum: the oldest version that will do.
        version: arguments that make it tell its version, the first number in what it prints.
        probe: arguments that make it print ``{"version": [...], "paths": [...], "hidden": [...]}`` instead.
        paths: files and folders that it reads besides the system's libraries; ``{home}`` is two above its own
            file, ``*`` stands for anything.
    """

    candidates: tuple[str, ...]
    minimum: tuple[int, ...]
    version: tuple[str, ...] = ()
    probe: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A program on this machine that runs or builds a language's bots.

    Attributes:
        path: the real file, no link.
        paths: files and folders that it reads besides the system's libraries.
        hidden: folders in those that bots must not see.
    """

    path: str
    version: tuple[int, ...]
    paths: tuple[str, ...]
    hidden: tuple[str, ...]


class NoInterpreter(LookupError):
    """No such program can be used here; the text says which were looked at and why not."""


@functools.cache
def find(tool: Tool, what: str, *, for_everybody: bool) -> Interpreter:
    """The first usable one on this machine.

    Args:
        what: what it is called, for the operator.
        for_everybody: it must be readable by any user, since the bot will run as one of its own.

    Raises:
        NoInterpreter: there is none; the text is for the operator.
    """
    reasons = []
    for candidate in dict.fromkeys(tool.candidates):
        path = os.path.realpath(candidate.replace("{sys.executable}", sys.executable))
        if not os.access(path, os.X_OK):
            continue
        try:
            return _look_at(tool, path, for_everybody)
        except ValueError as error:
            reasons.append(f"{path}: {error}")
    wanted = ".".join(map(str, tool.minimum))
    looked = "; ".join(reasons) or f"none of {', '.join(tool.candidates)} is there"
    raise NoInterpreter(f"no {what} {wanted} or newer that bots can use ({looked})")


def _look_at(tool: Tool, path: str, for_everybody: bool) -> Interpreter:
    try:
        found = _probe(tool, path) if tool.probe else _ask_version(tool, path)
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise ValueError(f"does not say its version ({type(error).__name__})") from None
    if found.version < tool.minimum:
        raise ValueError(f"is {'.'.join(map(str, found.version))}")
    if for_everybody:
        for item in (path, *found.paths):
            if not readable_by_everybody(item):
                raise ValueError(f"{item} is not readable by every user")
    return found


def _probe(tool: Tool, path: str) -> Interpreter:
    answer: dict[str, Any] = json.loads(_run(path, *tool.probe))
    version = tuple(int(part) for part in answer["version"])
    paths = tuple(os.path.realpath(item) for item in answer["paths"] if os.path.exists(item))
    return Interpreter(path, version, paths, tuple(answer["hidden"]))


def _ask_version(tool: Tool, path: str) -> Interpreter:
    version = version_in(_run(path, *tool.version))
    home = os.path.dirname(os.path.dirname(path))
    paths = [found for item in tool.paths for found in sorted(glob.glob(item.replace("{home}", home)))]
    return Interpreter(path, tuple(map(int, version.split("."))), tuple(paths), ())


def version_in(text: str) -> str:
    """The first version number in a text.

    Raises:
        ValueError: there is none.
    """
    found = _VERSION.search(text)
    if found is None:
        raise ValueError("no version")
    return found.group()


def _run(*command: str) -> str:
    done = subprocess.run(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=20, check=True, text=True
    )
    return done.stdout


def readable_by_everybody(path: str) -> bool:
    """Whether any user of the machine can reach and read a file or folder."""
    where = Path(path)
    folders = where.parents if not where.is_dir() else (where, *where.parents)
    return bool(where.stat().st_mode & 0o004) and all(folder.stat().st_mode & 0o001 for folder in folders)
