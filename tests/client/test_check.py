"""`polignac check`, `polignac new`: an author's way from nothing to a bot that the league would take."""

import json

import pytest

from client.cli import main
from sandbox.check import Stage
from sandbox.languages import languages

SANDBOXES = [
    "none",
    pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
    pytest.param("docker", marks=pytest.mark.docker),
]


def polignac(capsys, *arguments):
    """Run the command in this process; its exit code, output and error output."""
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_what_new_writes_passes_the_check(sandbox, tmp_path, capsys):
    folder = tmp_path / "Night Heron"
    code, out, _ = polignac(capsys, "new", folder)
    assert code == 0
    assert f"polignac check {folder}" in out
    code, out, _ = polignac(capsys, "check", folder, "--sandbox", sandbox, "--players", "3")
    assert code == 0, out
    assert [line.split()[0] for line in out.splitlines()] == list(Stage)
    assert 'name = "Night Heron"' in (folder / "bot.toml").read_text()


@pytest.mark.compilers
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_compiled_bot_is_built_and_checked_and_plays(sandbox, tmp_path, capsys):
    assert polignac(capsys, "new", tmp_path / "bot", "--language", "c")[0] == 0
    code, out, _ = polignac(capsys, "check", tmp_path / "bot", "--sandbox", sandbox, "--json")
    report = json.loads(out)
    assert (code, report["passed"]) == (0, True), report
    assert [stage["code"] for stage in report["stages"]] == ["ok"] * len(Stage)
    assert "gcc" in report["stages"][2]["message"]
    played = polignac(capsys, "play", tmp_path / "bot", "lowest", "random", "--sandbox", sandbox, "--json")
    assert played[0] == 0
    assert json.loads(played[1])["bots"][0]["faults"] == []


@pytest.mark.parametrize("name", languages())
def test_every_language_has_a_starter_with_a_page_that_says_how_to_go_on(name, tmp_path, capsys):
    assert polignac(capsys, "new", tmp_path / "bot", "--language", name)[0] == 0
    readme = (tmp_path / "bot" / "README.md").read_text()
    assert "polignac check" in readme
    assert "polignac play" in readme
    assert "polignac submit . " in readme
    plan = languages()[name].build
    assert all(f"`{flag}`" in readme for flag in (plan.allowed_flags if plan else ()))


def test_new_writes_over_nothing(tmp_path, capsys):
    (tmp_path / "main.py").write_text("mine")
    code, out, err = polignac(capsys, "new", tmp_path)
    assert (code, out) == (2, "")
    assert "nothing is written over" in err
    assert [path.name for path in tmp_path.iterdir()] == ["main.py"]
    code, _, err = polignac(capsys, "new", tmp_path / "main.py")
    assert code == 2


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_bot_that_fails_is_told_the_stage_the_code_and_its_own_words(sandbox, tmp_path, capsys):
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nprint('\\x1b[31mno way', file=sys.stderr)\nsys.exit(3)\n")
    code, out, _ = polignac(capsys, "check", bot, "--sandbox", sandbox)
    *_, failed, heading, log = out.splitlines()
    assert code == 1
    assert failed.split()[0] == "start"
    assert "crash" in failed
    assert "exit code 3" in failed
    assert (heading, log) == ("its log:", r"    \x1b[31mno way")


@pytest.mark.compilers
@pytest.mark.bubblewrap
def test_a_compilers_words_are_shown_and_play_tells_them_too(tmp_path, capsys):
    bot = tmp_path / "bot.c"
    bot.write_text("int main(void) { return cards; }\n")
    code, out, _ = polignac(capsys, "check", bot, "--sandbox", "bubblewrap")
    assert code == 1
    assert "build_error" in out
    assert "undeclared" in out
    code, _, err = polignac(capsys, "play", bot, "lowest", "random", "--sandbox", "bubblewrap")
    assert code == 2
    assert "undeclared" in err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["check", "nobody.py"], "can't be read"),
        (["check", "."], None),
        (["check", "x.py", "--players", "2"], "no list of numbers from 3 to 6"),
        (["check"], "polignac check --help"),
        (["new"], "polignac new --help"),
        (["new", "x", "--language", "cobol"], "invalid choice: 'cobol'"),
    ],
)
def test_what_makes_no_sense_is_said_with_what_would(arguments, says, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = polignac(capsys, *arguments, *(["--sandbox", "none"] if arguments[0] == "check" else []))
    if says is None:  # an empty folder is a bot that fails its first stage
        assert code == 1
        assert "there are no files in it" in out
    else:
        assert code == 2
        assert says in err
