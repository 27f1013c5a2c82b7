"""The `polignac` command: its verbs, its exit codes, and `play` and `audit` themselves."""

import contextlib
import functools
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.audit import Unsound, audit_bytes
from arena.errors import PlatformFailure
from arena.protocol import ClockLimits
from arena.rules import Rules, RulesError
from client.arguments import PROG, UsageError, overview, parse_audit, parse_play
from client.check import check_command
from client.new import new_command
from client.play import Contest, Played, Tally, count, play, write_logs
from client.replay_command import replay_command
from client.report import as_json, printable, show
from client.seats import Sandbox, UnknownBot, find_bots
from client.signals import ending_on_sigterm
from sandbox.errors import SandboxUnavailable

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code.

    0: done. 1: a record is unsound, a bot failed its check, or a sandbox failed. 2: what was asked for makes
    no sense. 130: stopped by Ctrl-C.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with ending_on_sigterm():
            return _run(arguments)
    except (UsageError, UnknownBot, RulesError, SandboxUnavailable) as error:
        return _complain(str(error), USAGE)
    except PlatformFailure as failure:
        return _complain(f"the platform failed, so the match is void and nobody is blamed: {failure}", FAILED)
    except KeyboardInterrupt:
        return _complain("stopped", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has gone; say nothing more, at exit neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:  # a full disk, say
        return _complain(f"{error.filename or 'writing'}: {error.strerror or error}", FAILED)


def _run(arguments: list[str]) -> int:
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "new": new_command,
        "check": check_command,
        "play": play_command,
        "replay": replay_command,
        "audit": audit_command,
    }
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(overview())
        return OK if arguments else USAGE
    command = commands.get(arguments[0])
    if command is None:
        raise UsageError(f"there is no command {arguments[0]!r}; there are {', '.join(commands)}")
    try:
        return command(arguments[1:])
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)


def _complain(text: str, code: int) -> int:
    print("\n".join(printable(line) for line in f"{PROG}: {text}".splitlines()), file=sys.stderr)
    return code


# -- play -----------------------------------------------------------------------------------------------


def play_command(arguments: Sequence[str]) -> int:
    """Play bots against each other and report."""
    options = parse_play(arguments)
    contest = Contest(
        rules=_rules(options.rules, len(options.bots)),
        bots=find_bots(options.bots, Sandbox(options.sandbox)),
        clock=ClockLimits(start_ms=options.start_ms, move_ms=options.move_ms, bank_ms=options.bank_ms),
        seed=options.seed or secrets.token_bytes(32),
        boards=options.boards,
        rotate=options.rotate,
    )
    tallies = [Tally(bot.label) for bot in contest.bots]
    takers: list[Callable[[Played], None]] = [functools.partial(count, tallies)]
    with contextlib.ExitStack() as stack:
        if options.records is not None:
            takers.append(functools.partial(_write_record, stack.enter_context(_new_file(options.records))))
        if options.logs is not None:
            _make_folder(options.logs, [f"{tally.label}.log" for tally in tallies])
            takers.append(functools.partial(write_logs, options.logs, contest.bots))
        progress = stack.enter_context(_progress())
        task = progress.add_task("playing", total=contest.matches)
        for played in stack.enter_context(contextlib.closing(play(contest))):
            for take in takers:
                take(played)
            progress.advance(task)
    if options.json:
        print(as_json(contest, tallies))
    else:
        show(Console(highlight=False), contest, tallies)
    return OK


def _rules(texts: Sequence[str], bots: int) -> Rules:
    """The rules for as many players as there are bots."""
    for text in texts:
        key, _, value = text.partition("=")
        if key == "players" and value != str(bots):
            raise UsageError(f"{text}, but {bots} bots are named; leave players out, or name {value} bots")
    try:
        return Rules.from_texts([text for text in texts if not text.startswith("players=")], players=bots)
    except RulesError as error:
        if error.option != "players":
            raise
        raise UsageError(f"{bots} bots are named, and the game needs {error.allowed}") from None


def _new_file(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from None


def _write_record(file: BinaryIO, played: Played) -> None:
    file.write(played.record.to_bytes() + b"\n")
    file.flush()


def _make_folder(folder: Path, without: Sequence[str]) -> None:
    """Make a folder, or take the one that is there; files of these names in it are removed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in without:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror}") from None


def _progress() -> Progress:
    """A bar on a terminal, and nothing anywhere else."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("matches"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


# -- audit ----------------------------------------------------------------------------------------------


def audit_command(arguments: Sequence[str]) -> int:
    """Check every record of some files; each that is unsound is named with file, line and difference."""
    sound = unsound = 0
    for name in parse_audit(arguments).files:
        before = sound + unsound
        for number, line in enumerate(_lines(name), start=1):
            if not line.strip():
                continue
            try:
                audit_bytes(line)
                sound += 1
            except Unsound as error:
                unsound += 1
                print(printable(f"{name}:{number}: {error}"))
        if sound + unsound == before:
            raise UsageError(f"{name} holds no record")
    total = sound + unsound
    records = "1 record" if total == 1 else f"{total} records"
    print(
        f"{records}: {'sound' if total == 1 else 'all sound'}"
        if not unsound
        else f"{records}: {unsound} unsound"
    )
    return FAILED if unsound else OK


def _lines(name: str) -> Iterator[bytes]:
    with contextlib.ExitStack() as stack:
        try:
            file: BinaryIO = sys.stdin.buffer if name == "-" else stack.enter_context(open(name, "rb"))
            yield from (line.rstrip(b"\r\n") for line in file)
        except OSError as error:
            raise UsageError(f"{name}: {error.strerror}") from None


if __name__ == "__main__":
    sys.exit(main())
