"""The rings: league and client know the sandbox, the sandbox knows arena, and never the other way."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
CARDS_ONLY = ("arena.cards", "arena.rules", "arena.deal", "arena.shuffle", "arena.players")


def test_the_import_contracts_hold():
    environment = os.environ | {"PYTHONPATH": str(ROOT / "platform")}
    done = subprocess.run(
        [BIN / "lint-imports", "--no-cache"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_goes_into_a_sandbox_with_a_reference_player_needs_the_standard_library_only():
    script = f"import {', '.join(CARDS_ONLY)}"
    # -S: no site-packages, as in a bot's sandbox.
    done = subprocess.run([sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
