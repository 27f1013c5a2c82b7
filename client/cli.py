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
    "whoami": Verb("tell who you are, and what you have of what you may have", "client.server.tokens:WHOAMI"),
    "password": Verb("change your password, which ends all your tokens", "client.server.tokens:PASSWORD"),
    "tokens list": Verb("list your tokens", "client.server.tokens:LIST"),
    "tokens new": Verb("make a token for something else, a CI job say", "client.server.tokens:NEW"),
    "tokens revoke": Verb("end tokens: they open nothing any more", "client.server.tokens:REVOKE"),
    "submit": Verb("upload a bot, and see how its check goes", "client.server.bots:SUBMIT"),
    "bots": Verb("list your bots, or others'", "client.server.bots:BOTS"),
    "versions": Verb("list the versions of a bot of yours", "client.server.bots:VERSIONS"),
    "log": Verb(
        "tell how a version's check went, or what your bots wrote in a match", "client.server.bots:LOG"
    ),
    "duel": Verb(
        "tell whether one bot is better than another: here, or at a server", "client.duel_command:DUEL"
    ),
    "ladder": Verb("show the ratings, with their intervals", "client.server.results:LADDER"),
    "head-to-head": Verb(
        "compare two versions: where they met, and which is likely the better",
        "client.server.results:HEAD_TO_HEAD",
    ),
    "match": Verb("show a match", "client.server.matches:MATCH"),
    "pull": Verb(
        "fetch the records of matches, to replay or audit them at home", "client.server.matches:PULL"
    ),
    "tournament create": Verb("make a draft, or tell what it would be", "client.server.tournaments:CREATE"),
    "tournament list": Verb("list tournaments", "client.server.tournaments:LIST"),
    "tournament show": Verb("tell what it is, and its status", "client.server.tournaments:SHOW"),
    "tournament preview": Verb(
        "tell how much it plays, how long, and how sure it will be", "client.server.tournaments:PREVIEW"
    ),
    "tournament open": Verb("let bots enter", "client.server.tournaments:OPEN"),
    "tournament enter": Verb("enter versions of yours", "client.server.tournaments:ENTER"),
    "tournament entrants": Verb("list who takes part", "client.server.tournaments:ENTRANTS"),
    "tournament withdraw": Verb("take an entry back", "client.server.tournaments:WITHDRAW"),
    "tournament start": Verb("plan it and have it played", "client.server.tournaments:START"),
    "tournament watch": Verb("see how far it is, until it is over", "client.server.watching:WATCH"),
    "tournament pause": Verb("begin no more tables", "client.server.tournaments:PAUSE"),
    "tournament resume": Verb("go on after a pause", "client.server.tournaments:RESUME"),
    "tournament extend": Verb("have every group play more boards", "client.server.tournaments:EXTEND"),
    "tournament replay": Verb(
        "have tables played again that the platform failed at", "client.server.tournaments:REPLAY"
    ),
    "tournament finish": Verb("tell a ladder to end", "client.server.tournaments:FINISH"),
    "tournament cancel": Verb("stop it for good", "client.server.tournaments:CANCEL"),
    "tournament standings": Verb(
        "show how its entrants stand, with intervals", "client.server.results:STANDINGS"
    ),
    "tournament ranking": Verb(
        "show the order that a swiss or a knockout has of its own", "client.server.results:RANKING"
    ),
    "tournament duel": Verb("tell how a duel stands", "client.duel_command:VERDICT"),
    "tournament crosstable": Verb("show who did how well against whom", "client.server.results:CROSSTABLE"),
    "webhook list": Verb("list your webhooks, and how they fare", "client.server.webhooks:LIST"),
    "webhook add": Verb("have a server of yours told what happens", "client.server.webhooks:ADD"),
    "webhook remove": Verb("tell it nothing more, and forget its log", "client.server.webhooks:REMOVE"),
    "webhook pause": Verb("tell it nothing for a while", "client.server.webhooks:PAUSE"),
    "webhook resume": Verb("tell it again, also after it was disabled", "client.server.webhooks:RESUME"),
    "webhook rotate": Verb("give it a new secret", "client.server.webhooks:ROTATE"),
    "webhook ping": Verb("send it a ping", "client.server.webhooks:PING"),
    "webhook log": Verb("show what it was sent, and what it answered", "client.server.webhooks:LOG"),
    "webhook redeliver": Verb("send it something once more", "client.server.webhooks:REDELIVER"),
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
    group = _group(name)
    if group and (not arguments or arguments[0] in {"-h", "--help", "help"}):
        print(f"usage: {PROG} {name} COMMAND …\n\ncommands:\n{_list(group)}")
        return OK if arguments else USAGE
    if group:
        name = f"{name} {arguments.pop(0)}"
    verb = VERBS.get(name)
    if verb is None:
        known = ", ".join(each.rpartition(" ")[2] for each in group or VERBS if group or " " not in each)
        groups = "" if group else ", tokens, tournament, webhook"
        raise UsageError(f"there is no command {name!r}; there are {known}{groups}")
    command = verb.command()
    try:
        options = command.read(name, verb.about, arguments)
    except SystemExit as end:  # argparse, after --help
        return int(end.code or 0)
    return command.run(options)


def _group(name: str) -> Mapping[str, Verb]:
    """The verbs that begin with this word, if it is only the first word of some."""
    return {verb: VERBS[verb] for verb in VERBS if verb.startswith(f"{name} ")}


def overview() -> str:
    """What `polignac` alone prints."""
    text = dedent("""\
        usage: {prog} COMMAND …

        Polignac for programs: the same engine, referee and sandbox as the league, at home.

        at home:
        {home}

        at a server:
        {server}

        tokens at a server: {prog} tokens COMMAND …
        {tokens}

        tournaments at a server: {prog} tournament COMMAND …
        {tournament}

        webhooks at a server: {prog} webhook COMMAND …
        {webhook}

        {prog} COMMAND --help says more, with examples.""")
    alone = {name: verb for name, verb in AT_A_SERVER.items() if " " not in name}
    blocks = {
        "home": AT_HOME,
        "server": alone,
        **{group: _group(group) for group in ("tokens", "tournament", "webhook")},
    }
    return text.format(prog=PROG, **{name: _list(verbs) for name, verbs in blocks.items()})


def _list(verbs: Mapping[str, Verb]) -> str:
    lines = {name.rpartition(" ")[2]: verb.about for name, verb in verbs.items()}
    return "\n".join(f"  {name:<12}  {about}" for name, about in lines.items())


def _complain(text: str, code: int) -> int:
    print("\n".join(printable(line) for line in f"{PROG}: {text}".splitlines()), file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
