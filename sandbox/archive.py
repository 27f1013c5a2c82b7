"""Reading a stranger's zip: names, kinds, counts and sizes are checked before and while reading.

Everything is refused, nothing is renamed. The central directory is read by ``zipfile``; the bytes
are inflated here, under the limits, since ``zipfile`` trusts declared sizes and lets entries overlap.
"""

import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass

from sandbox.errors import UploadError

_LOCAL_HEADER = struct.Struct("<4s5H3I2H")
_LOCAL_MAGIC = b"PK\x03\x04"
_ENCRYPTED = 0x1 | 0x40 | 0x2000


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """What an upload may be.

    Attributes:
        upload_bytes: as it is sent.
        unpacked_bytes: all its files together.
        files: how many; folders count.
        path_chars: of one name with its folders.
        depth: folders in one another.
    """

    upload_bytes: int = 4 * 1024 * 1024
    unpacked_bytes: int = 8 * 1024 * 1024
    files: int = 256
    path_chars: int = 160
    depth: int = 8


def read_zip(data: bytes, limits: UploadLimits) -> dict[str, bytes]:
    """The files of a zip by their paths; what a Mac adds on its own is left out.

    Raises:
        UploadError: any rule broken, or no sound zip.
    """
    entries = _entries(data, limits)
    check_paths([info.orig_filename for info in entries], limits)
    for info in entries:
        _check_kind(info)
    files: dict[str, bytes] = {}
    room = limits.unpacked_bytes
    covered = 0
    for info in sorted(entries, key=lambda info: info.header_offset):
        start, end = _span(data, info)
        if info.header_offset < covered:
            raise UploadError("broken_zip", "overlaps another entry", _shown(info.orig_filename))
        covered = end
        content = _inflate(data[start:end], info, room)
        room -= len(content)
        if not _is_folder(info) and not _is_mac_junk(info.orig_filename):
            files[info.orig_filename] = content
    return dict(sorted(files.items()))


def check_paths(paths: Iterable[str], limits: UploadLimits) -> None:
    """Refuse unsafe names, too many of them, and names that are one name on some machines.

    A folder's name ends in ``/``.
    """
    paths = list(paths)
    if len(paths) > limits.files:
        raise UploadError("too_many_files", f"{len(paths)} entries; {limits.files} are allowed")
    seen: dict[str, str] = {}
    for path in paths:
        _check_path(path, limits)
        key = unicodedata.normalize("NFC", path.rstrip("/")).casefold()
        if key in seen:
            raise UploadError("same_name", f"is the same name as {_shown(seen[key])}", _shown(path))
        seen[key] = path
    for key, path in seen.items():
        for at in (i for i, char in enumerate(key) if char == "/"):
            if not seen.get(key[:at], "/").endswith("/"):
                raise UploadError("same_name", "lies in a folder that is also a file", _shown(path))


def _check_path(path: str, limits: UploadLimits) -> None:
    where = _shown(path)
    parts = path.removesuffix("/").split("/")
    if len(path) > limits.path_chars:
        raise UploadError("long_path", f"longer than {limits.path_chars} characters", where)
    if len(parts) > limits.depth:
        raise UploadError("long_path", f"more than {limits.depth} folders deep", where)
    if any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} for char in path):
        raise UploadError("unsafe_path", "a control or unassigned character in the name", where)
    if "\\" in path or ":" in path:
        raise UploadError("unsafe_path", "folders are parted by /, and a name has no \\ and no :", where)
    if path.startswith("/"):
        raise UploadError("unsafe_path", "begins with /; names are relative to the bot's folder", where)
    if any(part in {"", ".", ".."} or part != part.strip() or part.endswith(".") for part in parts):
        raise UploadError("unsafe_path", "no empty part, no . or .., no space or dot at an end", where)


def _entries(data: bytes, limits: UploadLimits) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except Exception as error:  # zipfile lets six other kinds through, all of them "broken"
        raise UploadError("broken_zip", f"this is no sound zip file ({error})") from None
    if len(entries) > limits.files:
        raise UploadError("too_many_files", f"{len(entries)} entries; {limits.files} are allowed")
    if sum(info.file_size for info in entries) > limits.unpacked_bytes:
        raise UploadError("too_big", f"more than {limits.unpacked_bytes // 1024} KiB when unpacked")
    return entries


def _check_kind(info: zipfile.ZipInfo) -> None:
    where = _shown(info.orig_filename)
    kind = stat.S_IFMT(info.external_attr >> 16)
    allowed = {0, stat.S_IFDIR} if _is_folder(info) else {0, stat.S_IFREG}
    if kind not in allowed:
        raise UploadError("not_a_file", "only files and folders: no links, devices or pipes", where)
    if _is_folder(info) and info.file_size:
        raise UploadError("not_a_file", "a folder with content", where)
    if info.flag_bits & _ENCRYPTED:
        raise UploadError("encrypted", "is encrypted", where)
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UploadError("broken_zip", "packed by a method other than stored or deflate", where)


def _span(data: bytes, info: zipfile.ZipInfo) -> tuple[int, int]:
    """Where an entry's packed bytes are; its two headers must agree on its name."""
    where = _shown(info.orig_filename)
    try:
        header = _LOCAL_HEADER.unpack_from(data, info.header_offset)
    except (struct.error, OverflowError):
        raise UploadError("broken_zip", "its header is missing", where) from None
    name_size, extra_size = header[-2:]
    name_at = info.header_offset + _LOCAL_HEADER.size
    start = name_at + name_size + extra_size
    end = start + info.compress_size
    name = data[name_at : name_at + name_size].decode("utf-8" if header[2] & 0x800 else "cp437", "replace")
    if header[0] != _LOCAL_MAGIC or end > len(data):
        raise UploadError("broken_zip", "its header or content is cut off", where)
    if name != info.orig_filename or header[2] & _ENCRYPTED or header[3] != info.compress_type:
        raise UploadError("broken_zip", "its two headers differ", where)
    return start, end


def _inflate(packed: bytes, info: zipfile.ZipInfo, room: int) -> bytes:
    where = _shown(info.orig_filename)
    if info.compress_type == zipfile.ZIP_STORED:
        content, sound = packed, True
    else:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(packed, room + 1)
        except zlib.error:
            raise UploadError("broken_zip", "its packed bytes are damaged", where) from None
        sound = (inflater.eof and not inflater.unused_data) or len(content) > room
    if len(content) > room:
        raise UploadError("too_big", "more when unpacked than the archive may hold", where)
    if not sound or len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise UploadError("broken_zip", "its size or checksum is wrong", where)
    return content


def _is_folder(info: zipfile.ZipInfo) -> bool:
    # By the name as it was stored: what zipfile makes of one with NUL may be empty.
    return info.orig_filename.endswith("/")


def _is_mac_junk(path: str) -> bool:
    return path.startswith("__MACOSX/") or path.rpartition("/")[2] == ".DS_Store"


def _shown(path: str) -> str:
    """A name for a message: one short printable line."""
    return re.sub(r"[^ -~]", "?", path[:80]) + ("…" if len(path) > 80 else "")
