"""The eight bots of the demo, each with its author."""

import io
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sandbox.reference import reference_package

BOTS = Path(__file__).with_name("bots")


@dataclass(frozen=True)
class Entry:
    """A bot as its author uploads it: `data` is what a file of that name holds."""

    author: str
    bot: str
    filename: str
    data: Callable[[], bytes]


def cast() -> list[Entry]:
    """Six written for the occasion, two reference players to measure them by.

    The one in JavaScript is there where Node.js is; another reference player takes its place elsewhere.
    """
    heron = (
        _file("jacques", "Heron", "heron.mjs") if shutil.which("node") else _reference("jacques", "highest")
    )
    return [
        _file("ada", "Ducker", "ducker.py"),
        _file("blaise", "Gambler", "gambler.py"),
        Entry("carl", "Hunter", "hunter.zip", lambda: zipped(BOTS / "hunter")),
        heron,
        _file("emmy", "Dice", "dice.py"),
        _file("fermat", "Miser", "miser.py"),
        _reference("grace", "dodger"),
        _reference("henri", "counter"),
    ]


def zipped(folder: Path) -> bytes:
    """A folder as an author would zip it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(folder))
    return buffer.getvalue()


def _file(author: str, bot: str, filename: str) -> Entry:
    return Entry(author, bot, filename, (BOTS / filename).read_bytes)


def _reference(author: str, name: str) -> Entry:
    return Entry(author, name.capitalize(), f"{name}.zip", lambda: reference_package(name).to_zip())
