"""The ratings: how fast, beside openskill and choix, and how often they are right. `python -m bench.ratings`

Each part runs in a process of its own on one core, so that its peak of memory is its own. Times are of the
processor.
"""

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from arena.ratings.bradley_terry import fit
from arena.ratings.duel import Verdict, duel
from arena.ratings.live import elo_live
from arena.ratings.meetings import Floats
from arena.ratings.partners import partner_effects
from arena.ratings.results import Ints, Results
from arena.ratings.student import SURE
from arena.ratings.table import rate
from bench.pools import balanced, duel_boards, jacks, races

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "bench" / "requirements-ratings.txt"
INSTALLED = ROOT / "var" / f"ratings-{sys.version_info.major}.{sys.version_info.minor}"
BOARDS = 1250  # of a duel: 2,500 deals


def bench(rounds: int = 41, *, rivals: bool = True) -> dict[str, Any]:
    """Run all parts, print and give what they found. Fewer than 41 rounds make smaller pools.

    Args:
        rivals: install openskill and choix, and compare.
    """
    report: dict[str, Any] = {}
    for name in PARTS:
        if name == "rivals" and not rivals:
            continue
        command = [sys.executable, "-m", "bench.ratings", "--part", name, "--rounds", str(rounds)]
        one_core = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(command, cwd=ROOT, env=one_core, stdout=subprocess.PIPE, text=True, check=True)
        report[name] = json.loads(done.stdout)
        for label, value in report[name].items():
            print(f"{name}: {label}: {value}", flush=True)
    return report


def timed(work: Callable[[], Any], times: int = 1) -> tuple[Any, float]:
    """What `work` gives, and the milliseconds of the quickest run."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        found = work()
        taken.append((time.process_time() - start) * 1000)
    return found, round(min(taken), 1)


def speed(bots: int, matches: int) -> dict[str, Any]:
    """Groups of four, ten boards a group."""
    chance = np.random.default_rng(1)
    groups = balanced(chance, bots, 4, -(-matches // 40 * 4 // bots))[: max(1, matches // 40)]
    strength = 0.5 * chance.standard_normal(bots)
    parts = [races(chance, strength, part, 10) for part in np.array_split(groups, 1 + len(groups) // 5000)]
    columns = _columns(parts)
    del parts
    before = _peak_mib()
    results, columns_ms = timed(lambda: Results.from_columns(**columns))
    _, fit_ms = timed(lambda: fit(results), 5)
    live, live_ms = timed(lambda: elo_live(results))
    _, table_ms = timed(lambda: rate(results, live), 3)
    return {
        "bots, matches": [bots, results.matches],
        "columns, ms": columns_ms,
        "refit (strengths and covariance), ms": fit_ms,
        "the whole table with intervals, ms": table_ms,
        "elo_live and its history, ms": live_ms,
        "peak before and after, MiB": [before, _peak_mib()],
    }


def _columns(parts: list[Results]) -> dict[str, Any]:
    """The parts one after the other, as columns of seats."""
    n, groups = parts[0].players, np.cumsum([0, *(part.groups[-1] + 1 for part in parts)])
    each = ("board", "table", "deals")
    columns = {name: np.concatenate([np.repeat(getattr(part, name), n) for part in parts]) for name in each}
    columns["group"] = np.concatenate(
        [np.repeat(part.group + first, n) for part, first in zip(parts, groups, strict=False)]
    )
    columns["tournament"] = np.zeros_like(columns["group"])
    for name in ("points", "rank", "faults", "vacated"):
        columns[name] = np.concatenate([getattr(part, name).ravel() for part in parts])
    columns["competitor"] = np.concatenate([part.competitors[part.seats].ravel() for part in parts])
    return columns


def _peak_mib() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def rivals(matches: int) -> dict[str, Any]:
    """The same matches to openskill, one after the other, and to choix, all pairs; without ties, as choix."""
    if not INSTALLED.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        command += ["--target", str(INSTALLED), "--requirement", str(REQUIREMENTS)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return {"not installed": (done.stderr.strip().splitlines() or ["pip failed"])[-1]}
    # Behind everything else: what came along with it must not replace what we run with.
    sys.path.append(str(INSTALLED))
    choix, models = importlib.import_module("choix"), importlib.import_module("openskill.models")
    chance = np.random.default_rng(2)
    truth = 0.5 * chance.standard_normal(100)
    truth -= truth.mean()
    results = races(chance, truth, balanced(chance, 100, 4, -(-matches // 40 * 4 // 100)), 10)
    fitted, ours = timed(lambda: fit(results), 5)
    pairs, counting = timed(lambda: list(_pairs(results)))
    chosen, theirs = timed(lambda: choix.ilsr_pairwise(100, pairs, alpha=1e-4))
    rated, model = timed(lambda: _openskill(models.PlackettLuce(), results))
    found = {
        "arena, Bradley–Terry with covariance": (fitted.strength, ours),
        "choix, ilsr_pairwise": (chosen, theirs),
        "openskill, Plackett–Luce": (rated, model),
    }
    rows = {
        name: {"ms": ms, "error, natural units": round(_error(values, truth), 4)}
        for name, (values, ms) in found.items()
    }
    return {"matches": results.matches, "choix, the list of pairs, ms": counting, **rows}


def _pairs(results: Results) -> Any:
    for seated, ranked in zip(results.seats.tolist(), results.rank.tolist(), strict=True):
        order = [who for _, who in sorted(zip(ranked, seated, strict=True))]
        yield from combinations(order, 2)


def _openskill(model: Any, results: Results) -> Floats:
    ratings = [model.rating() for _ in results.competitors]
    for seated, ranked in zip(results.seats.tolist(), results.rank.tolist(), strict=True):
        after = model.rate([[ratings[who]] for who in seated], ranks=ranked)
        for who, team in zip(seated, after, strict=True):
            ratings[who] = team[0]
    return np.array([rating.mu for rating in ratings])


def _error(values: Floats, truth: Floats) -> float:
    """Root of the mean square, once both are on one scale."""
    values = values - values.mean()
    scale = (values @ truth) / (values @ values)
    return float(np.sqrt(np.mean((scale * values - truth) ** 2)))


def coverage(pools: int) -> dict[str, Any]:
    """How many of a hundred 95 % intervals hold the truth."""
    chance = np.random.default_rng(3)
    full = np.array(list(combinations(range(8), 4)))
    some = balanced(chance, 20, 4, 24)
    cases: dict[str, tuple[Ints, int, dict[str, float]]] = {
        "8 bots, 70 groups, 3 boards": (full, 3, {}),
        "8 bots, 14 groups, 10 boards": (balanced(chance, 8, 4, 7), 10, {}),
        "60 bots, 500 groups, 1 board": (balanced(chance, 60, 4, 33), 1, {}),
        "20 bots, 120 companies twice, that suit some": (np.concatenate([some, some]), 5, {"company": 0.3}),
    }
    found = {}
    for name, (groups, boards, luck) in cases.items():
        held = []
        for _ in range(pools):
            truth = 0.5 * chance.standard_normal(int(groups.max()) + 1)
            fitted = fit(races(chance, truth, groups, boards, **luck))
            off = np.abs(fitted.strength - truth + truth.mean())
            held.append(off < SURE * np.sqrt(np.diagonal(fitted.covariance)))
        found[name] = f"{np.mean(held):.1%}"
    return found


def duels(boards: int) -> dict[str, Any]:
    """`counter` against itself with 5 % blunders, `random` and `lowest` at the table: real games."""
    gaps = duel_boards(range(boards))
    chance = np.random.default_rng(4)
    drawn = [duel(chance.choice(gaps, BOARDS), BOARDS) for _ in range(2000)]
    apart = range(0, len(gaps) - BOARDS + 1, BOARDS)
    real = [duel(gaps[start:], BOARDS).verdict is Verdict.FIRST for start in apart]
    equal = [duel(chance.choice(gaps, BOARDS) * chance.choice([-1, 1], BOARDS), BOARDS) for _ in range(2000)]
    values, counts = np.unique(gaps, return_counts=True)
    return {
        "boards played": boards,
        "points a deal less, deviation": [round(float(gaps.mean()), 4), round(float(gaps.std()), 3)],
        "told apart within 2,500 deals": f"{np.mean([one.verdict is Verdict.FIRST for one in drawn]):.1%}",
        "deals used, mean": round(2 * float(np.mean([one.boards for one in drawn]))),
        "of the duels really played": f"{sum(real)} of {len(real)}",
        "equals named": f"{np.mean([one.verdict is not Verdict.NEITHER for one in equal]):.1%}",
        "differences": dict(zip(values.tolist(), counts.tolist(), strict=True)),
    }


def partners(pools: int) -> dict[str, Any]:
    """62 bots, 2,000 matches in 500 groups, honest or with a pair that isn't; and, as they are quick, ten
    times as many honest pools of 16 bots, 240 matches in 60 groups."""
    found: dict[str, Any] = {}
    for bots, met, deals, times in ((62, 500, 8, -(-pools // 2)), (16, 60, 4, 5 * pools)):
        for spread in (0.3, 0.6, 1.0):
            alarms = 0
            for seed in range(times):
                chance = np.random.default_rng(seed)
                strength = spread * chance.standard_normal(bots)
                groups = balanced(chance, bots, 4, 34)[:met]
                alarms += bool(partner_effects(jacks(chance, strength, groups, 1, deals=deals), seed))
            name = f"honest pools of {bots}, spread {spread}, with a name in the report"
            found[name] = f"{alarms} of {times}"
    for dumps in (1.0, 0.5):
        for together in (1, 2, 4, 8):
            hits = 0
            for seed in range(-(-pools // 5)):
                chance = np.random.default_rng(seed)
                groups = _meeting(chance, together)
                strength = 0.3 * chance.standard_normal(62)
                results = jacks(chance, strength, groups, 1, dumper=61, favoured=60, dumps=dumps)
                hits += any({pair.one, pair.other} == {60, 61} for pair in partner_effects(results, seed))
            name = f"gives {dumps:.0%} of the other's points, met in {together} groups of 4 matches"
            found[name] = f"found {hits} of {-(-pools // 5)}"
    return found


def _meeting(chance: np.random.Generator, together: int) -> Ints:
    """500 groups of 62 bots, in so many of which 60 and 61 meet."""
    groups = balanced(chance, 62, 4, 34)[:500]
    one, other = ((groups == who).any(axis=1) for who in (60, 61))
    for group in np.flatnonzero(one & other):
        groups[group][groups[group] == 61] = chance.choice(np.setdiff1d(np.arange(60), groups[group]))
    for group in np.flatnonzero(one)[:together]:
        groups[group, np.flatnonzero(groups[group] != 60)[0]] = 61
    return groups


#: Each takes the size, 1 for all of it.
PARTS: dict[str, Callable[[float], dict[str, Any]]] = {
    "a hundred bots": lambda size: speed(100, round(100_000 * size)),
    "a thousand bots": lambda size: speed(1000, round(1_000_000 * size)),
    "rivals": lambda size: rivals(round(100_000 * size)),
    "coverage": lambda size: coverage(max(3, round(200 * size))),
    "duels": lambda size: duels(max(50, round(12_000 * size**2))),
    "partners": lambda size: partners(max(1, round(100 * size))),
}


def main() -> int:
    """One part as JSON, or all of them for people."""
    parser = argparse.ArgumentParser(prog="python -m bench.ratings", description=__doc__)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--rounds", type=int, default=41)
    options = parser.parse_args()
    if options.part is None:
        bench(options.rounds)
    else:
        print(json.dumps(PARTS[options.part](min(1.0, options.rounds / 41)), ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
