"""A language is data; its interpreter is found where bots can use it, and passed over where they can't."""

import dataclasses
import json
import os
import sys

import pytest

from arena.protocol import ClockLimits, Hello, PlayQuestion
from arena.seat import Failure, FaultKind, Reply
from sandbox import languages
from sandbox.bubblewrap import BubblewrapBackend
from sandbox.languages import NoInterpreter, find_interpreter
from sandbox.limits import Limits
from sandbox.package import Package
from sandbox.seat import ProcessSeat
from tests.sandbox.bots import python

HELLO = Hello(id="h", rules={}, players=4, clock=ClockLimits())
READY_JS = """
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify({ id: JSON.parse(line).id, ready: true }) + "\\n");
  %s
});
"""


@pytest.fixture
def with_language(monkeypatch):
    """Change what is known of a language, for one test."""

    def change(name, **values):
        known = languages.languages()[name]
        changed = dataclasses.replace(known, interpreter=dataclasses.replace(known.interpreter, **values))
        everything = {**languages.languages(), name: changed}
        for module in ("languages", "bubblewrap"):
            monkeypatch.setattr(f"sandbox.{module}.languages", lambda: everything)
        languages.forget_found()

    yield change
    languages.forget_found()


def test_every_language_says_all_that_is_asked_of_it():
    for name, language in languages.languages().items():
        assert language.name == name
        assert language.title
        assert language.about
        assert language.entries[0].lower().startswith("main.")
        assert all(entry.endswith(language.suffixes) for entry in language.entries)
        assert language.interpreter is None or any("{entry}" in part for part in language.run)
        assert language.interpreter or language.build
        assert set(language.starter) & set(language.entries)
        assert (language.folder / "Dockerfile").is_file()
        assert (language.folder / "README.md").is_file()
        assert language.base_image
        assert language.debian_packages


@pytest.mark.bubblewrap
def test_an_interpreter_outside_the_system_folders_runs_bots(with_language):
    with_language("python", candidates=(sys.executable,))
    backend = BubblewrapBackend()
    backend._drops_root = False
    source = (
        "import json, sqlite3, ssl, sys\n"
        "print(json.dumps({'id': json.loads(input())['id'], 'ready': True, 'exe': sys.executable,"
        " 'packages': [p for p in sys.path if 'packages' in p and __import__('os').listdir(p)]}))"
    )
    seat = ProcessSeat(backend, python(source))
    answer = seat.ask(HELLO, 30_000)
    seat.stop()
    assert isinstance(answer, Reply), seat.log
    assert answer.value["exe"] == os.path.realpath(sys.executable)
    assert answer.value["packages"] == []


def test_an_interpreter_that_only_we_can_read_is_passed_over(with_language, tmp_path):
    program = tmp_path / "python3"
    program.write_text("#!/bin/sh\nexec " + os.path.realpath(sys.executable) + ' "$@"\n')
    program.chmod(0o700)
    with_language("python", candidates=(str(program),))
    assert find_interpreter("python", for_everybody=False).path == str(program)
    with pytest.raises(NoInterpreter, match="not readable by every user"):
        find_interpreter("python", for_everybody=True)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ('echo \'{"version": [3, 4], "paths": [], "hidden": []}\'', r"is 3\.4"),
        ("echo no", "does not say its version"),
        ("exit 1", "does not say its version"),
    ],
)
def test_an_interpreter_that_will_not_do_is_named_with_the_reason(with_language, tmp_path, answer, says):
    program = tmp_path / "python3"
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    with_language("python", candidates=(str(program), "/no/such/python"))
    with pytest.raises(NoInterpreter, match=says):
        find_interpreter("python", for_everybody=False)


@pytest.mark.node
@pytest.mark.parametrize(
    "kept", ["new Array(100000).fill({})", "Buffer.alloc(1 << 20, 1)"], ids=["heap", "buffers"]
)
def test_a_memory_bomb_in_javascript_is_memory_in_every_backend(backend, kept):
    act = f"const kept = []; for (;;) kept.push({kept});"
    seat = ProcessSeat(backend, Package({"main.mjs": (READY_JS % act).encode()}, "javascript", "main.mjs"))
    assert isinstance(seat.ask(HELLO, 30_000), Reply), seat.log
    question = PlayQuestion(id="p", legal=["JS"], hand=["JS"], trick=[], leader=0, events=[], bank_ms=0)
    fault = seat.ask(question, 30_000)
    assert isinstance(fault, Failure)
    assert fault.kind is FaultKind.MEMORY, (fault, seat.log)


def test_limits_are_checked_when_they_are_made():
    with pytest.raises(ValueError, match="memory_mib must be at least 1"):
        Limits(memory_mib=0)


def test_the_list_of_calls_has_numbers_for_both_architectures():
    from sandbox import seccomp

    numbers = json.loads((seccomp._FOLDER / "syscalls.json").read_text())
    assert numbers["x86_64"]["read"] == 0
    assert numbers["aarch64"]["read"] == 63
