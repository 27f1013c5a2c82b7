"""`polignac completion`: what makes a shell complete verbs, options and files."""

import argparse

import shtab

from client.arguments import OK, PROG, Command

_EXAMPLES = """\
examples:
  eval "$(polignac completion bash)"
      in ~/.bashrc
  polignac completion zsh > ~/.zfunc/_polignac
      in a folder of zsh's fpath
  polignac completion fish > ~/.config/fish/completions/polignac.fish
"""
_SHELLS = ("bash", "zsh", "fish")
#: Arguments of these names are paths.
_PATHS = {"BOT", "PATH", "FILE", "FOLDER", "DIR", "MATCH.json", "OLD", "NEW"}


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=" or ".join(_SHELLS))


def _run(options: argparse.Namespace) -> int:
    print(shtab.complete(_all_verbs(), shell=options.shell))
    return OK


def _all_verbs() -> argparse.ArgumentParser:
    """One parser of all verbs: shtab wants a tree. Each verb keeps its own."""
    from client.cli import VERBS

    root = argparse.ArgumentParser(PROG)
    branches = {"": root.add_subparsers()}
    for name, verb in VERBS.items():
        group, _, last = name.rpartition(" ")
        if group not in branches:
            about = f"{group.removesuffix('s')}s at a server"
            branches[group] = branches[""].add_parser(group, help=about).add_subparsers()
        parser = verb.command().parser(name, verb.about)
        for action in parser._actions:
            if action.metavar in _PATHS:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
        branches[group].add_parser(last, help=verb.about, parents=[parser], add_help=False)
    return root


COMPLETION = Command(_arguments, _run, _EXAMPLES)
