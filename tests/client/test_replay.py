"""`polignac replay`: a recorded match goes the same way again, and another bot is compared with it."""

import json

import pytest

from arena.record import Record
from arena.rules import Rules
from client.cli import main
from client.replay import Recorded, decisions, play_again
from tests.support.games import referee_by_chance

GAMES = [
    Rules.make(players=3, bids=["capot", "general"], threshold=15),
    Rules.make(players=4, variant="knaves", deals=1),
    Rules.make(players=5, variant="slobberhannes", deal="uneven", revoke="penalty"),
    Rules.make(players=6, deal="uneven", revoke="forfeit", deals=3),
]
CRASHES = "import sys\nfor _ in range(3): input()\nsys.exit(3)\n"


def polignac(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def recorded(tmp_path, capsys):
    """Three matches of reference players, one a line."""
    path = tmp_path / "r.jsonl"
    seed = ["--seed", "5" * 64]
    assert (
        polignac(capsys, "play", "dodger", "lowest", "counter", "--boards", 3, *seed, "--records", path)[0]
        == 0
    )
    return path


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.variant}-{game.players}")
def test_a_match_goes_the_same_way_again_faults_vacated_seats_and_all(game):
    faults = vacated = 0
    for number in range(12):
        record = referee_by_chance(
            game, bytes([number]) * 32, mischief=0.03, risk=0.01, first_dealer=number % 3
        )
        seats = [Recorded(record, seat) for seat in range(game.players)]
        assert play_again(record, seats).to_bytes() == record.to_bytes()
        faults += len(record.faults)
        vacated += len(record.vacated)
    assert faults
    assert vacated


def test_the_same_player_differs_nowhere(recorded, capsys):
    code, out, _ = polignac(capsys, "replay", recorded, "--line", 2, "--seat", 1, "--bot", "lowest")
    record = Record.from_bytes(recorded.read_bytes().splitlines()[1])
    asked = len(decisions(record, 1))
    assert code == 0
    assert out == f"{asked} of {asked} decisions as lowest took them in match 2.1\n"


def test_another_player_is_compared_decision_by_decision(recorded, capsys):
    code, out, _ = polignac(capsys, "replay", recorded, "--seat", 1, "--bot", "highest", "--json")
    report = json.loads(out)
    assert code == 0
    assert 0 < len(report["differences"]) < report["asked"]
    for difference in report["differences"]:
        assert difference["recorded"] != difference["found"]
        assert {difference["recorded"], difference["found"]} <= set(difference["choice"])
    _, out, _ = polignac(capsys, "replay", recorded, "--seat", 1, "--bot", "highest")
    assert out.count(": recorded ") == len(report["differences"])


@pytest.mark.bubblewrap
def test_a_bot_that_fails_is_told_where_and_the_match_goes_on(recorded, tmp_path, capsys):
    bot = tmp_path / "bot.py"
    bot.write_text(CRASHES)
    code, out, _ = polignac(capsys, "replay", recorded, "--seat", 0, "--bot", bot)
    assert code == 1
    assert out.startswith("before the first deal: start: ")


def test_without_a_bot_the_match_is_told(recorded, capsys):
    code, out, _ = polignac(capsys, "replay", recorded)
    assert code == 0
    assert out.startswith("match 1.1: dodger, lowest, counter\ndeal 1")
    assert "ranks" in out


def test_a_record_over_several_lines_is_one_record(recorded, tmp_path, capsys):
    path = tmp_path / "match.json"
    path.write_text(json.dumps(json.loads(recorded.read_text().splitlines()[0]), indent=1))
    assert polignac(capsys, "replay", path)[1] == polignac(capsys, "replay", recorded)[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--seat", 0], "give --seat and --bot together"),
        (["--bot", "lowest"], "give --seat and --bot together"),
        (["--seat", 5, "--bot", "lowest"], "seats 0 to 2"),
        (["--seat", 9, "--bot", "lowest"], "no seat from 0 to 5"),
        (["--line", 4], "has 3 records, and no line 4"),
        (["--seat", 0, "--bot", "lowset"], "did you mean lowest"),
    ],
)
def test_what_makes_no_sense_is_said_with_what_would(arguments, says, recorded, capsys):
    code, out, err = polignac(capsys, "replay", recorded, *arguments)
    assert (code, out) == (2, "")
    assert says in err


def test_an_unsound_record_is_not_played(recorded, capsys):
    recorded.write_text(recorded.read_text().replace('"ranks":[', '"ranks":[4,', 1))
    code, _, err = polignac(capsys, "replay", recorded)
    assert code == 1
    assert "r.jsonl:1: " in err
    assert polignac(capsys, "replay", recorded.parent / "no.json")[0] == 2
