"""An upload, checked, as one immutable value: what a bot's program is.

An upload is one source file or a zip of a folder. ``bot.toml`` in it is optional::

    name = "Ducking and diving"
    language = "python"
    entry = "main.py"
    flags = ["-O3"]          # compiled languages only, of those that the language allows
"""

import hashlib
import io
import json
import re
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sandbox.archive import UploadLimits, check_paths, read_zip
from sandbox.errors import UploadError
from sandbox.languages import Language, languages

MANIFEST = "bot.toml"
_MANIFEST_KEYS = ("name", "language", "entry", "flags")
_MOST_FLAGS = 16
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_NAME_CHARS = 60
_MANIFEST_BYTES = 2 * 1024  # reading TOML takes quadratic time in the length of a dotted key

__all__ = ["MANIFEST", "Package", "UploadError", "UploadLimits", "read_folder", "read_upload"]


@dataclass(frozen=True, slots=True)
class Package:
    """A bot's files.

    Attributes:
        files: content by relative path, sorted; parts parted by ``/``.
        language: a name in :func:`sandbox.languages.languages`.
        entry: the path of its program.
        title: what ``bot.toml`` calls the bot; empty where it does not.
        built: it is what a compiler made, no source any more; see :mod:`sandbox.build`.
    """

    files: Mapping[str, bytes]
    language: str
    entry: str
    title: str = ""
    built: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", MappingProxyType(dict(sorted(self.files.items()))))

    @property
    def runnable(self) -> bool:
        """Whether it can be run as it is, with nothing left to build."""
        return self.built or languages()[self.language].build is None

    @property
    def flags(self) -> tuple[str, ...]:
        """What its compiler is told: ``bot.toml``'s flags, or the language's own."""
        build = languages()[self.language].build
        return tuple(_manifest(self.files).get("flags", build.default_flags if build else ()))

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of language, entry and files: equal packages have equal digests."""
        sha = hashlib.sha256(b"polignac-artefact/1\n" if self.built else b"polignac-package/1\n")
        for name, content in [("language", self.language.encode()), ("entry", self.entry.encode())]:
            sha.update(b"%s %d\n%s" % (name.encode(), len(content), content))
        for path, content in self.files.items():
            sha.update(b"file %d %d\n%s%s" % (len(path.encode()), len(content), path.encode(), content))
        return sha.hexdigest()

    def to_zip(self) -> bytes:
        """A zip that is the same whenever the package is; :meth:`from_zip` reads it back."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            about = {
                "language": self.language,
                "entry": self.entry,
                **({"built": True} if self.built else {}),
            }
            archive.comment = json.dumps(about).encode()
            for path, content in self.files.items():
                info = zipfile.ZipInfo(path, _EPOCH)
                info.create_system = 3
                info.external_attr = 0o100444 << 16
                archive.writestr(info, content)
        return buffer.getvalue()

    @classmethod
    def from_zip(cls, data: bytes) -> "Package":
        """The package of one of our own zips, as it was: today's limits and languages' rules don't matter.

        Raises:
            UploadError: it is none of ours, or damaged.
        """
        everything = UploadLimits(len(data), max(len(data), 1), 1_000_000, 100_000, 100_000)
        files = read_zip(data, everything)
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                about = json.loads(archive.comment)
            title = "" if about.get("built") else _manifest(files).get("name", "")
            return cls(files, about["language"], about["entry"], title, bool(about.get("built")))
        except (ValueError, KeyError, TypeError):
            raise UploadError("broken_zip", "this is no package of ours") from None


def read_upload(data: bytes, filename: str, limits: UploadLimits | None = None) -> Package:
    """Check an upload and make a package of it.

    The name is only looked at for its ending; a single file is stored under a name of ours.

    Raises:
        UploadError: with a code, what is wrong where, and what would be right.
    """
    limits = limits or UploadLimits()
    if len(data) > limits.upload_bytes:
        raise UploadError("too_big", f"an upload may have {limits.upload_bytes // 1024} KiB")
    suffix = _suffix(filename)
    if data.startswith(_ZIP_MAGICS) or suffix == ".zip":
        return _package(read_zip(data, limits))
    return _single(data, suffix, limits)


def read_folder(folder: Path, limits: UploadLimits | None = None) -> Package:
    """Make a package of a folder on this machine; hidden files and caches are left out.

    For an author's own command: the folder is trusted, links in it are followed.

    Raises:
        UploadError: as :func:`read_upload`.
    """
    limits = limits or UploadLimits()
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not any(p.startswith(".") or p == "__pycache__" for p in relative.parts):
            found[relative.as_posix()] = path
            if len(found) > limits.files:
                raise UploadError("too_many_files", f"more than {limits.files} files in this folder")
    check_paths(found, limits)
    if sum(path.stat().st_size for path in found.values()) > limits.unpacked_bytes:
        raise UploadError("too_big", f"more than {limits.unpacked_bytes // 1024} KiB in this folder")
    return _package({name: path.read_bytes() for name, path in found.items()})


def _suffix(filename: str) -> str:
    match = re.search(r"\.[A-Za-z0-9]{1,8}\Z", filename)
    return match.group().lower() if match else ""


def _single(data: bytes, suffix: str, limits: UploadLimits) -> Package:
    language = next((item for item in languages().values() if suffix in item.suffixes), None)
    if language is None:
        known = ", ".join(suffix for item in languages().values() for suffix in item.suffixes)
        raise UploadError("unknown_language", f"send one source file ({known}) or a .zip", suffix)
    if not data.strip():
        raise UploadError("empty", "the file is empty")
    if len(data) > limits.unpacked_bytes:
        raise UploadError("too_big", f"a file may have {limits.unpacked_bytes // 1024} KiB")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise UploadError("not_text", "a source file must be UTF-8 text") from None
    if b"\0" in data:
        raise UploadError("not_text", "a source file has no NUL characters")
    # A compiler may care for the name: Java's does.
    entry = next((name for name in language.entries if name.endswith(suffix)), f"main{suffix}")
    return Package({entry: data}, language.name, entry)


def _package(files: dict[str, bytes]) -> Package:
    if not files:
        raise UploadError("empty", "there are no files in it")
    manifest = _manifest(files)
    language, entry = _program(files, manifest)
    _check_flags(language, manifest)
    return Package(files, language.name, entry, manifest.get("name", ""))


def _manifest(files: Mapping[str, bytes]) -> dict[str, Any]:
    if MANIFEST not in files:
        return {}
    if len(files[MANIFEST]) > _MANIFEST_BYTES:
        raise UploadError("bad_manifest", f"may have {_MANIFEST_BYTES // 1024} KiB", MANIFEST)
    try:
        data: dict[str, Any] = tomllib.loads(files[MANIFEST].decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise UploadError("bad_manifest", f"not TOML: {str(error)[:200]}", MANIFEST) from None
    for key, value in data.items():
        if key not in _MANIFEST_KEYS:
            allowed = ", ".join(_MANIFEST_KEYS)
            raise UploadError("bad_manifest", f"unknown key {key[:40]!r}; there are {allowed}", MANIFEST)
        if key == "flags":
            _check_list(value)
        elif not isinstance(value, str) or not value.strip() or not value.isprintable():
            raise UploadError("bad_manifest", f"{key} must be a text of one line, not empty", MANIFEST)
    if len(data.get("name", "")) > _NAME_CHARS:
        raise UploadError("bad_manifest", f"name may have {_NAME_CHARS} characters", MANIFEST)
    return data


def _check_list(value: object) -> None:
    if not isinstance(value, list) or not all(isinstance(flag, str) for flag in value):
        raise UploadError("bad_manifest", 'flags must be a list of texts, as in flags = ["-O2"]', MANIFEST)
    if len(value) > _MOST_FLAGS:
        raise UploadError("bad_manifest", f"at most {_MOST_FLAGS} flags", MANIFEST)


def _check_flags(language: Language, manifest: Mapping[str, Any]) -> None:
    """A compiler can read, write and run by its flags: only those of the language's list."""
    flags = manifest.get("flags", [])
    if flags and language.build is None:
        raise UploadError("bad_flag", f"{language.title} is not compiled: leave flags out", MANIFEST)
    for flag in flags:
        assert language.build is not None
        if flag not in language.build.allowed_flags:
            allowed = " ".join(language.build.allowed_flags)
            raise UploadError("bad_flag", f"flag {flag[:40]!r} is not allowed; there are {allowed}", MANIFEST)


def _program(files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> tuple[Language, str]:
    """Which file is run, and in what language."""
    known = languages()
    name, entry = manifest.get("language"), manifest.get("entry")
    if name is not None and name not in known:
        raise UploadError(
            "unknown_language", f"no language {name[:40]!r}; there are {', '.join(known)}", MANIFEST
        )
    choices = [known[name]] if name is not None else list(known.values())
    if entry is None:
        found = [(item, path) for item in choices for path in item.entries if path in files]
        sources = [(item, path) for item in choices for path in files if path.endswith(item.suffixes)]
        if len({item.name for item, _ in found}) == 1:
            return found[0]
        if not found and len(sources) == 1:
            return sources[0]
        raise _no_entry(choices, found, files)
    if entry not in files:
        raise UploadError("no_entry", f"entry names {entry[:80]!r}, which is not in the upload", MANIFEST)
    for item in choices:
        if name is not None or entry.endswith(item.suffixes):
            return item, entry
    raise UploadError("unknown_language", f"{entry[:80]!r} has no known ending; give language", MANIFEST)


def _no_entry(
    choices: list[Language], found: list[tuple[Language, str]], files: Mapping[str, bytes]
) -> UploadError:
    if found:
        names = " and ".join(path for _, path in found)
        return UploadError("no_entry", f"both {names} could be the program; name one as entry in {MANIFEST}")
    wanted = ", ".join(path for item in choices for path in item.entries)
    folders = {path.partition("/")[0] for path in files}
    hint = ""
    if len(folders) == 1 and all("/" in path for path in files):
        hint = f"; all is in the folder {folders.pop()!r}: zip what is in it, not the folder itself"
    return UploadError(
        "no_entry", f"no program found; call it one of {wanted}, or name it in {MANIFEST}{hint}"
    )
