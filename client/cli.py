"""The `polignac` command: its verbs, and what it says when something is wrong.

A verb's module is imported when the verb is used: `polignac --help` and completion need none of them.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from textwrap import dedent
from typing import NamedTuple

from arena.errors import PlatformFailure
from client.arguments import FAILED, INTERRUPTED, OK, PROG, USAGE, Command, Failed, UsageError
from client.inert import printable
from client.signals import ending_on_sigterm
from sandbox.errors import SandboxUnavailable


class Verb(NamedTuple):
    """A line of the overview, and where its :class:`Command` is: `module:NAME`."""

    about: str
    place: str

    def command(self) -> Command:
        """The command; its module is imported now."""
        module, _, name = self.place.partition(":")
        command: Command = getattr(import_module(module), name)
        return command


AT_HOME: Mapping[str, Verb] = {
    "new": Verb("write a first bot, in any of the languages, into a folder of its own", "client.new:NEW"),
    "check": Verb("check a bot as the league checks an upload", "client.check:CHECK"),
    "play": Verb("play bots against each other on this machine", "client.play_command:PLAY"),
    "replay": Verb(
        "play a recorded match again, and see where another bot would differ", "client.replay_command:REPLAY"
    ),
    "audit": Verb("check match records without trusting whoever played them", "client.audit_command:AUDIT"),
    "completion": Verb("print what makes a shell complete these commands", "client.completion:COMPLETION"),
}
AT_A_SERVER: Mapping[str, Verb] = {
    "login": Verb("log in to a server, or sign up there", "client.server.account:LOGIN"),
    "logout": Verb("forget a server's token, and make it worth nothing", "client.server.account:LOGOUT"),
    "servers": Verb(
        "list where you are logged in, and choose the current one", "client.server.account:SERVERS"
    ),
    "submit": Verb("upload a bot, and see how its check goes", "client.server.bots:SUBMIT"),
    "bots": Verb("list your bots, or others'", "client.server.bots:BOTS"),
    "versions": Verb("list the versions of a bot of yours", "client.server.bots:VERSIONS"),
    "log": Verb(
        "tell how a version's check went, or what your bots wrote in a match", "client.server.bots:LOG"
    ),
}
VERBS: Mapping[str, Verb] = {**AT_HOME, **AT_A_SERVER}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; gives its exit code (client.arguments)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        with ending_on_sigterm():
            return _run(arguments)
    except (Failed, SandboxUnavailable) as error:
        return _complain(str(error), getattr(error, "exit_code", USAGE))
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
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(overview())
        return OK if arguments else USAGE
    name = arguments.pop(0)
    verb = VERBS.get(name)
    if verb is None:
        raise UsageError(f"there is no command {name!r}; there are {', '.join(VERBS)}")
    command = verb.command()
    try:
        options = command.read(name, verb.about, arguments)
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)
    return command.run(options)


def overview() -> str:
    """What `polignac` alone prints."""
    text = dedent("""\
        usage: {prog} COMMAND …

        Polignac for programs: the same engine, referee and sandbox as the league, at home.

        at home:
        {home}

        at a server:
        {server}

        {prog} COMMAND --help says more, with examples.""")
    return text.format(prog=PROG, home=_list(AT_HOME), server=_list(AT_A_SERVER))


def _list(verbs: Mapping[str, Verb]) -> str:
    width = max(map(len, VERBS))
    return "\n".join(f"  {name:<{width}}  {verb.about}" for name, verb in verbs.items())


def _complain(text: str, code: int) -> int:
    print("\n".join(printable(line) for line in f"{PROG}: {text}".splitlines()), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
