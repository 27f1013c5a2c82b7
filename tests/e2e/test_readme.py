"""The first ten minutes, as README has them."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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
