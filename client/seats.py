"""From a BOT on the command line to something that holds a seat."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from arena.players import REFERENCE
from arena.seat import InProcessSeat, Seat
from client.arguments import Sandbox, UsageError
from sandbox.backends import choose
from sandbox.build import BuildFailed, build
from sandbox.package import Package, UploadError, read_folder, read_upload
from sandbox.reference import reference_package
from sandbox.seat import ProcessSeat
from sandbox.session import Backend


class UnknownBot(UsageError):
    """A BOT that names nothing that can play; the text says what would."""


@dataclass(frozen=True)
class Bot:
    """One contestant.

    Attributes:
        label: what it is called in tables and records; unique in one run.
        confined_by: the sandbox's name, or `in-process` for a reference player of ours.
        new_seat: makes a seat for one session; nothing runs before the referee says hello.
    """

    label: str
    confined_by: str
    new_seat: Callable[[], Seat]


def find_bots(arguments: Sequence[str], sandbox: Sandbox) -> list[Bot]:
    """The bots that the arguments name, in order.

    With `auto` reference players run in this process, and everything else in the best sandbox there is; with
    `bubblewrap` or `docker` all run in it; with `none` nothing is confined.

    Raises:
        UnknownBot: an argument names no reference player, file or folder, or a package that is refused or
            can't be built.
        SandboxUnavailable: the sandbox that is needed does not work here.
    """
    sources = [_source(argument) for argument in arguments]
    sandboxed = sandbox in {Sandbox.BUBBLEWRAP, Sandbox.DOCKER}
    backend: Backend | None = None
    if sandboxed or any(isinstance(source, Package) for source in sources):
        backend = choose(sandbox.value)
    bots = []
    for label, argument, source in zip(_labels(arguments), arguments, sources, strict=True):
        if isinstance(source, str) and not sandboxed:
            bots.append(Bot(label, "in-process", _in_process(source)))
            continue
        assert backend is not None
        package = reference_package(source) if isinstance(source, str) else _built(argument, source, backend)
        bots.append(Bot(label, backend.name, _process(backend, package, label)))
    return bots


def _built(argument: str, package: Package, backend: Backend) -> Package:
    """What runs: the package, or what its compiler makes of it."""
    if package.runnable:
        return package
    try:
        return build(package, backend).artefact
    except BuildFailed as error:
        raise UnknownBot(f"{argument}: {error}\n{error.log}".rstrip()) from None


def _in_process(name: str) -> Callable[[], Seat]:
    return lambda: InProcessSeat(REFERENCE[name])


def _process(backend: Backend, package: Package, label: str) -> Callable[[], Seat]:
    return lambda: ProcessSeat(backend, package, label=label)


def _source(argument: str) -> str | Package:
    """A reference player's name, or the package at a path."""
    if argument in REFERENCE:
        return argument
    if not argument:
        raise UnknownBot("a BOT is empty: name a reference player, or the path of a bot")
    path = Path(argument)
    try:
        if path.is_dir():
            return read_folder(path)
        return read_upload(path.read_bytes(), path.name)
    except UploadError as error:
        raise UnknownBot(f"{argument}: {error}") from None
    except FileNotFoundError:
        close = difflib.get_close_matches(argument, REFERENCE, n=1)
        hint = f"did you mean {close[0]}?" if close else f"the reference players are {', '.join(REFERENCE)}"
        raise UnknownBot(f"there is no file or folder {argument!r}; {hint}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnknownBot(f"{argument!r} can't be read: {reason}") from None


def _labels(arguments: Sequence[str]) -> list[str]:
    """Short names, made unique: the second `lowest` is `lowest#2`."""
    labels: list[str] = []
    for argument in arguments:
        name = argument if argument in REFERENCE else Path(argument).resolve().stem
        others = (f"{name}#{number}" for number in count(2))
        labels.append(next(label for label in chain([name], others) if label not in labels))
    return labels
