"""`polignac duel`: the swapped boards, at home and at a server."""

import json

import pytest

from arena.players import REFERENCE
from arena.protocol import ClockLimits
from arena.rules import Rules
from client.arguments import Sandbox
from client.duel import IN_A_ROW, differences
from client.play import Contest
from client.seats import find_bots
from tests.league import kit

QUICK = ("--rules", "deals=2", "players=3", "--seed", "ab" * 32)


def test_the_better_one_is_named_before_all_boards_are_played(polignac):
    code, out, err = polignac("duel", "lowest", "dodger", "--local", "--boards", 80, *QUICK, "--json")
    report = json.loads(out)
    assert (code, report["verdict"]) == (0, "first"), err
    assert (report["first"], report["second"]) == ("dodger", "lowest")
    assert report["boards"] < report["planned"] == 80
    assert report["mean"] < 0
    assert report["trace"][-1]["boards"] == report["boards"]
    assert report["faults"] == {}
    assert polignac("duel", "lowest", "dodger", "--local", "--boards", 80, *QUICK, "--json")[1] == out
    code, out, _ = polignac("duel", "dodger", "lowest", "--local", "--boards", 80, *QUICK)
    assert code == 1
    assert out.startswith("lowest is worse than dodger: +")
    assert out.splitlines()[-1] == f"the same boards again: --seed {'ab' * 32}"


def test_a_bot_is_not_better_than_itself(polignac):
    code, out, _ = polignac("duel", "dodger", "dodger", "--local", "--boards", 12, *QUICK)
    assert code == 1
    assert out.startswith("no difference was found between dodger and dodger#2: +0.000 points a deal")


def test_both_sit_in_each_pair_of_seats_equally_often_with_the_others_where_they_were():
    bots = find_bots(["dodger", "lowest", "counter", "random"], Sandbox.AUTO)
    contest = Contest(
        bots=bots,
        rules=Rules.make(deals=1, tiebreak="shared"),
        clock=ClockLimits(),
        seed=b"x" * 32,
        boards=6 * IN_A_ROW,
        rotate=False,
    )
    pairs = {}
    for _, (one, other) in differences(contest):
        assert one.record.deals[0].hands == other.record.deals[0].hands
        first = [played.seating.index(0) for played in (one, other)]
        second = [played.seating.index(1) for played in (one, other)]
        assert first == second[::-1]
        assert [one.seating.index(bot) for bot in (2, 3)] == [other.seating.index(bot) for bot in (2, 3)]
        pair = frozenset(first)
        pairs[pair] = pairs.get(pair, 0) + 1
    assert len(pairs) == 6
    assert set(pairs.values()) == {IN_A_ROW}


@pytest.mark.bubblewrap
def test_a_bot_that_fails_is_worse_and_its_faults_are_told(polignac, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("import sys\nsys.exit(3)\n")
    code, out, _ = polignac("duel", "lowest", bad, "--local", "--boards", 10, *QUICK)
    assert code == 1
    assert "bad: " in out
    assert " faults; polignac play shows them" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["a", "b", "--local", "--boards", "9"], "at least 10"),
        (["lowest", "dodger", "--local", "--with", "random"], "name 2 others, not 1"),
        (["lowest", "nobody", "--local"], "there is no file or folder 'nobody'"),
        (["lowest", "dodger", "--local", "--rules", "threshold=0"], "threshold"),
        (["lowest", "dodger"], "which server?"),
    ],
)
def test_what_makes_no_sense_is_said_with_what_would(arguments, says, polignac):
    code, out, err = polignac("duel", *arguments)
    assert (code, out) == (2, "")
    assert says in err


@pytest.fixture
def versions(as_user):
    """Two versions of Ann's first bot, and one of another bot of hers."""
    from league.accounts.models import User
    from league.bots import services
    from sandbox.reference import reference_package

    as_user("ann")
    ann = User.objects.get(username="ann")
    first = kit.active(ann, "Heron", "lowest")
    second, _ = services.add_version(first.bot, reference_package("dodger"))
    services.finish_check(services.claim_version(second.pk))
    return first.pk, second.pk, kit.active(ann, "Other", "random").pk


def test_at_a_server_it_is_an_unrated_tournament_between_versions_of_ones_own(
    polignac, versions, monkeypatch
):
    from league.tournaments.models import Tournament

    monkeypatch.setattr("client.server.watching.sleep", lambda _: kit.play_all(Tournament.objects.get()))
    duel = (
        "duel",
        "Heron#1",
        "Heron",
        "--with",
        "Other",
        "--boards",
        "30",
        "--rules",
        "players=3",
        "deals=2",
    )
    code, out, err = polignac(*duel, "--watch")
    assert code == 0, err
    assert "Heron#2 is better than Heron#1: -" in out
    tournament = Tournament.objects.get()
    assert (tournament.format, tournament.rated, tournament.boards) == ("duel", False, 5)
    old, new, _ = versions
    assert tournament.options == {"first": new, "second": old, "groups": 6}
    code, out, _ = polignac("tournament", "duel", tournament.pk, "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "first")


def test_without_company_it_is_left_open_for_others(polignac, versions):
    code, out, _ = polignac("duel", "Heron#1", "Heron#2")
    assert code == 0
    assert "2 more must enter" in out
    assert "is open. Then: polignac tournament start" in out


def test_every_default_company_is_a_reference_player():
    from client.duel_command import _COMPANY

    assert set(_COMPANY) <= set(REFERENCE)
