"""`polignac check`: the check that the league makes of an upload, here and stage by stage."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from client.arguments import FAILED, OK, Command, UsageError, add_json, add_sandbox
from client.stages import show_stage
from sandbox.backends import choose
from sandbox.check import PLAYERS, StageResult, check_folder, check_upload
from sandbox.session import Backend

_EXAMPLES = """\
exit code: 0 when every stage passed, 1 when one did not, 2 when there is no such bot or no sandbox.

examples:
  polignac check mybot.py
  polignac check mybot/ --players 4
      a folder, as if it had been zipped; only what matters at tables of four
  polignac check mybot.zip --sandbox docker --json
"""


def _run(options: argparse.Namespace) -> int:
    """Check a bot and show the stages as they pass; 0 when all did, 1 otherwise."""
    stages = _stages(Path(options.bot), choose(options.sandbox), options.players)
    if options.json:
        results = list(stages)
        print(_as_json(options.bot, results))
    else:
        results = []
        console = Console(highlight=False)
        for result in stages:
            results.append(result)
            show_stage(
                console,
                result.stage,
                code=None if result.passed else result.code,
                message=result.message,
                log=result.log,
                took_ms=result.duration_ms,
            )
    return OK if results[-1].passed else FAILED


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="BOT", help="a source file, a folder or a zip")
    parser.add_argument(
        "--players",
        type=_sizes,
        default=PLAYERS,
        metavar="N,…",
        help="the sizes of table to try it at (default 3,4,5,6)",
    )
    add_sandbox(parser, "auto: the best sandbox there is; none: nothing confines it")
    add_json(parser, "print the stages as JSON, with whole logs")


def _sizes(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part in {str(size) for size in PLAYERS} for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers from 3 to 6, as in 3,4")
    return tuple(sorted({int(part) for part in parts}))


def _stages(path: Path, backend: Backend, players: Sequence[int]) -> Iterator[StageResult]:
    if path.is_dir():
        return check_folder(path, backend, players)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{str(path)!r} can't be read: {error.strerror}") from None
    return check_upload(data, path.name, backend, players)


def _as_json(bot: str, results: Sequence[StageResult]) -> str:
    stages = [
        {
            "stage": str(result.stage),
            "status": str(result.status),
            "code": result.code,
            "message": result.message,
            "log": result.log,
            "duration_ms": round(result.duration_ms),
        }
        for result in results
    ]
    return json.dumps({"bot": bot, "passed": results[-1].passed, "stages": stages}, indent=2)


CHECK = Command(_arguments, _run, _EXAMPLES)
