"""`polignac play`: what it plays, what it says, and what it refuses."""

import json
import re

import pytest

from arena.players import REFERENCE
from arena.record import Record
from arena.rules import Variant
from client.cli import main

HONEST = """\
from polignac import Bot

class Ducker(Bot):
    def play(self):
        return min(self.legal, key=self.strength)

Ducker().run()
"""
CRASHES = """\
import sys
print("I see no way out \\x1b[31m", file=sys.stderr, flush=True)
sys.exit(3)
"""

SANDBOXES = [
    "none",
    pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
    pytest.param("docker", marks=pytest.mark.docker),
]


def records(path):
    return [Record.from_bytes(line) for line in path.read_bytes().splitlines()]


def polignac(capsys, *arguments):
    """Run the command in this process; its exit code, output and error output."""
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


# -- what it plays ----------------------------------------------------------------------------------------


def tables():
    for variant in Variant:
        for players in (3, 4, 5, 6):
            if variant is not Variant.KNAVES or players <= 4:
                yield variant, players, "even"
                if players > 4:
                    yield variant, players, "uneven"


@pytest.mark.parametrize(("variant", "players", "deal"), list(tables()))
def test_what_is_played_is_sound_for_every_variant_and_number_of_players(
    variant, players, deal, tmp_path, capsys
):
    file = tmp_path / "r.jsonl"
    bots = ["lowest", "random", "dodger", "counter", "highest", "random"][:players]
    rules = [f"variant={variant}", f"deal={deal}"]
    assert main(["play", "--rotate", "--records", str(file), *bots, "--rules", *rules]) == 0
    assert len(records(file)) == players
    assert main(["audit", str(file)]) == 0
    assert f"{players} records: all sound" in capsys.readouterr().out


def test_each_bot_holds_each_seat_of_each_board_once_when_rotated(tmp_path, capsys):
    file = tmp_path / "r.jsonl"
    code, _, _ = polignac(
        capsys, "play", "lowest", "dodger", "random", "--boards", 2, "--rotate", "--records", file
    )
    assert code == 0
    played = records(file)
    assert [record.match for record in played] == ["1.1", "2.1", "1.2", "2.2", "1.3", "2.3"]
    for board in ("1.", "2."):
        same = [record for record in played if record.match.startswith(board)]
        assert len({record.seed for record in same}) == 1
        assert {record.bots for record in same} == {
            ("lowest", "dodger", "random"),
            ("dodger", "random", "lowest"),
            ("random", "lowest", "dodger"),
        }
    assert played[0].seed != played[1].seed


def test_a_seed_gives_the_same_matches_again(tmp_path, capsys):
    one, other = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    arguments = ["play", "random", "dodger", "counter", "random", "--boards", 2]
    _, out, _ = polignac(capsys, *arguments, "--records", one)
    seed = re.search(r"--seed ([0-9a-f]{64})", out).group(1)
    polignac(capsys, *arguments, "--records", other, "--seed", seed)
    assert one.read_bytes() == other.read_bytes()


def test_a_board_does_not_depend_on_how_many_are_played(tmp_path, capsys):
    arguments = ["play", "lowest", "highest", "lowest", "--seed", "5e" * 32, "--records"]
    few, many = tmp_path / "few", tmp_path / "many"
    polignac(capsys, *arguments, few, "--boards", 1)
    polignac(capsys, *arguments, many, "--boards", 3)
    assert many.read_bytes().startswith(few.read_bytes())


def test_rules_reach_the_game_wherever_they_are_written(tmp_path, capsys):
    file = tmp_path / "r.jsonl"
    rules = ("--rules", "deals=2", "bids=", "card_points=KS:3,7H:1")
    assert (
        polignac(capsys, "play", *rules, "lowest", "random", "--records", file, "dodger", "counter")[0] == 0
    )
    played = records(file)[0].rules
    assert (played["deals"], played["bids"], played["card_points"]) == (2, [], {"7H": 1, "KS": 3})
    assert played["players"] == 4


def test_bots_of_one_name_are_told_apart(tmp_path, capsys):
    folder = tmp_path / "lowest"
    folder.mkdir()
    _, out, _ = polignac(capsys, "play", "lowest", "lowest", "random", "--json")
    assert [bot["bot"] for bot in json.loads(out)["bots"]] == ["lowest", "lowest#2", "random"]


# -- bots of one's own -------------------------------------------------------------------------------------


@pytest.fixture(params=["file", "folder", "zip"])
def honest(request, tmp_path):
    """The same bot in the three forms there are."""
    import zipfile

    file = tmp_path / "ducker.py"
    file.write_text(HONEST)
    if request.param == "file":
        return file
    if request.param == "zip":
        with zipfile.ZipFile(tmp_path / "ducker.zip", "w") as archive:
            archive.write(file, "main.py")
        return tmp_path / "ducker.zip"
    (tmp_path / "ducker").mkdir()
    return file.rename(tmp_path / "ducker" / "main.py").parent


@pytest.mark.bubblewrap
def test_a_bot_is_played_from_a_file_a_folder_or_a_zip(honest, capsys):
    code, out, err = polignac(capsys, "play", honest, "lowest", "dodger", "--sandbox", "bubblewrap", "--json")
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert [(bot["bot"], bot["sandbox"], bot["faults"]) for bot in report["bots"]] == [
        ("ducker", "bubblewrap", []),
        ("lowest", "bubblewrap", []),
        ("dodger", "bubblewrap", []),
    ]


@pytest.mark.bubblewrap
def test_reference_players_stay_in_this_process_beside_a_sandboxed_bot(tmp_path, capsys):
    file = tmp_path / "ducker.py"
    file.write_text(HONEST)
    _, out, _ = polignac(capsys, "play", file, "lowest", "dodger", "--json")
    confined_by = [bot["sandbox"] for bot in json.loads(out)["bots"]]
    assert confined_by[0] in {"bubblewrap", "docker"}
    assert confined_by[1:] == ["in-process", "in-process"]


@pytest.mark.bubblewrap
@pytest.mark.parametrize("name", REFERENCE)
def test_a_sandboxed_reference_player_plays_exactly_as_in_process(name, tmp_path, capsys):
    arguments = ["play", name, "dodger", "lowest", "--seed", "1d" * 32, "--rules", "threshold=3", "--records"]
    for sandbox in ("auto", "bubblewrap"):
        assert polignac(capsys, *arguments, tmp_path / sandbox, "--sandbox", sandbox)[0] == 0
    assert (tmp_path / "auto").read_bytes() == (tmp_path / "bubblewrap").read_bytes()


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_faults_are_told_with_what_the_bot_wrote_to_its_log(sandbox, tmp_path, capsys):
    bot = tmp_path / "doomed.py"
    bot.write_text(CRASHES)
    code, out, err = polignac(capsys, "play", "dodger", bot, "lowest", "--sandbox", sandbox)
    assert (code, err) == (0, "")
    assert "doomed: crash in match 1.1, deal 0, trick 0, seat 1: ended with exit code 3" in out
    assert "I see no way out \\x1b[31m" in out
    assert "\x1b" not in out
    assert f"doomed {sandbox}" in out.split("sandbox: ")[1]


def test_faults_are_listed_in_the_json_with_their_match(tmp_path, capsys):
    bot = tmp_path / "doomed.py"
    bot.write_text(CRASHES)
    _, out, _ = polignac(
        capsys, "play", bot, "dodger", "lowest", "--sandbox", "none", "--json", "--boards", 2
    )
    faults = json.loads(out)["bots"][0]["faults"]
    assert [(fault["match"], fault["kind"], fault["deal"], fault["seat"]) for fault in faults] == [
        ("1.1", "crash", 0, 0),
        ("2.1", "crash", 0, 0),
    ]


def test_labels_stay_apart_even_when_a_file_has_the_name_of_a_second_one(tmp_path, capsys):
    bot = tmp_path / "lowest#2.py"
    bot.write_text(CRASHES)
    _, out, _ = polignac(capsys, "play", "lowest", "lowest", bot, "--sandbox", "none", "--json")
    labels = [row["bot"] for row in json.loads(out)["bots"]]
    assert sorted(labels) == ["lowest", "lowest#2", "lowest#2#2"]


def test_an_empty_bot_is_told(capsys):
    code, _, err = polignac(capsys, "play", "lowest", "random", "")
    assert code == 2
    assert "a BOT is empty" in err


def test_the_clock_can_be_set(tmp_path, capsys):
    bot = tmp_path / "slow.py"
    bot.write_text("import time\ntime.sleep(60)\n")
    _, out, _ = polignac(capsys, "play", bot, "dodger", "lowest", "--sandbox", "none", "--start-ms", 100)
    assert "slow: start in match 1.1" in out


def test_what_a_bots_decisions_took_is_told_with_where_the_longest_was(tmp_path, capsys):
    file = tmp_path / "slow.py"
    file.write_text(HONEST.replace("play(self):", "play(self):\n        sum(range(100000))"))
    _, out, _ = polignac(capsys, "play", file, "lowest", "random", "--sandbox", "none")
    told = re.search(r"slow's clock: ([\d.]+) ms a decision, ([\d.]+) ms the longest \((.*)\)", out)
    assert 0 < float(told[1]) <= float(told[2])
    assert re.fullmatch(r"match 1\.1, deal \d+, trick \d+, seat 0", told[3])
    assert "lowest's clock" not in out  # it is in this process, and has none
    _, out, _ = polignac(capsys, "play", file, "lowest", "random", "--sandbox", "none", "--json")
    slow, lowest, _ = json.loads(out)["bots"]
    assert 0 < slow["clock"]["mean_ms"] <= slow["clock"]["longest_ms"]
    assert slow["clock"]["longest"]["seat"] == 0
    assert lowest["clock"] is None


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_what_bots_print_to_their_log_can_be_kept(sandbox, tmp_path, capsys):
    bot = tmp_path / "talker.py"
    bot.write_text(HONEST.replace("return", 'self.log("I hold", len(self.hand))\n        return'))
    logs = tmp_path / "a" / "logs"
    arguments = ["play", bot, "lowest", bot, "--boards", 2, "--sandbox", sandbox, "--logs", logs]
    for _ in range(2):  # the second time the first logs are gone
        assert polignac(capsys, *arguments, "--rules", "deals=1", "tiebreak=shared")[0] == 0
    expected = [line for match in "12" for line in (f"--- match {match}.1, seat 0", *_held(10))]
    assert (logs / "talker.log").read_text().splitlines() == expected
    assert (logs / "talker#2.log").exists()


def _held(cards):
    return [f"I hold {left}" for left in range(cards, 0, -1)]


# -- what it says ------------------------------------------------------------------------------------------


def test_the_table_is_ordered_by_rank_and_agrees_with_the_records(tmp_path, capsys):
    file = tmp_path / "r.jsonl"
    _, out, _ = polignac(capsys, "play", "highest", "lowest", "dodger", "--boards", 4, "--records", file)
    played = records(file)
    deals = sum(not deal.playoff for record in played for deal in record.deals)
    rows = re.findall(r"^ ?(highest|lowest|dodger) +([\d.]+) +([\d.]+) +(\d+) +(\d+)", out, re.MULTILINE)
    assert [float(row[2]) for row in rows] == sorted(float(row[2]) for row in rows)
    for name, points, rank, wins, faults in rows:
        seat = played[0].bots.index(name)
        assert float(points) == pytest.approx(sum(r.totals[seat] for r in played) / deals, abs=0.0006)
        assert float(rank) == pytest.approx(sum(r.ranks[seat] for r in played) / 4, abs=0.006)
        assert int(wins) == sum(r.ranks[seat] == 1 for r in played)
        assert faults == "0"
    assert f"3 players: 4 boards at 1 seating, 4 matches, {deals} deals" in out


def test_the_json_is_the_only_output_and_says_how_to_repeat_it(capsys):
    code, out, err = polignac(capsys, "play", "lowest", "random", "dodger", "--json", "--rotate")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert (report["matches"], report["seatings"], report["boards"]) == (3, 3, 1)
    assert re.fullmatch("[0-9a-f]{64}", report["seed"])
    assert report["rules"]["variant"] == "polignac"
    assert sum(bot["wins"] for bot in report["bots"]) >= 3


def test_no_colour_and_no_progress_without_a_terminal(capsys):
    _, out, err = polignac(capsys, "play", "lowest", "random", "dodger")
    assert "\x1b" not in out
    assert err == ""


# -- what it refuses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["lowest", "random"], "2 bots are named, and the game needs a whole number from 3 to 6"),
        (["lowest"] * 7, "7 bots are named, and the game needs a whole number from 3 to 6"),
        (["lowest"] * 5 + ["--rules", "variant=knaves"], "needs a whole number from 3 to 4 for knaves"),
        (["lowest"] * 4 + ["--rules", "players=5"], "players=5, but 4 bots are named"),
        (
            ["lowest"] * 3 + ["--rules", "threshold=0"],
            "threshold=0 is not allowed: a whole number from 1 to 100",
        ),
        (["lowest"] * 3 + ["--rules", "thershold=9"], "thershold=9 is not allowed: there is no such option"),
        (["lowest", "random", "doger"], "there is no file or folder 'doger'; did you mean dodger?"),
        (["lowest", "random", "x/y.py"], "the reference players are random, lowest"),
        (["lowest"] * 3 + ["--boards", "0"], "--boards: '0' is no whole number from 1"),
        (["lowest"] * 3 + ["--seed", "12"], "--seed: '12' is not 64 hexadecimal digits"),
        (["lowest"] * 3 + ["--sandbox", "wishful"], "invalid choice: 'wishful'"),
        (
            ["lowest"] * 3 + ["--records", "/nowhere/r.jsonl"],
            "/nowhere/r.jsonl can't be written: No such file or directory",
        ),
        (["lowest"] * 3 + ["--logs", "/dev/null"], "/dev/null can't be written: File exists"),
        (["lowest"] * 3 + ["--bord", "1"], "unrecognized arguments: --bord"),
        ([], "BOT"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(arguments, told, capsys):
    code, out, err = polignac(capsys, "play", *arguments)
    assert (code, out) == (2, "")
    assert told in err
    assert err.startswith("polignac: ")
    assert len(err.splitlines()) == 1


def test_a_package_that_the_league_would_refuse_is_refused_here_too(tmp_path, capsys):
    bot = tmp_path / "bot.txt"
    bot.write_text("hello")
    code, _, err = polignac(capsys, "play", bot, "lowest", "random")
    assert code == 2
    assert "send one source file" in err


# -- help --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "words"), [("play", "--rotate"), ("audit", "exit code")])
def test_help_explains_with_examples(command, words, capsys):
    code, out, _ = polignac(capsys, command, "--help")
    assert code == 0
    assert words in out
    assert f"polignac {command} " in out.split("examples:")[1]


def test_without_a_command_the_commands_are_named(capsys):
    code, out, _ = polignac(capsys)
    assert code == 2
    assert "play" in out
    assert "audit" in out
    assert polignac(capsys, "--help")[0] == 0


def test_an_unknown_command_is_refused(capsys):
    code, _, err = polignac(capsys, "plya")
    assert code == 2
    assert "there is no command 'plya'; there are new, check, play, replay, audit" in err
