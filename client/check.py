"""`polignac check`: the check that the league makes of an upload, here and stage by stage."""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from client.arguments import FAILED, OK, Command, UsageError, add_json, add_sandbox
from client.inert import printable
from sandbox.backends import choose
from sandbox.check import PLAYERS, Stage, StageResult, check_folder, check_upload
from sandbox.session import Backend

_EXAMPLES = """\
exit code: 0 when every stage passed, 1 when one did not, 2 when there is no such bot or no sandbox.

examples:
  polignac check mybot.py
  polignac check mybot/ --players 4
      a folder, as if it had been zipped; only what matters at tables of four
  polignac check mybot.zip --sandbox docker --json
"""
_LOG_LINES = 30


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
            _show(console, result)
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


def _show(console: Console, result: StageResult) -> None:
    """One line a stage; the log too where it failed."""
    took = f"{result.duration_ms / 1000:6.1f} s"
    mark = Text("ok", "green") if result.passed else Text(result.code, "bold red")
    line = Text.assemble(f"{result.stage:<10}", took, "  ", mark, "  ", printable(result.message))
    console.print(line, soft_wrap=True)
    if result.passed or not result.log.strip():
        return
    lines = result.log.rstrip().splitlines()
    # A compiler's first words matter most, and a program's last.
    build = result.stage is Stage.BUILD
    shown = lines[:_LOG_LINES] if build else lines[-_LOG_LINES:]
    whole = len(shown) == len(lines)
    heading = "its log:" if whole else f"its log {'begins' if build else 'ends'} with (--json has all of it):"
    for text in (heading, *(f"    {each}" for each in shown)):
        console.print(Text(printable(text.expandtabs())), soft_wrap=True)


CHECK = Command(_arguments, _run, _EXAMPLES)
