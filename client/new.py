"""`polignac new`: a first bot in a folder of its own."""

import argparse
from pathlib import Path

from client.arguments import Command, UsageError
from sandbox.languages import languages

_EXAMPLES = """\
examples:
  polignac new mybot
  polignac new mybot --language rust && polignac check mybot
"""


def _run(options: argparse.Namespace) -> int:
    """Write a starter bot into a new folder, or an empty one; never over anything."""
    folder: Path = options.folder
    language = languages()[options.language]
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder} is there already, and nothing is written over; name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in language.first_bot(folder.resolve().name).items():
            with (folder / name).open("xb") as file:
                file.write(content)
    except OSError as error:
        raise UsageError(f"{folder} can't be written: {error.strerror}") from None
    print(f"{folder} is a bot in {language.title}. {folder / 'README.md'} says how to go on; begin with")
    print(f"  polignac check {folder}")
    return 0


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a new folder, or an empty one")
    known = "; ".join(f"{name}: {language.about}" for name, language in languages().items())
    parser.add_argument(
        "--language", choices=list(languages()), default="python", help=f"{known} (default python)"
    )


NEW = Command(_arguments, _run, _EXAMPLES)
