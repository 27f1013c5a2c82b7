"""`polignac tournament …`, `ladder`, `head-to-head`, `match`, `pull`: typed against a real site."""

import csv
import json

import pytest

from tests.league import kit
from tests.support.wire import answering

RULES = ("--rules", "variant=polignac", "players=3", "deals=2")
PLAYERS = ("lowest", "dodger", "random")


@pytest.fixture
def authors(as_user):
    """Ann, Bob and Cyd, with an active version each; gives the versions' ids by the bots' names."""
    from league.accounts.models import User

    versions = {}
    for name, player in zip(("ann", "bob", "cyd"), PLAYERS, strict=True):
        as_user(name)
        owner = User.objects.get(username=name)
        versions[player.capitalize()] = kit.active(owner, player.capitalize(), player).pk
    return versions


@pytest.fixture
def entered(polignac, as_user, authors):
    """A tournament of Cyd's, open, that all three have entered."""
    assert polignac("tournament", "create", "Cup", *RULES)[0] == 0
    assert polignac("tournament", "open", "Cup")[0] == 0
    for name, bot in zip(("ann", "bob", "cyd"), authors, strict=True):
        as_user(name)
        code, out, err = polignac("tournament", "enter", "Cup", bot)
        assert (code, out) == (0, f"{bot}#1 is in\n"), err


@pytest.fixture
def worker(monkeypatch):
    """Plays a table each time that `watch` waits, and rates what has been played."""
    from league.pipeline.rate import rate_sheet
    from league.ratings.selectors import behind
    from league.tournaments.models import Tournament

    def work(seconds):
        kit.play_all(Tournament.objects.get(name="Cup"), tables=1)
        for sheet in behind():
            rate_sheet(sheet.pk)

    monkeypatch.setattr("client.server.watching.sleep", work)


def test_a_tournament_from_the_draft_to_the_records(polignac, entered, authors, worker, tmp_path):
    code, out, _ = polignac("tournament", "preview", "Cup")
    assert code == 0
    assert "matches   3" in out
    assert polignac("tournament", "start", "Cup")[:2] == (0, "Cup is running\n")
    code, out, _ = polignac("tournament", "watch", "Cup")
    assert code == 0
    assert out.splitlines()[0].startswith("running, round 1")
    assert out.splitlines()[-1] == "finished: 3 of 3 matches"

    code, out, _ = polignac("tournament", "standings", "Cup")
    assert code == 0
    for bot in authors:
        assert f"{bot}#1" in out
    rows = list(csv.DictReader(polignac("tournament", "standings", "Cup", "--csv")[1].splitlines()))
    assert [row["place"] for row in rows] == ["1", "2", "3"]
    standings = json.loads(polignac("tournament", "standings", "Cup", "--json")[1])
    assert [str(row["score"]) for row in standings] == [row["score"] for row in rows]
    code, out, _ = polignac("tournament", "crosstable", "Cup")
    assert code == 0
    assert out.count("%") == 6
    assert len(json.loads(polignac("tournament", "crosstable", "Cup", "--json")[1])) == 3

    code, out, _ = polignac("ladder", "--pool", "polignac/3")
    assert code == 0
    assert out.startswith("pool ")
    assert "provisional" in out
    assert {row["bot"] for row in json.loads(polignac("ladder", "--json")[1])} == set(authors)
    code, out, _ = polignac("head-to-head", "Lowest", "Random#1")
    assert code == 0
    assert out.startswith("Lowest#1 against Random#1: 3 matches, ")
    assert "probability" in out

    matches = polignac("pull", "--tournament", "Cup", "-o", tmp_path / "cup.jsonl")
    assert matches[:2] == (0, f"3 records in {tmp_path / 'cup.jsonl'}\n")
    assert polignac("audit", tmp_path / "cup.jsonl")[:2] == (0, "3 records: all sound\n")
    from league.matches.models import Match

    match = Match.objects.first().pk
    assert "Dodger#1" in polignac("match", match)[1]
    record = polignac("pull", match)[1]
    assert record in (tmp_path / "cup.jsonl").read_text()
    assert "log of Random#1" in polignac("log", "--match", match)[1]


def test_steering_is_safe_to_repeat_and_each_answer_is_json(polignac, entered, as_user):
    as_user("bob")
    assert polignac("tournament", "withdraw", "Cup", "Dodger")[:2] == (0, "Dodger#1 is out\n")
    assert polignac("tournament", "withdraw", "Cup", "Dodger")[0] == 1
    assert polignac("tournament", "start", "Cup")[0] == 1
    assert polignac("tournament", "enter", "Cup", "Dodger#1")[0] == 0
    assert polignac("tournament", "entrants", "Cup")[1].count("#1") == 3
    as_user("cyd")
    for action, status in (
        ("start", "running"),
        ("pause", "paused"),
        ("pause", "paused"),
        ("resume", "running"),
    ):
        code, out, err = polignac("tournament", action, "Cup", "--json")
        assert code == 0, err
        assert json.loads(out)["status"] == status
    assert "plays 2 boards" in polignac("tournament", "extend", "Cup", 2)[1]
    code, _, err = polignac("tournament", "finish", "Cup")
    assert code == 1
    assert "409" not in err
    code, _, err = polignac("tournament", "ranking", "Cup")
    assert code == 1
    assert "no_ranking" in err
    assert polignac("tournament", "watch", "Cup", "--timeout", 1)[0] == 3
    assert polignac("tournament", "cancel", "Cup")[:2] == (0, "Cup is cancelled\n")
    assert polignac("tournament", "watch", "Cup")[0] == 1
    assert "Cup" in polignac("tournament", "list", "--status", "cancelled")[1]
    assert "cancelled" in polignac("tournament", "show", "Cup")[1]


def test_what_a_draft_would_be_is_told_without_making_one(polignac, as_user):
    as_user("ann")
    balanced = ("--options", "kind=balanced", "groups_each=12")
    code, out, err = polignac("tournament", "create", *balanced, "--entrants", 40, "--boards", 10)
    assert code == 0, err
    assert "groups    120" in out
    assert "±" in out
    assert json.loads(polignac("tournament", "list", "--json")[1]) == []


def test_options_name_versions_as_people_do(polignac, as_user, authors):
    hero = ("--format", "gauntlet", "--options", "heroes=Random#1", "meetings=2")
    made = polignac("tournament", "create", "Night", *hero, *RULES, "--unrated", "--json")
    tournament = json.loads(made[1])
    assert tournament["options"] == {"heroes": [authors["Random"]], "meetings": 2}
    assert (tournament["rated"], tournament["rules"]["deals"]) == (False, 2)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["tournament", "create", "X", "--rules", "threshold=0"], 2, "threshold"),
        (["tournament", "create", "X", "--options", "a=1", "a=2"], 2, "as in meetings=3"),
        (["tournament", "create", "X", "--options", "colour=red"], 1, "colour"),
        (["tournament", "create"], 2, "give it a name"),
        (["tournament", "start", "Nothing"], 1, "there is no tournament 'Nothing'"),
        (["tournament", "start", "99"], 1, "not_found"),
        (["tournament", "dance"], 2, "there is no command 'tournament dance'"),
        (["ladder", "--pool", "polignac"], 2, "as in polignac/4"),
        (["ladder", "--pool", "polignac/4"], 1, "there is no pool"),
        (["head-to-head", "1", "2"], 1, "no pool has a rating of both"),
        (["match", "99"], 1, "not_found"),
        (["pull", "99"], 1, "not_found"),
        (["pull"], 2, "name matches"),
    ],
)
def test_what_can_not_be_is_said_with_what_would(arguments, code, says, polignac, as_user):
    as_user("ann")
    found, out, err = polignac(*arguments)
    assert (found, out) == (code, "")
    assert says in err


def test_the_ladder_is_shown_anew_when_it_changes(polignac, monkeypatch):
    def row(elo):
        line = dict.fromkeys(
            ("elo", "elo_low", "elo_high", "points_per_deal", "points_low", "points_high"), elo
        )
        counts = dict.fromkeys(("pool", "place", "version", "matches", "wins", "faults"), 1)
        return {**line, **counts, "bot": "\x1b[2J", "owner": "o", "provisional": False}

    def page(*rows):
        return 200, {}, {"results": list(rows), "next": None}

    naps = [None, None]

    def nap(seconds):
        if not naps:
            raise KeyboardInterrupt
        naps.pop()

    monkeypatch.setattr("client.server.results.sleep", nap)
    pages = [page(row(1500.0)), page(), page(row(1500.0)), page(row(1600.0)), page()]
    with answering(*pages) as site:
        assert polignac("ladder", "--watch", "--server", site.url)[0] == 130


def test_the_verbs_of_tournaments_are_listed(polignac):
    code, out, _ = polignac("tournament", "--help")
    assert code == 0
    assert "crosstable" in out
    assert polignac("tournament")[0] == 2
