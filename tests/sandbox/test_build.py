"""Compiled languages: built once, in a sandbox, into what runs; a build can do no harm and take no time."""

import dataclasses
import io
import zipfile

import pytest

from arena.errors import PlatformFailure
from sandbox import languages as known
from sandbox.build import BUILD_LIMITS, BuildFailed, build
from sandbox.check import Stage, check_folder, check_upload
from sandbox.languages import languages
from sandbox.package import Package, UploadError, read_upload
from tests.sandbox.bots import PATIENT, play_against_references

COMPILED = sorted(name for name, language in languages().items() if language.build)
HELLO_C = b'#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'


def c(source, **more):
    return Package({"main.c": source, **more}, "c", "main.c")


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture
def with_commands(monkeypatch):
    """Let C be "built" by shell commands: what a compiler that somebody has turned could do at the worst."""

    def change(*commands):
        language = languages()["c"]
        changed = dataclasses.replace(
            language,
            build=dataclasses.replace(
                language.build,
                commands=tuple(("bash", "-c", command) for command in commands),
            ),
        )
        everything = {**languages(), "c": changed}
        monkeypatch.setattr(known, "languages", lambda: everything)
        monkeypatch.setattr("sandbox.build.languages", lambda: everything)

    return change


# -- what is built ----------------------------------------------------------------------------------


@pytest.mark.bubblewrap
@pytest.mark.compilers
@pytest.mark.node
@pytest.mark.parametrize("name", languages())
def test_the_starter_of_every_language_passes_the_check(name, tmp_path):
    from sandbox.bubblewrap import BubblewrapBackend

    for path, content in languages()[name].starter.items():
        (tmp_path / path).write_bytes(content)
    results = list(check_folder(tmp_path, BubblewrapBackend(), clock=PATIENT))
    assert [(r.stage, r.code) for r in results] == [(stage, "ok") for stage in Stage], results


@pytest.mark.docker
@pytest.mark.parametrize("name", [name for name, each in languages().items() if each.image_by_default])
def test_the_starters_with_an_image_pass_the_check_in_containers(name, docker_backend):
    passes_in_containers(name, docker_backend)


@pytest.mark.slow
@pytest.mark.images
@pytest.mark.parametrize("name", [name for name, each in languages().items() if not each.image_by_default])
def test_so_do_those_of_the_other_languages_where_their_images_were_built(name, docker_backend):
    """The images are big, so nobody has to have them (docs/sandbox.md, Images)."""
    passes_in_containers(name, docker_backend)


def passes_in_containers(name, docker_backend):
    data = zipped(languages()[name].starter)
    results = list(check_upload(data, "bot.zip", docker_backend, clock=PATIENT))
    assert [(r.stage, r.code) for r in results] == [(stage, "ok") for stage in Stage], results


@pytest.mark.compilers
def test_an_artefact_is_a_package_of_its_own_that_comes_back_from_its_zip(backend):
    package = c(HELLO_C)
    built = build(package, backend)
    assert not package.runnable
    assert built.artefact.runnable
    assert built.compiler.startswith("gcc 1")
    assert Package.from_zip(built.artefact.to_zip()) == built.artefact
    assert built.artefact.digest == build(package, backend).artefact.digest
    assert built.artefact.digest != package.digest


@pytest.mark.compilers
@pytest.mark.bubblewrap
@pytest.mark.docker
def test_what_is_built_under_one_backend_runs_under_the_other(docker_backend):
    from sandbox.bubblewrap import BubblewrapBackend

    package = read_upload(languages()["c"].starter["main.c"], "bot.c")
    artefact = build(package, BubblewrapBackend()).artefact
    record, log = play_against_references(docker_backend, artefact)
    assert record.faults == (), log


@pytest.mark.compilers
def test_a_program_of_several_files_is_built(backend):
    header = b"int answer(void);\n"
    other = b'#include "../lib/answer.h"\nint answer(void) { return 42; }\n'
    main = b'#include "lib/answer.h"\nint main(void) { return answer(); }\n'
    package = c(main, **{"lib/answer.h": header, "src/answer.c": other, "-rf.c": b"int unused;\n"})
    assert build(package, backend).artefact.files


# -- whose fault it is --------------------------------------------------------------------------------


@pytest.mark.compilers
@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"int main(void) { return x; }", "'x' undeclared"),
        (b'#include "/etc/passwd"\nint main(void) { return 0; }', "/etc/passwd"),
        (b'#include "main.c"\n', "nested depth"),
        (b'asm(".incbin \\"/etc/shadow\\"");\nint main(void) { return 0; }', "file not found"),
    ],
)
def test_what_the_compiler_refuses_is_told_in_its_own_words(backend, source, says):
    *passed, last = check_upload(source, "bot.c", backend, clock=PATIENT)
    assert [r.stage for r in passed] == [Stage.ARCHIVE, Stage.MANIFEST]
    assert (last.stage, last.code) == (Stage.BUILD, "build_error")
    assert says in last.log.replace("\N{LEFT SINGLE QUOTATION MARK}", "'").replace(
        "\N{RIGHT SINGLE QUOTATION MARK}", "'"
    )
    if backend.name == "bubblewrap":  # in a container it is the image's own
        assert "root:" not in last.log


@pytest.mark.compilers
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("while :; do :; done", "build_timeout"),
        ("bomb() { bomb | bomb & }; bomb; sleep 60", "build_timeout"),
        ("sleep 60 & exit 1", "build_error"),
        ("yes >&3", "build_output"),
        ("head -c 100000 /dev/zero >&3", "build_output"),
        ("while :; do yes x | head -c 1000000; done", "build_timeout"),
        ("head -c 300000000 /dev/zero > /polignac-build/bot", "build_error"),
        ("head -c 30000000 /dev/zero > /polignac-build/bot", "build_output"),
        ("exit 3", "build_error"),
        ("touch /bot/mine || exit 4", "build_error"),
        ("echo > /dev/tcp/127.0.0.1/80 || exit 5", "build_error"),
    ],
)
def test_a_build_that_runs_wild_is_stopped_and_its_authors(backend, with_commands, command, code):
    with_commands(command)
    with pytest.raises(BuildFailed) as failed:
        build(c(HELLO_C), backend, seconds=3.0)
    assert failed.value.code == code, failed.value.log
    assert len(failed.value.log) <= 66_000


@pytest.mark.compilers
def test_a_build_that_takes_too_much_memory_is_stopped(backend, with_commands):
    with_commands("x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#x}")
    limits = dataclasses.replace(BUILD_LIMITS, memory_mib=128)
    with pytest.raises(BuildFailed) as failed:
        build(c(HELLO_C), backend, limits=limits, seconds=20.0)
    assert failed.value.code in ("build_memory", "build_error"), failed.value.log


@pytest.mark.compilers
def test_a_long_log_is_cut_and_marked(backend):
    source = b"\n".join(b"#warning %d is a long way to go" % n for n in range(4000)) + b"\n" + HELLO_C
    *_, made = (r for r in check_upload(source, "bot.c", backend, (4,)) if r.stage is Stage.BUILD)
    assert made.code == "ok"
    assert made.log.endswith("more bytes were not kept]\n")
    assert len(made.log) < 66_000


@pytest.mark.compilers
def test_a_compiler_that_is_not_there_is_the_platforms_fault(backend, with_commands):
    with_commands("exec no-such-compiler")
    with pytest.raises(PlatformFailure, match="no-such-compiler"):
        build(c(HELLO_C), backend)


@pytest.mark.bubblewrap
def test_a_missing_compiler_is_named_to_the_operator(monkeypatch):
    from sandbox.bubblewrap import BubblewrapBackend

    language = languages()["c"]
    tool = dataclasses.replace(language.build.compiler, candidates=("/no/such/gcc",))
    gone = dataclasses.replace(language, build=dataclasses.replace(language.build, compiler=tool))
    monkeypatch.setattr(known, "languages", lambda: {**languages(), "c": gone})
    with pytest.raises(PlatformFailure, match=r"no compiler of C 10 or newer.*none of /no/such/gcc is there"):
        build(c(HELLO_C), BubblewrapBackend())


# -- flags --------------------------------------------------------------------------------------------


@pytest.mark.compilers
def test_allowed_flags_reach_the_compiler(backend):
    toml = b'flags = ["-O3", "-DNDEBUG", "-Wall"]\n'
    source = b"#ifndef NDEBUG\n#error no flag\n#endif\n" + HELLO_C
    package = read_upload(zipped({"main.c": source, "bot.toml": toml}), "bot.zip")
    assert package.flags == ("-O3", "-DNDEBUG", "-Wall")
    assert build(package, backend).artefact.files


@pytest.mark.parametrize(
    ("language", "flags", "code"),
    [
        ("c", '["-fplugin=./evil.so"]', "bad_flag"),
        ("c", '["@/etc/passwd"]', "bad_flag"),
        ("c", '["-O2;id"]', "bad_flag"),
        ("go", '["-toolexec=sh"]', "bad_flag"),
        ("rust", '["-Clinker=./evil"]', "bad_flag"),
        ("java", '["-processorpath", "."]', "bad_flag"),
        ("python", '["-O"]', "bad_flag"),
        ("c", '"-O2"', "bad_manifest"),
        ("c", "[2]", "bad_manifest"),
        ("c", str(["-O2"] * 17).replace("'", '"'), "bad_manifest"),
    ],
)
def test_flags_that_are_not_on_the_list_are_refused(language, flags, code):
    entry = languages()[language].entries[0]
    with pytest.raises(UploadError) as refused:
        read_upload(zipped({entry: b"x", "bot.toml": f"flags = {flags}".encode()}), "bot.zip")
    assert refused.value.code == code
    assert refused.value.where == "bot.toml"


@pytest.mark.parametrize("name", COMPILED)
def test_the_usual_flags_are_allowed_ones(name):
    plan = languages()[name].build
    assert set(plan.default_flags) <= set(plan.allowed_flags)
