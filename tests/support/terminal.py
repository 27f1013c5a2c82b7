"""The `polignac` command as a process, on a terminal of its own if need be."""

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def start(*arguments, module="client", **options):
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, text=True, **options)


def on_a_terminal(*arguments, **environment):
    """Run with standard error on a terminal of its own; what was drawn there, and the standard output."""
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", **environment}
    process = start(*arguments, stderr=follower, stdout=subprocess.PIPE, env=env)
    os.close(follower)
    drawn = b""
    while select.select([leader], [], [], 60)[0]:
        try:
            drawn += os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
    out, _ = process.communicate(timeout=60)
    os.close(leader)
    assert process.returncode == 0
    return drawn.decode(), out
