"""The bench runs from end to end and says what it measured; how fast it is, is not a test's to judge."""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path

from bench.measure import Speed, race

ROOT = Path(__file__).parent.parent.parent


def test_contenders_take_turns_and_the_median_counts():
    ticks = count()
    order = []
    speeds = race(
        {"slow": lambda deals: order.extend(["slow"] * deals), "fast": lambda deals: order.append("fast")},
        rounds=3,
        round_s=1,
        clock=lambda: next(ticks),
    )
    assert order[-6:] == ["slow", "fast"] * 3
    assert speeds["slow"].seconds_a_deal == (1, 1, 1)
    assert speeds["slow"].deals_a_second == 1
    assert speeds["slow"].ns_each(32) == 1e9 / 32
    assert speeds["slow"].best == 1


def test_contenders_are_compared_round_by_round():
    ours, theirs = Speed((1.0, 2.0, 4.0)), Speed((2.0, 4.0, 4.0))
    assert ours.faster_than(theirs) == 2
    assert (ours.best, ours.deals_a_second) == (1, 0.5)


def test_the_bench_measures_the_engine_the_referee_and_every_sandbox_there_is(tmp_path):
    file = tmp_path / "bench.json"
    command = [sys.executable, "-m", "bench", "--rounds", "1", "--round-s", "0.05", "--without-openspiel"]
    command += ["--league-matches", "800", "--league-rounds", "1"]
    done = subprocess.run(
        [*command, "--json", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(file.read_text())
    assert report["engine"]["polignac (this engine)"]["deals_a_second"] > 0
    assert all(row["us_a_decision"] > 0 for row in report["referee"].values())
    for name in ("bubblewrap", "docker"):
        rows = [row for label, row in report["sandboxes"].items() if label.startswith(name)]
        assert rows
        assert all("reason" in row or row["deals_a_second"] > 0 for row in rows)
    league = report["league"]
    assert "reason" in league or league["api"]["ratings/"]["median_ms"] > 0
    # A page that is new and not measured makes the bench fail.
    assert "reason" in league or league["pages"]["home"]["html_kb"] > 1
    assert "deals/s" in done.stdout
