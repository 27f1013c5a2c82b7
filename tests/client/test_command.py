"""The `polignac` command as a process: on a terminal, in a pipe, and stopped in the middle."""

import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from tests.support.terminal import on_a_terminal, start

# A bot that never answers, and says so where a test can see it.
WAITS = """\
import sys, time
for line in sys.stdin:
    if '"hello"' in line:
        import json
        print(json.dumps({"id": json.loads(line)["id"], "ready": True}), flush=True)
    else:
        time.sleep(600)
"""


@pytest.mark.parametrize("module", ["arena", "client"])
def test_the_command_is_there_as_a_module(module):
    process = start("play", "lowest", "random", "dodger", module=module, stdout=subprocess.PIPE)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "points a deal" in out


def descendants(pid):
    """Every process that comes from `pid`, and its command line."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            command = (status.parent / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        if parent == pid:
            child = int(status.parent.name)
            found |= {child: command, **descendants(child)}
    return found


def bots_of(process, wanted):
    """All descendants, once that many bots run among them."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = descendants(process.pid)
        bots = [
            command for command in found.values() if b"python" in command[0] and b"main.py" in command[-2]
        ]
        if len(bots) == wanted:
            return found
        assert process.poll() is None, process.stderr.read()
    raise AssertionError("the bots were not started")


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ended_within(seconds, pids):
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < deadline:
        pass
    return not any(map(alive, pids))


@pytest.fixture
def temporary():
    """A folder for temporary files that a sandbox's own user can reach, unlike pytest's."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("sandbox", ["none", pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)])
def test_stopped_in_the_middle_it_leaves_nothing_behind(sandbox, stop, tmp_path, temporary):
    bot = tmp_path / "waits.py"
    bot.write_text(WAITS)
    environment = {**os.environ, "TMPDIR": str(temporary)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = start("play", bot, bot, bot, "--sandbox", sandbox, env=environment, **pipes)
    pids = bots_of(process, 3)
    process.send_signal(stop)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (out, err) == ("", "polignac: stopped\n")
    assert ended_within(1, pids)
    assert list(temporary.glob("polignac-seat-*")) == []


def test_a_terminal_sees_progress_and_a_pipe_only_the_results():
    drawn, out = on_a_terminal("play", "lowest", "random", "dodger", "--boards", 30)
    assert "playing" in drawn
    assert "30/30" in drawn
    assert "playing" not in out
    assert "\x1b" not in out


def test_no_color_is_respected():
    drawn, _ = on_a_terminal("play", "lowest", "random", "dodger", "--boards", 10, NO_COLOR="1")
    colours = re.findall(r"\x1b\[([0-9;]*)m", drawn)
    assert not any(re.search(r"\b(3|4|9|10)[0-7]\b|38|48", colour) for colour in colours)


def test_a_sandbox_that_does_not_work_here_is_said_with_the_reason(tmp_path):
    bot = tmp_path / "waits.py"
    bot.write_text(WAITS)
    environment = {**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/nobody.sock"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = start("play", bot, "lowest", "random", "--sandbox", "docker", env=environment, **pipes)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("polignac: no sandbox works here, so bots cannot be run")
    assert "docker: " in err


def test_a_reader_that_goes_away_is_no_traceback():
    process = start("audit", *["tests/golden/records.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    err = process.stderr.read()
    process.wait(60)
    assert "Traceback" not in err
    process.stderr.close()
