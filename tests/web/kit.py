"""How the tests run the pages' modules under Node: one process for many cases."""

import json
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STATIC = ROOT / "platform/league/web/static/web"
GOLDEN = ROOT / "tests/golden"


def node(work, cases):
    """What the function `work` of tests/web/work.mjs gives for each case, in order."""
    lines = "".join(json.dumps(case, separators=(",", ":")) + "\n" for case in cases)
    command = ["node", str(HERE / "run.mjs"), work]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def golden_records():
    return [json.loads(line) for line in (GOLDEN / "records.jsonl").read_text().splitlines()]
