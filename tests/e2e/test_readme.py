"""The first ten minutes, as README has them."""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from demo import broker, services
from demo.processes import Processes

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
COMMAND = ".venv/bin/polignac "


def commands():
    """The lines that README gives to play and audit at home."""
    lines = re.findall(rf"^{re.escape(COMMAND)}.*$", README, re.MULTILINE)
    return [[sys.executable, "-m", "arena", *shlex.split(line.removeprefix(COMMAND))] for line in lines]


@pytest.mark.bubblewrap
def test_the_bot_in_the_readme_plays_as_the_readme_says(tmp_path):
    (tmp_path / "mybot.py").write_text(
        re.search(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)[1]
    )
    said = ""
    for command in commands():
        done = subprocess.run(
            command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        said += done.stdout
    assert re.search(r"mybot .* 0 *$", said, re.MULTILINE), "it plays, and without a fault"
    assert "sound" in said


def test_the_readmes_bot_is_the_demos_ducker():
    body = re.search(r"    def play\(self\):.*?(?=\n\n)", README, re.DOTALL)[0]
    plain = re.sub(r"  # .*", "", body)
    assert plain in (ROOT / "demo/bots/ducker.py").read_text()


# What README says in words: "after a few seconds", "until all tables are done", "a little later".
AWAIT_CHECKS = """
for ENTRY in $ENTRIES; do
    OWNER=$(login ${ENTRY%:*})
    for _ in $(seq 600); do
        case "$(curl -s $SITE/api/v1/versions/${ENTRY#*:}/ -H "$OWNER")" in
            *'"status":"active"'*) break ;;
            *'"status":"rejected"'*) exit 1 ;;
        esac
        sleep 0.2
    done
done
"""
AWAIT_RATINGS = """
for LIST in tournaments/$TOURNAMENT/standings/ ratings/; do
    for _ in $(seq 600); do
        case "$(curl -s $SITE/api/v1/$LIST)" in *'"matches":15,'*) break ;; esac
        sleep 0.2
    done
done
"""


def submission(site):
    """What README has people type to submit bots and run a tournament, as one script."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    upload, tournament = (
        next(block for block in blocks if start in block) for start in ("SITE=", "TOURNAMENT=")
    )
    upload = upload.replace("http://127.0.0.1:8000", site)
    before, progress, after = tournament.partition("curl -s $SITE/api/v1/tournaments/$TOURNAMENT/progress/")
    return "\n".join(["set -eu", "ENTRIES=", upload, AWAIT_CHECKS, before, AWAIT_RATINGS, progress + after])


@pytest.fixture
def league(tmp_path):
    """The address of a league as `make demo` starts it, still empty."""
    logs = tmp_path / "logs"
    logs.mkdir()
    port = broker.free_port()
    environment = services.environment(tmp_path, f"redis://127.0.0.1:{port}/0")
    with (
        socket.create_server(("127.0.0.1", 0), backlog=64) as listening,
        Processes(logs, environment) as them,
    ):
        services.start_redis(them, broker.find_server(), port, tmp_path)
        services.migrate(them)
        services.start_league(them, listening.fileno(), cores=2)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.mark.slow
@pytest.mark.bubblewrap
@pytest.mark.redis
def test_what_readme_has_people_type_ends_in_ratings(league, tmp_path):
    (tmp_path / "mybot.py").write_bytes((ROOT / "demo/bots/ducker.py").read_bytes())
    done = subprocess.run(
        ["bash", "-c", submission(league)],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "NO_PROXY": "*"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answers = [json.loads(text) for text in re.split(r"(?<=[\]}])(?=[\[{])", done.stdout.strip())]
    standings, ratings = answers[-2:]
    assert {row["bot"] for row in standings["results"]} == {"First of anna", "First of bert", "First of cora"}
    assert {row["owner"] for row in ratings["results"]} == {"anna", "bert", "cora"}
