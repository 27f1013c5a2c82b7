"""`polignac submit`, `bots`, `versions`, `log`: typed against a real site."""

import json
import zipfile

import pytest

from tests.league import kit
from tests.support.terminal import on_a_terminal
from tests.support.wire import answering, cut

BOT = "import polignac\n"


@pytest.fixture
def bot(tmp_path):
    path = tmp_path / "Heron.py"
    path.write_text(BOT)
    return path


def test_a_file_is_submitted_and_its_stages_appear(polignac, as_user, checker, bot):
    checker(kit.stage("archive", message="1 file."), kit.stage("build", message="Nothing to build."))
    as_user("ann")
    code, out, err = polignac("submit", bot, "--watch")
    assert code == 0, err
    first, *stages, last = out.splitlines()
    assert first.startswith("Heron#1: version ")
    assert [line.split()[0] for line in stages] == ["archive", "build"]
    assert last == "Heron#1 is active"
    version = first.rpartition(" ")[2]
    for name in (version, "Heron", "Heron#1"):
        assert polignac("log", name)[1].splitlines() == [*stages, last]
    assert polignac("log", version, "--watch")[0] == 0


def test_a_rejected_one_is_code_1_with_the_reason_and_its_log(polignac, as_user, checker, bot):
    failed = kit.stage("start", "failed", code="crash", message="It ended.", log="\x1b[31mno way")
    checker(kit.stage("archive"), failed)
    as_user("ann")
    code, out, _ = polignac("submit", bot, "--watch")
    assert code == 1
    *_, heading, log, last = out.splitlines()
    assert (heading, log) == ("its log:", r"    \x1b[31mno way")
    assert last == "Heron#1 is rejected: It ended. (crash)"
    code, out, _ = polignac("submit", bot, "--watch", "--json")
    assert (code, json.loads(out)["status"]) == (1, "rejected")


def test_without_watching_it_says_how_to(polignac, as_user, bot):
    as_user("ann")
    code, out, _ = polignac("submit", bot)
    assert code == 0
    assert out.startswith("Heron#1 is received: version ")
    assert "polignac log " in out
    code, _, err = polignac("submit", bot, "--watch", "--timeout", 1)
    assert code == 3
    assert "still received after 1 s" in err


def test_a_terminal_sees_that_it_waits_and_a_pipe_only_the_stages(as_user, checker, bot, home):
    checker(kit.stage("archive", message="1 file."))
    as_user("ann")
    drawn, out = on_a_terminal("submit", bot, "--watch", NO_COLOR="1", XDG_CONFIG_HOME=str(home))
    assert "checking" in drawn
    assert [line.split()[0] for line in out.splitlines()] == ["Heron#1:", "archive", "Heron#1"]
    assert "\x1b" not in out


def test_a_folder_and_a_zip_are_submitted_by_the_name_in_their_manifest(polignac, as_user, tmp_path):
    as_user("ann")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "main.py").write_text(BOT)
    (folder / "bot.toml").write_text('name = "Night Heron"\nlanguage = "python"\n')
    first = json.loads(polignac("submit", folder, "--json")[1])
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        for path in folder.iterdir():
            archive.write(path, path.name)
    again = json.loads(polignac("submit", tmp_path / "packed.zip", "--json")[1])
    assert first["bot"] == "Night Heron"
    assert again["id"] == first["id"]
    other = json.loads(polignac("submit", folder, "--bot", "Day Heron", "--json")[1])
    assert (other["bot"], other["number"]) == ("Day Heron", 1)
    rows = polignac("bots")[1].split("\n")
    assert [line.split()[1:3] for line in rows if "Heron" in line] == [["Night", "Heron"], ["Day", "Heron"]]
    assert [row["number"] for row in json.loads(polignac("versions", "Night Heron", "--json")[1])] == [1]
    assert "Night Heron#1" in polignac("versions", first["bot_id"])[1]


@pytest.mark.parametrize("cuts", [[("up", 700)], [("down", 30)], [("up", 300), ("down", 0), ("down", 100)]])
def test_a_connection_that_is_cut_in_the_middle_makes_one_version(
    cuts, polignac, as_user, site, bot, monkeypatch, home
):
    from league.bots.models import Bot, Version

    monkeypatch.setattr("client.server.connection.sleep", lambda seconds: None)
    as_user("ann")
    token = json.loads((home / "polignac/servers.json").read_text())["accounts"][site]["token"]
    monkeypatch.setenv("POLIGNAC_TOKEN", token)
    with cut(site, ("", 0), ("", 0)) as wire:
        assert polignac("bots", "--server", wire.url)[0] == 0
        wire.cuts = list(cuts)
        code, out, err = polignac("submit", bot, "--server", wire.url, "--json")
    assert code == 0, err
    assert "Trying again" in err
    assert (Bot.objects.count(), Version.objects.count()) == (1, 1)
    told = json.loads(out)
    assert (told["number"], told["new"]) == (1, True), "the first answer, though it was the second try"


def test_of_somebody_elses_bot_the_versions_are_told_and_no_check(polignac, as_user, checker, bot):
    checker(kit.stage("archive"))
    as_user("ann")
    assert polignac("submit", bot, "--watch")[0] == 0
    code, out, _ = polignac("submit", bot)
    assert code == 0
    assert "the same program as before" in out
    as_user("bob")
    [row] = json.loads(polignac("versions", "Heron", "--json")[1])
    assert (row["number"], row["status"], row["digest"]) == (1, "active", None)
    assert "Heron#1" in polignac("versions", "Heron")[1]
    for arguments in (["log", "Heron"], ["log", "Heron#1"], ["log", row["id"]]):
        code, out, err = polignac(*arguments)
        assert (code, out) == (1, "")
        assert "Heron#1 is not yours" in err
    code, _, err = polignac("log", "Heron#2")
    assert code == 1
    assert "never admitted" in err


def test_what_is_no_bot_is_refused_by_the_site_with_its_reason(polignac, as_user, tmp_path):
    as_user("ann")
    path = tmp_path / "bot.txt"
    path.write_text("hello")
    code, out, err = polignac("submit", path)
    assert (code, out) == (1, "")
    assert "unknown_language" in err
    (tmp_path / "empty").mkdir()
    assert polignac("submit", tmp_path / "empty")[0] == 1
    code, _, err = polignac("submit", tmp_path / "nothing.py")
    assert code == 2
    assert "can't be read" in err


def test_somebody_elses_name_is_not_taken(polignac, as_user, bot):
    as_user("ann")
    assert polignac("submit", bot)[0] == 0
    as_user("bob")
    code, _, err = polignac("submit", bot)
    assert code == 1
    assert "Heron is ann's bot" in err
    assert polignac("versions", "Heron")[1] == "Heron has no version yet\n", "none that was admitted"
    assert [row["owner"] for row in json.loads(polignac("bots", "--all", "--json")[1])] == ["ann"]
    assert polignac("bots", "--owner", "ann")[1].count("Heron") == 1


def test_what_a_name_says_can_not_steer_the_terminal(polignac):
    row = {
        "id": 1,
        "name": "\x1b]0;x\x07",
        "owner": "[red]eve",
        "current": None,
        "created_at": "2026-01-01T00",
    }
    with answering((200, {}, {"results": [row], "next": None})) as site:
        code, out, _ = polignac("bots", "--all", "--server", site.url)
    assert code == 0
    assert "\x1b" not in out
    assert r"\x1b]0;x\x07" in out
    assert "[red]eve" in out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["log"], 2, "name a version"),
        (["log", "3", "--match", "4"], 2, "name a version"),
        (["log", "Nobody"], 1, "there is no bot 'Nobody'"),
        (["log", "99"], 1, "not_found"),
        (["versions", "99"], 1, "not_found"),
        (["log", "--match", "99"], 1, "not_found"),
    ],
)
def test_what_is_not_there_is_said(arguments, code, says, polignac, as_user):
    as_user("ann")
    found, out, err = polignac(*arguments)
    assert (found, out) == (code, "")
    assert says in err
