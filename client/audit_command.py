"""`polignac audit`: are these records what they say they are?"""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from typing import BinaryIO

from arena.audit import Unsound, audit_bytes
from client.arguments import FAILED, OK, Command, UsageError
from client.inert import printable

_EXAMPLES = """\
exit code: 0 when every record is sound, 1 when one is not, 2 when a file can't be read or holds none.

examples:
  polignac audit r.jsonl
  curl -s https://league.example/…/record | polignac audit -
"""


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="match records, one a line (JSON Lines); - is standard input"
    )


def _run(options: argparse.Namespace) -> int:
    """Check every record of some files; each that is unsound is named with file, line and difference."""
    sound = unsound = 0
    for name in options.files:
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


AUDIT = Command(_arguments, _run, _EXAMPLES)
