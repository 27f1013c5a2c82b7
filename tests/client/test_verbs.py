"""Every verb explains itself, and none is loaded before it is used; shells complete them all."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from client.cli import VERBS

ROOT = Path(__file__).parent.parent.parent
HEAVY = ("requests", "rich", "msgspec", "numpy", "docker", "django", "shtab", "arena.rules")


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_a_help_with_examples(verb, polignac):
    code, out, _ = polignac(*verb.split(), "--help")
    assert code == 0
    assert out.startswith(f"usage: polignac {verb} ")
    assert f"polignac {verb}" in out.partition("examples:\n")[2]


def test_each_verb_is_in_the_overview(polignac):
    code, out, _ = polignac("--help")
    assert code == 0
    for verb, line in VERBS.items():
        assert f"  {verb.rpartition(' ')[2]} " in out
        assert line.about in out


def test_what_the_overview_needs_is_next_to_nothing():
    asked = f"import sys; import client.cli; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_playing_and_asking_a_server_do_without_numpy_and_django():
    asked = (
        "import sys; import client.play_command, client.server.results, client.duel_command;"
        "print([name for name in ('numpy', 'django', 'shtab') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_all_verbs_and_options(shell, polignac):
    code, out, _ = polignac("completion", shell)
    assert code == 0
    for word in ("crosstable", "head-to-head", "rotate", "watch"):
        assert word in out


def complete(script, *words):
    """What bash offers after these words."""
    asked = f"""{script}
        COMP_WORDS=({" ".join(words)}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        COMP_LINE="{" ".join(words)}"; COMP_POINT=${{#COMP_LINE}}
        function=$(complete -p polignac | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        $function polignac "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run([shutil.which("bash"), "-c", asked], capture_output=True, text=True)
    return done.stdout.split()


def test_bash_completes_verbs_and_options(polignac):
    script = polignac("completion", "bash")[1]
    assert complete(script, "polignac", "tour") == ["tournament"]
    assert set(complete(script, "polignac", "tournament", "p")) == {"preview", "pause"}
    assert complete(script, "polignac", "play", "--rot") == ["--rotate"]
