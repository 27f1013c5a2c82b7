"""An upload is taken whole or refused with a reason; nothing in it is ever renamed."""

import contextlib
import io
import stat
import struct
import time
import tracemalloc
import warnings
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.package import Package, UploadError, UploadLimits, read_folder, read_upload

BOT = b"print('a bot')\n"
TWO_FILES = {"main.py": BOT, "lib/cards.py": b"x = 1\n"}


def zip_of(entries, compression=zipfile.ZIP_DEFLATED):
    """A zip of ``{name: content}`` or of ``(ZipInfo or name, content)`` pairs, names as they are."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, content in entries.items() if isinstance(entries, dict) else entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def entry(name, mode):
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = mode << 16
    return info


def refusal(data, filename="bot.zip", limits=None) -> UploadError:
    with pytest.raises(UploadError) as refused:
        read_upload(data, filename, limits)
    error = refused.value
    assert error.code
    assert error.message
    assert "\n" not in str(error)
    assert str(error).isprintable()
    return error


# -- what is taken ---------------------------------------------------------------------------------


def test_a_zip_is_read_with_its_folders():
    package = read_upload(zip_of(TWO_FILES), "bot.zip")
    assert (dict(package.files), package.language, package.entry) == (TWO_FILES, "python", "main.py")


def test_a_zip_is_known_by_its_content_not_by_its_name():
    assert read_upload(zip_of(TWO_FILES), "bot.py").files == TWO_FILES


@pytest.mark.parametrize(
    ("filename", "language", "entry"),
    [
        ("bot.py", "python", "main.py"),
        ("BOT.PY", "python", "main.py"),
        ("bot.mjs", "javascript", "main.mjs"),
        ("bot.js", "javascript", "main.js"),
        ("../../x.py", "python", "main.py"),
        ("x\0.py", "python", "main.py"),
        ("C:\\x\\bot.py", "python", "main.py"),
        ("n" * 5000 + ".py", "python", "main.py"),
    ],
)
def test_a_single_file_is_stored_under_a_name_of_ours(filename, language, entry):
    package = read_upload(BOT, filename)
    assert (dict(package.files), package.language, package.entry) == ({entry: BOT}, language, entry)


@pytest.mark.parametrize("mode", [0o106755, 0o100000, 0o100777, 0o644, 0])
def test_modes_mean_nothing(mode):
    assert read_upload(zip_of([(entry("main.py", mode), BOT)]), "b.zip").files == {"main.py": BOT}


def test_folders_and_what_a_mac_adds_are_left_out():
    extra = {"lib/": b"", "__MACOSX/._main.py": b"x", "lib/.DS_Store": b"x"}
    assert read_upload(zip_of({**TWO_FILES, **extra}), "b.zip").files == TWO_FILES


def test_the_only_source_file_is_the_program():
    assert read_upload(zip_of({"src/duck.py": BOT, "readme.md": b"hi"}), "b.zip").entry == "src/duck.py"


def test_a_manifest_names_program_language_and_bot():
    manifest = b'name = "Ducking"\nlanguage = "python"\nentry = "src/duck.py"\n'
    package = read_upload(zip_of({"bot.toml": manifest, "src/duck.py": BOT, "main.py": BOT}), "b.zip")
    assert (package.title, package.language, package.entry) == ("Ducking", "python", "src/duck.py")


def test_a_folder_at_home_is_read_without_its_hidden_files(tmp_path):
    for name in ("main.py", "lib/cards.py", ".git/config", "__pycache__/main.pyc", ".env"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(TWO_FILES.get(name, b"x"))
    assert read_folder(tmp_path).files == TWO_FILES


# -- a value ---------------------------------------------------------------------------------------


def test_equal_packages_have_equal_digests_however_they_were_packed():
    first = read_upload(zip_of(TWO_FILES), "a.zip")
    second = read_upload(zip_of(dict(reversed(TWO_FILES.items())), zipfile.ZIP_STORED), "b.zip")
    assert first == second
    assert first.digest == second.digest
    assert first.to_zip() == second.to_zip()


@pytest.mark.parametrize(
    "other",
    [
        Package({"main.py": BOT + b" ", "lib/cards.py": b"x = 1\n"}, "python", "main.py"),
        Package({"main.py": BOT, "lib/card.py": b"x = 1\n"}, "python", "main.py"),
        Package({"main.py": BOT}, "python", "main.py"),
        Package(TWO_FILES, "javascript", "main.py"),
        Package(TWO_FILES, "python", "lib/cards.py"),
    ],
)
def test_another_package_has_another_digest(other):
    assert other.digest != Package(TWO_FILES, "python", "main.py").digest


def test_the_stored_form_gives_the_package_back():
    manifest = b'name = "Ducking"\nentry = "src/duck.py"\n'
    for package in (
        read_upload(BOT, "x.mjs"),
        read_upload(zip_of({"bot.toml": manifest, "src/duck.py": BOT, "main.py": BOT}), "b.zip"),
    ):
        again = Package.from_zip(package.to_zip())
        assert again == package
        assert again.digest == package.digest


def test_the_stored_form_of_somebody_else_is_refused():
    with pytest.raises(UploadError, match="no package of ours"):
        Package.from_zip(zip_of(TWO_FILES))


def test_its_files_cannot_be_changed():
    with pytest.raises(TypeError):
        Package(TWO_FILES, "python", "main.py").files["main.py"] = b""


# -- names -----------------------------------------------------------------------------------------

UNSAFE = [
    *("../x", "a/../../x", "a/..", "..", "./main.py", "a/./b", "a//b", "/etc/x", "//etc/x"),
    *("C:\\x", "C:x", "c:/x", "\\\\host\\x", "a\\b", "\\x", "x:stream"),
    *("a\nb", "a\rb", "a\tb", "a\x7fb", "a\x85b", "a\u202eb", "a\u200bb", "\ue000", "\u2028"),
    *(" x", "x ", "x.", "a. /b"),
]


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_name_refuses_the_whole_upload(name):
    error = refusal(zip_of([("main.py", BOT), (name, b"x")]))
    assert error.code == "unsafe_path"
    assert error.where


@pytest.mark.parametrize("raw", [b"main.py\0.txt", b"\0", b"a/\0b"])
def test_a_name_with_nul_is_seen_as_it_is(raw):
    data = zip_of([("main.py", BOT), ("Z" * len(raw), b"x")], zipfile.ZIP_STORED)
    assert refusal(data.replace(b"Z" * len(raw), raw)).code == "unsafe_path"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a.py", "a.py"),
        ("a.py", "A.py"),
        ("é.py", "e\u0301.py"),
        ("lib", "lib/x.py"),
        ("Lib", "lib/x.py"),
        ("ß", "SS"),
    ],
)
def test_two_names_that_some_machine_takes_for_one_are_refused(first, second):
    assert refusal(zip_of([("main.py", BOT), (first, b"1"), (second, b"2")])).code == "same_name"


@pytest.mark.parametrize("name", ["n" * 200 + ".py", "/".join("abcdefghij") + ".py"])
def test_a_long_or_deep_name_is_refused(name):
    assert refusal(zip_of([("main.py", BOT), (name, b"x")])).code == "long_path"


# -- kinds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFDIR]
)
def test_only_files_are_taken(kind):
    assert (
        refusal(zip_of([("main.py", BOT), (entry("x", kind | 0o777), b"/etc/passwd")])).code == "not_a_file"
    )


def test_a_folder_with_content_is_refused():
    assert refusal(zip_of([("main.py", BOT), ("x/", b"content")])).code == "not_a_file"


def test_an_encrypted_entry_is_refused():
    data = bytearray(zip_of({"main.py": BOT}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(data)).code == "encrypted"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_refused(method):
    assert refusal(zip_of({"main.py": BOT}, method)).code == "broken_zip"


# -- counts and sizes ------------------------------------------------------------------------------


def test_too_many_files_are_refused_soon():
    data = zip_of({f"{n}": b"" for n in range(60_000)}, zipfile.ZIP_STORED)
    began = time.process_time()
    assert refusal(data).code == "too_big"
    assert refusal(data, limits=UploadLimits(upload_bytes=len(data))).code == "too_many_files"
    assert time.process_time() - began < 2.0


def test_a_bomb_is_not_inflated_beyond_the_limit():
    data = zip_of({"main.py": BOT, "zeros": bytes(50_000_000)})
    tracemalloc.start()
    assert refusal(data).code == "too_big"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5_000_000


def test_a_bomb_that_lies_about_its_size_is_not_inflated_beyond_the_limit():
    data = bytearray(zip_of({"zeros": bytes(50_000_000)}))
    for at in (22, data.index(b"PK\x01\x02") + 24):
        data[at : at + 4] = struct.pack("<I", 100)
    tracemalloc.start()
    assert refusal(bytes(data)).code == "too_big"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000


@pytest.mark.parametrize("size", [0, 1, 14, 16, 2**32 - 1])
def test_a_wrong_size_is_refused(size):
    data = bytearray(zip_of({"main.py": BOT}))
    for at in (22, data.index(b"PK\x01\x02") + 24):
        data[at : at + 4] = struct.pack("<I", size)
    assert refusal(bytes(data)).code in {"broken_zip", "too_big"}


def test_entries_that_overlap_are_refused():
    # Two names in the directory, one and the same packed bytes: how 104 KB declare 20 GB.
    data = zip_of({"aa.py": BOT, "bb.py": BOT}, zipfile.ZIP_STORED)
    directory = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", directory + 1)
    twisted = bytearray(data)
    twisted[second + 42 : second + 46] = struct.pack("<I", 0)
    assert refusal(bytes(twisted)).code == "broken_zip"
    twisted[second + 46 : second + 51] = b"aA.py"
    assert refusal(bytes(twisted)).code in {"broken_zip", "same_name"}


def test_an_upload_may_have_so_many_bytes_and_no_more():
    limits = UploadLimits(upload_bytes=len(BOT))
    assert read_upload(BOT, "x.py", limits)
    assert refusal(BOT + b"\n", "x.py", limits).code == "too_big"


def test_many_small_files_together_are_too_big():
    limits = UploadLimits(unpacked_bytes=1000)
    data = zip_of({f"{n}.py": bytes(300) for n in range(4)})
    assert refusal(data, limits=limits).code == "too_big"


# -- broken zips -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), b"no zip at all" * 10]
)
def test_what_is_no_zip_is_refused(data):
    assert refusal(data).code in {"broken_zip", "empty"}


@given(st.data())
def test_a_damaged_zip_is_refused_or_gives_the_same_files(data):
    whole = zip_of(TWO_FILES)
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    for candidate in (bytes(damaged), whole[:cut], whole[cut:], whole[:cut] + whole):
        try:
            package = read_upload(candidate, "bot.zip")
        except UploadError:
            continue
        assert set(package.files.values()) <= {*TWO_FILES.values()}


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_taken(data):
    for name in ("x.zip", "x.py", "x", ""):
        with contextlib.suppress(UploadError):
            read_upload(data, name)


# -- what is run -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("manifest", "says"),
    [
        (b"entry = 5", "entry must be a text"),
        (b'entry = ""', "entry must be a text"),
        (b"language = ['python']", "language must be a text"),
        (b'language = "cobol"', "no language 'cobol'; there are c, cpp, go, java, javascript, python, rust"),
        (b'entry = "other.py"', "not in the upload"),
        (b'author = "me"', "unknown key 'author'; there are name, language, entry, flags"),
        (b'name = "a\\nb"', "one line"),
        (b'name = "' + b"n" * 61 + b'"', "60 characters"),
        (b"entry = ", "not TOML"),
        (b"\xff", "not TOML"),
        (b"#" * 20_000, "may have 2 KiB"),
        (b"a = " + b"[" * 1900, "not TOML"),
    ],
)
def test_a_manifest_with_a_mistake_is_refused_with_what_would_be_right(manifest, says):
    error = refusal(zip_of({**TWO_FILES, "bot.toml": manifest}))
    assert error.where == "bot.toml"
    assert says in error.message


def test_an_upload_without_a_program_is_told_what_to_call_it():
    error = refusal(zip_of({"a.py": BOT, "b.py": BOT}))
    assert error.code == "no_entry"
    assert "main.py" in error.message


def test_a_zipped_folder_is_told_to_zip_what_is_in_it():
    assert "'mybot'" in refusal(zip_of({"mybot/main.py": BOT, "mybot/b.py": BOT})).message


def test_two_programs_are_told_to_name_one():
    error = refusal(zip_of({"main.py": BOT, "main.js": b"1"}))
    assert error.code == "no_entry"
    assert "main.js and main.py" in error.message


@pytest.mark.parametrize(
    ("data", "filename", "code"),
    [
        (BOT, "bot.exe", "unknown_language"),
        (BOT, "bot", "unknown_language"),
        (BOT, "", "unknown_language"),
        (b"", "bot.py", "empty"),
        (b"  \n", "bot.py", "empty"),
        (b"\xff\xfe", "bot.py", "not_text"),
        (b"x\0y", "bot.py", "not_text"),
    ],
)
def test_a_single_file_must_be_source_text_of_a_known_language(data, filename, code):
    assert refusal(data, filename).code == code


def test_an_empty_zip_is_refused():
    assert refusal(zip_of({})).code == "empty"
    assert refusal(zip_of({"lib/": b""})).code == "empty"
