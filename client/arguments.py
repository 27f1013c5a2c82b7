"""What all verbs share: how a command line is read, how it is explained, and the exit codes."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, TypeAlias

PROG = "polignac"

#: 0: done. 1: the answer is no. 2: the command line can't be acted on. 3: try again later. 130: Ctrl-C.
OK, FAILED, USAGE, LATER, INTERRUPTED = 0, 1, 2, 3, 130


#: Where an option is added: a parser, or a group of one.
Arguments: TypeAlias = argparse._ActionsContainer


class Sandbox(StrEnum):
    """What `--sandbox` may be."""

    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    DOCKER = "docker"
    NONE = "none"


class Failed(Exception):
    """It can't be done: the text says why, and `exit_code` whether to try again later."""

    def __init__(self, text: str, exit_code: int = FAILED) -> None:
        super().__init__(text)
        self.exit_code = exit_code


class UsageError(Failed):
    """The command line can't be acted on; the text says what would be right."""

    def __init__(self, text: str) -> None:
        super().__init__(text, USAGE)


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of printing its whole usage at every slip.

    Args:
        verb: as it is typed after `polignac`.
        about: what it does, as in the overview.
        examples: what ends the help.
    """

    def __init__(self, verb: str, about: str, examples: str = "") -> None:
        super().__init__(
            prog=f"{PROG} {verb}",
            description=about[0].upper() + about[1:] + ".",
            epilog=examples,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


@dataclass(frozen=True)
class Command:
    """What a verb takes and does.

    Attributes:
        arguments: adds its arguments to a parser.
        run: does it, and gives the exit code.
        examples: the end of its help: exit codes and examples.
    """

    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    examples: str

    def parser(self, verb: str, about: str) -> Parser:
        """Its parser, under the name that it is called by."""
        parser = Parser(verb, about, self.examples)
        self.arguments(parser)
        return parser

    def read(self, verb: str, about: str, arguments: Sequence[str]) -> argparse.Namespace:
        """The options.

        Raises:
            UsageError: they make no sense.
        """
        return self.parser(verb, about).parse_intermixed_args(_spread(arguments))


def add_sandbox(parser: Arguments, text: str) -> None:
    """Add ``--sandbox``, with a help text."""
    choices = [choice.value for choice in Sandbox]
    parser.add_argument("--sandbox", choices=choices, default=Sandbox.AUTO.value, help=text)


def add_pairs(parser: Arguments, option: str, text: str) -> None:
    """Add an option that takes as many ``key=value`` as follow it; one of `PAIRS`."""
    assert option in PAIRS
    parser.add_argument(option, action="append", default=[], metavar="key=value …", help=text)


def add_json(parser: Arguments, text: str) -> None:
    """Add ``--json``, with what it prints then."""
    parser.add_argument("--json", action="store_true", help=text)


#: The options that take several `key=value`.
PAIRS = ("--rules", "--options")


def _spread(arguments: Sequence[str]) -> list[str]:
    """`--rules a=1 b=2 BOT` as `--rules=a=1 --rules=b=2 BOT`: the values end where there is no `=`."""
    spread = []
    option = ""
    for argument in arguments:
        if argument in PAIRS:
            option = argument
        elif option and "=" in argument and not argument.startswith("-"):
            spread.append(f"{option}={argument}")
        else:
            option = ""
            spread.append(argument)
    return spread


def whole_number(text: str) -> int:
    """A whole number from 1 to a million; for argparse."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 1_000_000):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to 1000000")
    return int(text)
