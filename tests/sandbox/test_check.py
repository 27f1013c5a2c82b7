"""The check of an upload tells its owner the first thing that is wrong, and never blames it for ours."""

import io
import zipfile

import pytest

from arena.errors import PlatformFailure
from arena.protocol import ClockLimits
from sandbox.check import Stage, check_upload
from sandbox.languages import languages
from sandbox.session import FakeBackend
from tests.sandbox.bots import HASTY, MISCHIEF, PATIENT

STARTER = languages()["python"].starter["main.py"]
#: For bots that are never ready; others have all the time that they want.
HASTY_START = ClockLimits(start_ms=2_000)


def stages(data, backend, filename="bot.py", clock=PATIENT):
    if isinstance(data, str):
        data = data.encode()
    return [
        (str(r.stage), str(r.status), r.code)
        for r in check_upload(data, filename, backend, (4,), clock=clock)
    ]


PASSED = [(stage, "passed", "ok") for stage in ("archive", "manifest", "build", "start", "handshake")]


def test_a_starter_bot_passes_at_every_number_of_players(backend):
    results = list(check_upload(STARTER, "bot.py", backend, clock=PATIENT))
    assert [(r.stage, r.code) for r in results] == [(stage, "ok") for stage in Stage], results
    assert all(r.message.endswith(".") and r.duration_ms >= 0 for r in results)


@pytest.mark.node
def test_the_starter_bot_in_javascript_passes_too(backend):
    starter = languages()["javascript"].starter["main.mjs"]
    results = list(check_upload(starter, "bot.mjs", backend, clock=PATIENT))
    assert [(r.stage, r.code) for r in results] == [(stage, "ok") for stage in Stage], results


def test_an_archive_that_breaks_a_rule_is_never_run(backend):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("../main.py", "x")
    assert stages(buffer.getvalue(), backend, "bot.zip") == [("archive", "failed", "unsafe_path")]


@pytest.mark.parametrize(
    ("source", "stage", "code"),
    [
        ("def broken(:", "start", "crash"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "start", "crash"),
        ("x = [b'x' * (1 << 20) for _ in range(1000)]", "start", "memory"),
        ("while True: pass", "handshake", "start"),
        ("import os\nwhile True:\n try: os.fork()\n except OSError: pass", "handshake", "start"),
        ("print('I am ready')\ninput()\ninput()", "handshake", "garbage"),
        ("while True: print('{}' + ' ' * 10000)", "handshake", "output"),
        ("import json; print(json.dumps({'id': json.loads(input())['id']})); input()", "handshake", "start"),
    ],
)
def test_a_bot_that_never_gets_ready_is_rejected_with_the_reason(backend, source, stage, code):
    found = stages(source, backend, clock=HASTY_START if code == "start" else PATIENT)
    assert found[-1] == (stage, "failed", code)
    assert found[:-1] == PASSED[: len(found) - 1]


def test_the_owner_is_shown_the_log(backend):
    *_, last = check_upload(b"def broken(:", "bot.py", backend, clock=PATIENT)
    assert "SyntaxError" in last.log
    assert "exit code 1" in last.message


@pytest.mark.parametrize(
    ("act", "code"),
    [
        ("reply['card'] = 'ZZ'", "invalid"),
        ("sys.exit(3)", "crash"),
        ("time.sleep(9)", "timeout"),
        ("print(7)", "garbage"),
    ],
)
def test_a_bot_that_fails_at_the_table_is_told_where(backend, act, code):
    clock = HASTY if code == "timeout" else PATIENT
    source = MISCHIEF.format(act=act, when=3).encode()
    results = list(check_upload(source, "bot.py", backend, (3, 4), clock=clock))
    assert (str(results[-1].stage), results[-1].code) == ("rules", code)
    assert "with 4 players, deal 1, trick 2, variant=polignac bids=capot,general" in results[-1].message


def test_a_platform_that_fails_says_nothing_about_the_upload():
    class Broken(FakeBackend):
        def launch(self, package, limits, log, label=""):
            raise PlatformFailure("sandbox_start", "no engine")

    with pytest.raises(PlatformFailure, match="no engine"):
        list(check_upload(STARTER, "bot.py", Broken(lambda lines: lines)))
